//! The words of an answer: every phrase of it that is not the transcript's.

use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::query::Term;
use crate::contract::look_back::{End, Fault, Party, Question, Wish};
use crate::transcript::text::fold_line;
use crate::wake::{count, cut};

/// Characters of a query in the line for the person.
const QUERY: usize = 120;
/// Sessions that are named.
const NAMED: usize = 8;
/// Bytes of what was given that are repeated.
const GIVEN: usize = 120;
/// Bytes of what is wrong.
const WRONG: usize = 600;

/// What follows from a transcript in which nothing was compacted.
pub const ALL_IN_CONTEXT: &str = "Nothing of this conversation was compacted yet: everything is still in your context.";

/// Text that could not be asked for otherwise.
pub const LEFT_OUT: &str = "Only thinking stands here, which is left out.";

/// A record's time as it is read; it may carry none.
pub fn time(raw: &str) -> String {
    let time = match raw.parse::<i128>() {
        Ok(millis) => OffsetDateTime::from_unix_timestamp_nanos(millis.saturating_mul(1_000_000)).ok(),
        Err(_) => OffsetDateTime::parse(raw, &Rfc3339).ok().map(|time| time.to_offset(time::UtcOffset::UTC)),
    };
    let Some(time) = time else { return "no time".to_owned() };
    let (year, month, day) = (time.year(), u8::from(time.month()), time.day());
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}:{:02}Z", time.hour(), time.minute(), time.second())
}

/// A party in words.
pub fn party(party: &Party) -> String {
    let session = if party.past { format!("session {}", party.session.as_deref().unwrap_or("of this checkout")) } else { String::new() };
    match &party.agent {
        Some(agent) if session.is_empty() => format!("agent {agent}"),
        Some(agent) => format!("agent {agent} of {session}"),
        None if session.is_empty() => "main".to_owned(),
        None => session,
    }
}

/// Where hits were looked for.
pub fn stretch(whose: &Party, boundary: Option<u64>) -> String {
    match boundary {
        Some(boundary) => format!("before the last compaction (entry {boundary})"),
        None => format!("of {}", party(whose)),
    }
}

/// What stands above the hits.
pub fn found(hits: u64, most: u32, terms: &[Term], whose: &Party, boundary: Option<u64>) -> String {
    let wanted = u32::try_from(terms.len()).unwrap_or(u32::MAX);
    let entries = count(hits, "entry", "entries");
    let hold = if hits == 1 { "holds" } else { "hold" };
    let what = if wanted == 1 { "it".to_owned() } else { format!("at least one of the {wanted} terms") };
    let mut text = format!("{entries} {} {hold} {what}.", stretch(whose, boundary));
    if most < wanted {
        text.push_str(&format!(" No entry holds all {wanted} terms."));
    }
    text
}

/// What is said when there are no hits.
pub fn nothing_found(terms: &[Term], whose: &Party, boundary: Option<u64>) -> String {
    let named: Vec<String> = terms.iter().take(NAMED).map(|term| format!("{:?}", cut(&fold_line(&term.shown), GIVEN))).collect();
    format!(
        "No entry {} holds {}. Try other words: a name, a path or a number as it was written, a shorter part of it, or what an error said.",
        stretch(whose, boundary),
        named.join(" or ")
    )
}

/// What did not fit.
pub fn not_shown(hits: u64) -> String {
    format!("{} not shown: narrow it with more words, or with a \"quoted phrase\".", count(hits, "more entry is", "more entries are"))
}

/// How a hit is read whole.
pub fn how_to_read(question: &Question) -> String {
    let with: Vec<&str> =
        [question.session.as_ref().map(|_| "session"), question.agent.as_ref().map(|_| "agent")].into_iter().flatten().collect();
    let with = if with.is_empty() { String::new() } else { format!(", with the same {}", with.join(" and ")) };
    format!("To read one whole: entry, its number{with}.")
}

/// Records that hold a term and were not read.
pub fn unread<'a>(kinds: impl Iterator<Item = (&'a String, &'a (u64, u64))>) -> String {
    let named: Vec<String> =
        kinds.map(|(kind, (number, newest))| format!("{} ({number}, newest entry {newest})", cut(&fold_line(kind), GIVEN))).collect();
    format!("Not read, though a term stands in them: records of a kind that this build does not know: {}.", named.join(", "))
}

/// A fault as the asker reads it.
pub fn fault(fault: &Fault) -> String {
    let shown = |text: &str, most: usize| cut(fold_line(text).trim_end_matches('.'), most);
    match fault {
        Fault::BadArguments(faults) => format!("{}.", shown(&faults.join("; "), 2 * WRONG)),
        Fault::NoSuchSession(wanted) => {
            format!("No session of this checkout begins with {:?}. Give more of its id.", shown(wanted, GIVEN))
        }
        Fault::AmbiguousSession(sessions) => {
            let named: Vec<String> = sessions.iter().take(NAMED).map(|id| shown(id, GIVEN)).collect();
            let more = sessions.len().saturating_sub(NAMED);
            let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
            format!("Several sessions begin so: {}{rest}. Give more of the id.", named.join(", "))
        }
        Fault::OtherRepository(session) => {
            format!("Session {} ran in another repository. Ask from a checkout of that one.", shown(session, GIVEN))
        }
        Fault::NoSession => "No session of this checkout is known.".to_owned(),
        Fault::NoTranscript(whose) => match (&whose.agent, &whose.session) {
            (Some(agent), Some(session)) => {
                format!("There is no transcript of agent {} of session {}.", shown(agent, GIVEN), shown(session, GIVEN))
            }
            (Some(agent), None) => format!("There is no transcript of agent {}.", shown(agent, GIVEN)),
            (None, session) => format!("There is no transcript of session {}.", shown(session.as_deref().unwrap_or("?"), GIVEN)),
        },
        Fault::Unreadable(why) => format!("The transcript cannot be read: {}.", shown(why, WRONG)),
    }
}

/// Who is to blame for a fault.
pub fn end(fault: &Fault) -> End {
    match fault {
        Fault::BadArguments(_) => End::Mistaken,
        Fault::Unreadable(_) => End::Failed,
        _ => End::Missing,
    }
}

/// The line for the person: whose transcript, what was asked, what came of it. Secrets are out.
pub fn line(whose: Option<&Party>, question: Option<&Question>, outcome: &str) -> String {
    let asked = question.map(|question| match &question.wish {
        Wish::Query(query) => {
            // Secrets go before the cut.
            let query = fold_line(&crate::redact::text(query));
            let short: String = query.chars().take(QUERY).collect();
            let rest = if short.len() < query.len() { "…" } else { "" };
            format!("\"{short}{rest}\"")
        }
        Wish::Page(page) if page.start > 0 => format!("entry {} from {}", page.entry, page.start),
        Wish::Page(page) => format!("entry {}", page.entry),
    });
    let subject: Vec<String> = whose.map(party).into_iter().chain(asked).collect();
    let outcome = crate::redact::text(outcome).into_owned();
    if subject.is_empty() { format!("look_back: {outcome}") } else { format!("look_back {}: {outcome}", subject.join(" ")) }
}

/// The log's line on a call that reads the caller's own transcript by other means, which shows where looking back was not enough; none for other calls.
/// `input` is the call's input as JSON.
pub fn own_transcript_line(tool: &str, input: &str, session: &str, agent: Option<&str>) -> Option<String> {
    if session.is_empty() || !matches!(tool, "Read" | "Grep" | "Bash" | "PowerShell") {
        return None;
    }
    let file = agent.map_or_else(|| format!("{session}.jsonl"), |agent| format!("agent-{agent}.jsonl"));
    let whose = agent.map_or_else(|| "main".to_owned(), |agent| format!("agent {agent}"));
    memchr::memmem::find(input.as_bytes(), file.as_bytes())
        .map(|_| format!("{whose} read its own transcript with {tool}: look_back was not enough, or was not thought of"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_any_zone_are_utc_and_a_record_may_have_none() {
        for (raw, text) in [
            ("2026-09-04T09:15:10.123Z", "2026-09-04 09:15:10Z"),
            ("2026-09-04T11:15:10+02:00", "2026-09-04 09:15:10Z"),
            ("1788512400000", "2026-09-04 09:00:00Z"),
            ("", "no time"),
            ("99999999999999999999999999999999999999", "no time"),
            ("yesterday", "no time"),
        ] {
            assert_eq!(time(raw), text, "{raw}");
        }
    }

    #[test]
    fn the_line_for_the_person_is_one_line_without_secrets_and_cuts_the_query() {
        let main = Party { session: Some("s".to_owned()), agent: None, past: false, whole: false };
        let ask = |query: &str| Question { wish: Wish::Query(query.to_owned()), session: None, agent: None };
        assert_eq!(line(Some(&main), Some(&ask("a \"b\nc\"")), "3 hits"), "look_back main \"a \"b c\"\": 3 hits");
        let long = line(Some(&main), Some(&ask(&"é".repeat(300))), "no hit");
        assert!(long.contains(&format!("\"{}…\"", "é".repeat(120))), "{long}");
        let secret = format!("ghp_{}", "a1B2".repeat(9));
        assert!(!line(Some(&main), Some(&ask(&secret)), &secret).contains("a1B2a1B2"));
    }

    #[test]
    fn every_fault_is_one_line_that_names_what_was_looked_for() {
        let whose =
            |agent: Option<&str>| Party { session: Some("s1".to_owned()), agent: agent.map(str::to_owned), past: false, whole: false };
        for (given, words) in [
            (Fault::NoTranscript(whose(None)), "transcript of session s1"),
            (Fault::NoTranscript(whose(Some("a1"))), "agent a1 of session s1"),
            (Fault::NoSuchSession("abcd".to_owned()), "\"abcd\""),
            (Fault::OtherRepository("abcd".to_owned()), "another repository"),
            (Fault::AmbiguousSession((0..20).map(|number| format!("abcd{number}")).collect()), "12 more"),
            (Fault::BadArguments(vec!["a".to_owned(), "b".to_owned()]), "a; b."),
            (Fault::Unreadable("denied".to_owned()), "denied"),
            (Fault::NoSession, "No session"),
        ] {
            let text = fault(&given);
            assert!(text.contains(words) && text.lines().count() == 1, "{text}");
        }
    }

    #[test]
    fn a_call_that_reads_the_callers_own_transcript_is_noted_and_no_other() {
        let line = |tool: &str, input: &str, agent: Option<&str>| own_transcript_line(tool, input, "5d1f", agent);
        assert!(line("Read", r#"{"file_path":"/p/5d1f.jsonl"}"#, None).is_some_and(|line| line.contains("Read")));
        assert!(line("Bash", r#"{"command":"grep x ~/.claude/projects/*/5d1f.jsonl"}"#, None).is_some());
        assert!(line("Grep", r#"{"path":"/p/5d1f/subagents/agent-a1.jsonl"}"#, Some("a1")).is_some());
        for (tool, input, agent) in [
            ("Read", r#"{"file_path":"/p/other.jsonl"}"#, None),
            ("Edit", r#"{"file_path":"/p/5d1f.jsonl"}"#, None),
            ("Read", r#"{"file_path":"/p/5d1f.jsonl"}"#, Some("a1")),
        ] {
            assert_eq!(line(tool, input, agent), None, "{tool} {input}");
        }
    }
}
