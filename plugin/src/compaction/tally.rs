//! Characters and sizes.

/// Unicode scalar values.
pub fn characters(text: &str) -> u64 {
    text.chars().count() as u64
}

/// As a person or a model reads it: `850`, `51k`, `1.5M`.
pub fn size(count: u64) -> String {
    match count {
        0..1_000 => count.to_string(),
        1_000..999_500 => format!("{}k", (count + 500) / 1_000),
        _ => {
            let tenths = count.saturating_add(50_000) / 100_000;
            if tenths.is_multiple_of(10) { format!("{}M", tenths / 10) } else { format!("{}.{}M", tenths / 10, tenths % 10) }
        }
    }
}

/// `1 message`, `3 messages`.
pub fn count(many: u64, one: &str) -> String {
    if many == 1 { format!("1 {one}") } else { format!("{many} {one}s") }
}

/// FNV-1a, 64 bits: tells whether a file is the same, and nothing more.
pub fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_short_and_never_say_a_thousand_thousands() {
        for (count, text) in [
            (0, "0"),
            (999, "999"),
            (1_000, "1k"),
            (1_499, "1k"),
            (1_500, "2k"),
            (51_234, "51k"),
            (999_499, "999k"),
            (999_500, "1M"),
            (1_000_000, "1M"),
            (1_520_000, "1.5M"),
            (12_000_000, "12M"),
            (u64::MAX, "18446744073709.5M"),
        ] {
            assert_eq!(size(count), text);
        }
    }

    #[test]
    fn a_character_is_a_scalar_value() {
        assert_eq!(characters("aé👩‍👩‍👧"), 7);
    }
}
