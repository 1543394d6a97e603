//! Characters per token, measured on the live window and never estimated.

use super::party::Base;

/// Growth in tokens from which the ratio is valid.
const GROWTH: u64 = 5_000;

/// Characters per token between the base and now; none: unmeasured.
#[allow(clippy::cast_precision_loss)]
pub fn ratio(base: Option<Base>, reading: Option<u64>, characters: Option<u64>) -> Option<f64> {
    let base = base?;
    let tokens = reading?.checked_sub(base.reading).filter(|growth| *growth >= GROWTH)?;
    let characters = characters?.checked_sub(base.characters)?;
    let ratio = characters as f64 / tokens as f64;
    (1.0..=8.0).contains(&ratio).then_some(ratio)
}

/// What so many tokens are in characters, at a ratio.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
pub fn characters_of(tokens: u64, ratio: f64) -> u64 {
    (tokens as f64 * ratio).max(0.0) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ratio_is_growth_over_growth_and_valid_within_its_bounds() {
        let base = Some(Base { reading: 20_000, characters: 10_000 });
        for (reading, characters, expected) in [
            (Some(25_000), Some(30_000), Some(4.0)),
            (Some(24_999), Some(30_000), None),
            (Some(25_000), Some(15_000), Some(1.0)),
            (Some(25_000), Some(14_999), None),
            (Some(25_000), Some(50_000), Some(8.0)),
            (Some(25_000), Some(50_001), None),
            (Some(25_000), Some(9_000), None),
            (Some(10_000), Some(90_000), None),
            (Some(25_000), None, None),
            (None, Some(30_000), None),
        ] {
            assert_eq!(ratio(base, reading, characters), expected, "{reading:?} {characters:?}");
        }
        assert_eq!(ratio(None, Some(25_000), Some(30_000)), None);
    }
}
