//! Options: stub until the table lands.
#![allow(missing_docs)]

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mark {
    Share(f64),
    Tokens(u64),
}
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Marks {
    pub start: Mark,
    pub step: Mark,
    pub ceiling: Mark,
    pub ceiling_is_default: bool,
    pub max_context: Option<u64>,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manual {
    Native,
    Handoff,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogLevel {
    Normal,
    Debug,
}
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    pub main: Marks,
    pub agent: Marks,
    pub ceiling_native: bool,
    pub manual: Manual,
    pub ignore_models: Vec<String>,
    pub keep_skills: Vec<String>,
    pub log_dir: Option<String>,
    pub log_level: LogLevel,
    pub retention_days: u32,
    pub faults: Vec<String>,
}
impl Options {
    pub fn read(set: &[(String, String)]) -> Options {
        let value = |name: &str| set.iter().find(|(n, _)| *n == format!("REVEILLE_{name}")).map(|(_, v)| v.clone());
        let marks = |ceiling: f64| Marks {
            start: Mark::Share(0.4),
            step: Mark::Share(0.1),
            ceiling: Mark::Share(ceiling),
            ceiling_is_default: true,
            max_context: None,
        };
        Options {
            main: marks(0.85),
            agent: marks(0.8),
            ceiling_native: false,
            manual: if value("MANUAL").as_deref() == Some("handoff") { Manual::Handoff } else { Manual::Native },
            ignore_models: value("IGNORE_MODELS").into_iter().collect(),
            keep_skills: Vec::new(),
            log_dir: value("LOG_DIR"),
            log_level: LogLevel::Normal,
            retention_days: 30,
            faults: Vec::new(),
        }
    }
}
