//! What is set, read over the defaults. The environment wins over the plugin's settings; what cannot be used is named, and the default stays.

use serde::Serialize;

use super::syntax::Problem;
use super::table::{Row, TABLE};
use super::values::{Mark, Options};
use crate::redact;
use crate::transcript::text::fold_line;
use crate::wake::cut;

/// Bytes of a value that a fault quotes.
const QUOTED: usize = 80;

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// Nothing is set.
    Default,
    /// The plugin's settings in the client.
    UserConfig,
    /// A variable `REVEILLE_…`.
    Environment,
}

/// How one option stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Resolved {
    /// Its name.
    pub name: &'static str,
    /// What is in force, as one would write it, without secrets; words where nothing is set.
    pub value: String,
    /// Where that comes from: the default where what is set cannot be used.
    pub origin: Origin,
    /// The variable that sets it.
    pub variable: String,
    /// What is set, why it cannot be used, and what is used in its place. One sentence.
    pub fault: Option<String>,
    /// What to write. One sentence; there is one with every fault.
    pub remedy: Option<String>,
}

/// One row while it is read.
struct Reading<'a> {
    row: &'static Row,
    origin: Origin,
    /// As set; none where it is not.
    set: Option<&'a str>,
    fault: Option<(String, String)>,
}

impl Options {
    /// The options, from the variables that begin with `REVEILLE_` or `CLAUDE_PLUGIN_OPTION_`.
    pub fn read(set: &[(String, String)]) -> Self {
        read(set).0
    }
}

/// How each option stands, in the table's order.
pub fn resolved(set: &[(String, String)]) -> Vec<Resolved> {
    let (mut options, readings) = read(set);
    readings
        .into_iter()
        .map(|reading| {
            let row = reading.row;
            let value = row.field.write(&mut options);
            let (fault, remedy) = reading.fault.unzip();
            Resolved {
                name: row.name,
                value: if value.is_empty() { row.unset.to_owned() } else { fold_line(&redact::text(&value)) },
                origin: reading.origin,
                variable: row.variable(),
                fault,
                remedy,
            }
        })
        .collect()
}

fn read(set: &[(String, String)]) -> (Options, Vec<Reading<'_>>) {
    let mut options = Options::BLANK;
    let mut readings: Vec<Reading<'_>> = TABLE
        .iter()
        .map(|row| {
            use_default(row, &mut options);
            let (origin, text) = value_of(row, set);
            let mut reading = Reading { row, origin, set: text, fault: None };
            if let Some(text) = text
                && let Err(problem) = row.field.read(&mut options, text)
            {
                reading.refuse(&problem);
            }
            reading
        })
        .collect();
    for (start, ceiling, ends) in [
        ("main_nudge_start", "main_ceiling", (|options| (options.main.start, options.main.ceiling)) as fn(&Options) -> (Mark, Mark)),
        ("agent_nudge_start", "agent_ceiling", |options| (options.agent.start, options.agent.ceiling)),
    ] {
        keep_below(&mut options, &mut readings, start, ceiling, ends);
    }
    let is_default = |name: &str| readings.iter().any(|reading| reading.row.name == name && reading.origin == Origin::Default);
    options.main.ceiling_is_default = is_default("main_ceiling");
    options.agent.ceiling_is_default = is_default("agent_ceiling");
    options.faults =
        readings.iter().filter_map(|reading| reading.fault.as_ref()).map(|(fault, remedy)| format!("{fault} {remedy}")).collect();
    (options, readings)
}

/// What sets an option. A blank value is none, and so is the client's placeholder where it had nothing to put in.
fn value_of<'a>(row: &Row, set: &'a [(String, String)]) -> (Origin, Option<&'a str>) {
    let find = |variable: String| {
        let value = set.iter().find(|(name, value)| *name == variable && is_set(value))?.1.as_str();
        Some(value)
    };
    match (find(row.variable()), find(row.setting_variable())) {
        (Some(value), _) => (Origin::Environment, Some(value)),
        (None, Some(value)) => (Origin::UserConfig, Some(value)),
        (None, None) => (Origin::Default, None),
    }
}

fn is_set(value: &str) -> bool {
    let value = value.trim();
    !(value.is_empty() || value.starts_with("${user_config.") && value.ends_with('}'))
}

fn use_default(row: &Row, options: &mut Options) {
    if !row.default.is_empty() {
        // A test reads every default.
        let _ = row.field.read(options, row.default);
    }
}

/// A start past the ceiling: the one that the person set is refused, the start first where they set both. Which of a share and a token count is larger, only the
/// window tells, and it is not known here.
fn keep_below(options: &mut Options, readings: &mut [Reading<'_>], start: &str, ceiling: &str, ends: fn(&Options) -> (Mark, Mark)) {
    for name in [start, ceiling] {
        let (from, to) = ends(options);
        let is_past = match (from, to) {
            (Mark::Share(from), Mark::Share(to)) => from > to,
            (Mark::Tokens(from), Mark::Tokens(to)) => from > to,
            _ => false,
        };
        let Some(reading) = readings.iter_mut().find(|reading| reading.row.name == name) else { continue };
        if is_past && reading.origin != Origin::Default {
            use_default(reading.row, options);
            reading.refuse(&Problem::whole(if name == start { "is past the ceiling" } else { "is below the first nudge" }));
        }
    }
}

impl Reading<'_> {
    fn refuse(&mut self, problem: &Problem) {
        let row = self.row;
        let place = match self.origin {
            Origin::Environment => row.variable(),
            Origin::UserConfig | Origin::Default => "the plugin's settings".to_owned(),
        };
        let value = cut(&fold_line(&redact::text(self.set.unwrap_or_default())), QUOTED);
        let instead = if problem.is_part { "the rest is used".to_owned() } else { format!("{} is used", row.default_words()) };
        let fault = format!("{} is \"{value}\" in {place}, which {}; {instead}.", row.name, problem.why);
        self.fault = Some((fault, format!("Write {}.", row.field.syntax())));
        if !problem.is_part {
            self.origin = Origin::Default;
        }
    }
}
