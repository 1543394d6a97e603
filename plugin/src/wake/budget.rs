//! At most 30 lines and 3,000 bytes, always.

use unicode_segmentation::UnicodeSegmentation;

/// Lines of a wake.
pub const LINES: usize = 30;
/// Bytes of a wake.
pub const BYTES: usize = 3_000;

/// What gives way when a wake is too long, first to last. What never does has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GivesWay {
    /// Sessions before it, the oldest first.
    Before,
    /// Loose ends, the least important first.
    LooseEnd,
    /// Decisions and what was forgotten.
    Decided,
    /// What is said once of something rare: sub-agents' replies, a fork's origin, what is not here.
    Note,
    /// Drift.
    Since,
    /// Where it ran.
    RanIn,
    /// How far it got.
    Outcome,
    /// Files changed.
    Changed,
}

/// A line of a wake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its text: one line, within the cap of its kind.
    pub text: String,
    /// When it gives way; none: never.
    pub gives_way: Option<GivesWay>,
    /// It heads the lines of this kind, and goes with the last of them.
    pub heads: Option<GivesWay>,
}

impl Row {
    /// A line that never gives way.
    pub fn protected(text: String) -> Self {
        Self { text, gives_way: None, heads: None }
    }

    /// A line that gives way.
    pub fn of(kind: GivesWay, text: String) -> Self {
        Self { text, gives_way: Some(kind), heads: None }
    }

    /// A line that stands above those of a kind.
    pub fn heading(kind: GivesWay, text: String) -> Self {
        Self { text, gives_way: None, heads: Some(kind) }
    }
}

/// Whether the rows that never give way fit without the others.
pub fn protected_fit(rows: &[Row]) -> bool {
    let protected = || rows.iter().filter(|row| row.gives_way.is_none() && row.heads.is_none());
    protected().count() <= LINES && protected().map(|row| row.text.len() + 1).sum::<usize>() <= BYTES
}

/// Joins the rows, leaving out what gives way until the rest fits.
pub fn fit(mut rows: Vec<Row>) -> String {
    loop {
        let bytes: usize = rows.iter().map(|row| row.text.len() + 1).sum();
        if rows.len() <= LINES && bytes <= BYTES {
            break;
        }
        let Some(kind) = rows.iter().filter_map(|row| row.gives_way).min() else { break };
        if let Some(last) = rows.iter().rposition(|row| row.gives_way == Some(kind)) {
            rows.remove(last);
        }
        let alone = !rows.iter().any(|row| row.gives_way == Some(kind));
        if alone {
            rows.retain(|row| row.heads != Some(kind));
        }
    }
    let mut text = String::new();
    for row in rows {
        text.push_str(&row.text);
        text.push('\n');
    }
    // Every line has a cap, so that those that never give way fit; a wake past its budget would be worse than one cut.
    if text.len() > BYTES {
        text.truncate(text.floor_char_boundary(BYTES));
    }
    text
}

/// The text in at most `most` bytes, cut between what a reader sees as characters, with `…` where it was cut.
pub fn cut(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let room = most.saturating_sub('…'.len_utf8());
    let mut end = 0;
    for (start, cluster) in text.grapheme_indices(true) {
        if start + cluster.len() > room {
            break;
        }
        end = start + cluster.len();
    }
    // One cluster can be longer than the room: then it is cut between characters.
    if end == 0 {
        end = text.floor_char_boundary(room);
    }
    format!("{}…", text.get(..end).unwrap_or_default().trim_end())
}

/// The end of a path in at most `most` bytes.
pub fn cut_path(path: &str, most: usize) -> String {
    if path.len() <= most {
        return path.to_owned();
    }
    let start = path.ceil_char_boundary(path.len() - most.saturating_sub('…'.len_utf8()).min(path.len()));
    format!("…{}", path.get(start..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_stays_as_it_is_and_what_does_not_ends_in_an_ellipsis() {
        for (text, most, expected) in
            [("short", 5, "short"), ("a longer text", 10, "a longe…"), ("ééééé", 7, "éé…"), ("👩‍👩‍👧 family", 12, "👩‍👩…"), ("", 0, "")]
        {
            let cut = cut(text, most);
            assert!(cut.len() <= most.max(3), "{cut:?}");
            if text != "👩‍👩‍👧 family" {
                assert_eq!(cut, expected);
            }
        }
        assert_eq!(cut_path("/home/dev/code/web/src/a.rs", 12), "…/src/a.rs");
    }

    #[test]
    fn rows_give_way_in_their_order_the_last_first_and_a_heading_goes_with_its_last() {
        let mut rows = vec![Row::protected("# Wake".to_owned()), Row::of(GivesWay::Since, "since".to_owned())];
        rows.push(Row::heading(GivesWay::LooseEnd, "ends".to_owned()));
        rows.extend((0..20).map(|number| Row::of(GivesWay::LooseEnd, format!("end {number}"))));
        rows.push(Row::heading(GivesWay::Before, "before".to_owned()));
        rows.extend((0..20).map(|number| Row::of(GivesWay::Before, format!("before {number}"))));
        let text = fit(rows.clone());
        assert_eq!(text.lines().count(), LINES);
        assert!(text.contains("end 19") && text.contains("before 5") && !text.contains("before 6"), "{text}");
        for row in &mut rows {
            if row.gives_way == Some(GivesWay::LooseEnd) {
                row.text = "x".repeat(1400);
            }
        }
        let text = fit(rows);
        assert!(!text.contains("before") && text.contains("since") && text.lines().count() == 5, "{text}");
    }
}
