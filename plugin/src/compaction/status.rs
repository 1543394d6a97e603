//! What `/handoff` prints, and the status entry.

use super::fact::WakeKind;
use super::party::{Party, PartyId};
use super::say;
use super::session::Doing;
use super::tally::{characters, count, size};

/// The status entry: the reading, and whether a handoff is stored.
pub fn entry(doing: &Doing<'_>) -> String {
    let nothing = Party::default();
    let main = doing.state.known(&PartyId::main()).unwrap_or(&nothing);
    let reading = main.reading.map_or_else(|| "no reading yet".to_owned(), |reading| format!("{} tokens", size(reading)));
    let stored = if main.handoff.is_some() { " · handoff stored" } else { "" };
    // The client writes the plugin's name before it.
    format!("{reading}{stored}")
}

/// The page of every party that lives or has stored something.
pub fn page(doing: &Doing<'_>) -> String {
    let mut parts = vec![party(doing, &PartyId::main())];
    for (id, known) in &doing.state.parties {
        // The client's own forks are nobody's business.
        let listed = known.spawned_here || doing.state.agents.iter().any(|row| Some(row.id.as_str()) == id.agent());
        if listed && (known.reported.is_none() || known.handoff.is_some()) {
            parts.push(party(doing, id));
        }
    }
    parts.join("\n\n")
}

fn party(doing: &Doing<'_>, id: &PartyId) -> String {
    let known = doing.state.party(id);
    let mut lines = vec![say::name(id)];
    let marks = doing.marks(id);
    let reading = known.reading.map_or_else(
        || "none yet".to_owned(),
        |reading| {
            let share =
                marks.map_or_else(String::new, |marks| format!(", {} % of the {} in force", marks.percent(reading), size(marks.in_force)));
            format!("{} tokens{share}", size(reading))
        },
    );
    lines.push(format!("  reading     {reading}"));
    lines.push(match marks {
        Some(marks) => format!(
            "  marks       nudge from {} every {}, Claude Code asks from {}, ceiling {}, window {}",
            size(marks.start),
            size(marks.step),
            size(marks.ask_point),
            size(marks.ceiling),
            size(marks.max_context)
        ),
        None => "  marks       unknown: the window was not reported yet".to_owned(),
    });
    if let Some(entry) = &known.ignored_by {
        lines.push(format!("  model       ignored, it matches \"{entry}\""));
    }
    lines.push(match &known.handoff {
        Some(handoff) => format!(
            "  stored      {} characters{}, call {}",
            characters(&handoff.text),
            if handoff.files.is_empty() { String::new() } else { format!(", {}", count(handoff.files.len() as u64, "file")) },
            handoff.call
        ),
        None => "  stored      no handoff".to_owned(),
    });
    lines.push(match (&known.installed, known.landing) {
        (Some(install), landing) => {
            let what = if install.kind == WakeKind::Handoff { "handoff" } else { "mechanical" };
            let before = install.before.map_or_else(|| "unknown".to_owned(), size);
            let after = match (landing, install.after) {
                (true, _) => "not measured yet".to_owned(),
                (false, Some(after)) => format!("{} tokens", size(after)),
                (false, None) => "never measured".to_owned(),
            };
            format!("  last wake   {what}, {before} → {after}, {} kept, {} dropped", count(install.kept, "message"), install.dropped)
        }
        (None, _) => "  last wake   none".to_owned(),
    });
    lines.join("\n")
}
