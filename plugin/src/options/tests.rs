//! Every option: what holds when nothing is set, what the settings and the environment say, and what becomes of a bad value.
#![allow(clippy::unwrap_used)]
use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

fn set(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn one(set: &[(String, String)], name: &str) -> Resolved {
    resolved(set).into_iter().find(|option| option.name == name).unwrap()
}

/// Name, default, a value of the settings, one of the environment, a bad value, and why that one is bad. Values as they are written back.
const ROWS: &[(&str, &str, &str, &str, &str, &str)] = &[
    ("main_nudge_start", "40%", "30%", "0", "forty", "is no size"),
    ("main_nudge_step", "10%", "5.5%", "20k", "0", "must be above 0"),
    ("main_ceiling", "85%", "90%", "150k", "101%", "is over 100%"),
    ("main_max_context", "as Claude Code reports it", "200k", "1.5M", "50%", "is a share, of nothing that is known"),
    ("agent_nudge_start", "40%", "35%", "80001", "0.4", "is no whole number of tokens"),
    ("agent_nudge_step", "10%", "20%", "1M", "0%", "must be above 0"),
    ("agent_ceiling", "80%", "70%", "100k", "80kk", "is no size"),
    ("agent_max_context", "as Claude Code reports it", "100k", "123456", "0", "must be above 0"),
    ("ceiling_native", "no", "yes", "no", "true", "is none of its choices"),
    ("manual", "native", "handoff", "native", "both", "is none of its choices"),
    ("ignore_models", "none", "haiku", "sonnet, opus", "", ""),
    ("keep_skills", "none", "Style", "a, b", "", ""),
    ("aliases", "none", "web=acme/web", "site=https://example.com/a/b, web=acme/other", "web", "has a part that is no `name=target`"),
    ("checks", "none", "./verify.sh", "make proof, ./v --all", "a | b, c 'd'", "has 2 parts that are no plain command"),
    ("log_dir", "in the data directory", "/var/log/reveille", "C:\\logs", "logs", "is no absolute path"),
    ("log_level", "normal", "debug", "normal", "loud", "is none of its choices"),
    ("retention_days", "30", "7", "365", "0", "must be above 0"),
];

#[test]
fn each_option_has_a_default_takes_the_settings_value_and_the_environments_over_it_and_names_a_bad_one_with_what_to_write() {
    assert_eq!(ROWS.iter().map(|row| row.0).collect::<Vec<_>>(), TABLE.iter().map(|row| row.name).collect::<Vec<_>>());
    for &(name, default, setting, environment, bad, why) in ROWS {
        let row = TABLE.iter().find(|row| row.name == name).unwrap();
        let (variable, setting_variable) = (row.variable(), row.setting_variable());
        let option = one(&[], name);
        assert_eq!((option.value.as_str(), option.origin, option.fault), (default, Origin::Default, None), "{name}");
        assert_eq!(option.variable, variable);

        let mut given = set(&[(&setting_variable, setting)]);
        let option = one(&given, name);
        assert_eq!((option.value.as_str(), option.origin, option.fault), (setting, Origin::UserConfig, None), "{name}");

        given.push((variable.clone(), environment.to_owned()));
        let option = one(&given, name);
        assert_eq!((option.value.as_str(), option.origin, option.fault), (environment, Origin::Environment, None), "{name}");

        if bad.is_empty() {
            continue;
        }
        let given = set(&[(&setting_variable, setting), (&variable, bad)]);
        let option = one(&given, name);
        let is_list = why.contains("part");
        let instead = if is_list { "the rest is used".to_owned() } else { format!("{default} is used") };
        assert_eq!(option.fault, Some(format!("{name} is \"{bad}\" in {variable}, which {why}; {instead}.")));
        assert_eq!(option.remedy, Some(format!("Write {}.", row.field.syntax())));
        assert_eq!((option.value.as_str(), option.origin == Origin::Default), (default, !is_list), "{name}");
        assert_eq!(Options::read(&given).faults, [format!("{} {}", option.fault.unwrap(), option.remedy.unwrap())]);
        let fault = one(&set(&[(&setting_variable, bad)]), name).fault.unwrap();
        assert!(fault.contains(" in the plugin's settings, which "), "{fault}");
    }
}

#[test]
fn values_reach_the_rooms_as_they_are_meant() {
    let options = Options::read(&[]);
    let marks = |ceiling| Marks {
        start: Mark::Share(0.4),
        step: Mark::Share(0.1),
        ceiling: Mark::Share(ceiling),
        ceiling_is_default: true,
        max_context: None,
    };
    assert_eq!((options.main, options.agent), (marks(0.85), marks(0.8)));
    assert_eq!((options.manual, options.log_level, options.retention_days), (Manual::Native, LogLevel::Normal, 30));
    let options = Options::read(&set(&[
        ("REVEILLE_MAIN_CEILING", "1.5M"),
        ("REVEILLE_AGENT_CEILING", " 80 K "),
        ("REVEILLE_AGENT_NUDGE_START", "100%"),
        ("REVEILLE_MANUAL", "Handoff"),
        ("REVEILLE_IGNORE_MODELS", "Haiku,, SONNET\n,"),
        ("REVEILLE_ALIASES", "Web = acme/web, =x, nothing; site=https://example.com/a.git"),
        ("REVEILLE_CHECKS", " make   proof "),
        ("REVEILLE_CEILING_NATIVE", "YES"),
    ]));
    assert_eq!((options.main.ceiling, options.main.ceiling_is_default), (Mark::Tokens(1_500_000), false));
    assert_eq!((options.agent.ceiling, options.agent.start), (Mark::Tokens(80_000), Mark::Share(1.0)));
    assert_eq!((options.manual, options.ceiling_native), (Manual::Handoff, true));
    assert_eq!(options.ignore_models, ["Haiku", "SONNET"]);
    assert_eq!(options.checks.first().unwrap().words, ["make", "proof"]);
    let aliases: Vec<_> = options.aliases.iter().map(|(name, target)| (name.as_str(), target.as_str())).collect();
    assert_eq!(aliases, [("site", "https://example.com/a.git"), ("web", "acme/web")]);
    assert_eq!(options.faults.len(), 1, "the aliases' parts: {:?}", options.faults);
    let refused = Options::read(&set(&[("REVEILLE_MAIN_CEILING", "0")]));
    assert!(refused.main.ceiling_is_default, "a ceiling that is refused is the default");
}

#[test]
fn a_start_past_the_ceiling_is_the_fault_of_the_one_that_was_set() {
    for (start, ceiling, in_force, at_fault) in [
        ("90%", "", ("40%", "85%"), &["main_nudge_start"][..]),
        ("", "30%", ("40%", "85%"), &["main_ceiling"]),
        ("60%", "50%", ("40%", "50%"), &["main_nudge_start"]),
        ("60%", "30%", ("40%", "85%"), &["main_nudge_start", "main_ceiling"]),
        ("90k", "80k", ("40%", "80k"), &["main_nudge_start"]),
        ("90k", "50%", ("90k", "50%"), &[]),
        ("50%", "50%", ("50%", "50%"), &[]),
        ("20%", "30%", ("20%", "30%"), &[]),
        ("101%", "90%", ("40%", "90%"), &["main_nudge_start"]),
    ] {
        let given = set(&[("REVEILLE_MAIN_NUDGE_START", start), ("CLAUDE_PLUGIN_OPTION_MAIN_CEILING", ceiling)]);
        let options = resolved(&given);
        let value = |name: &str| options.iter().find(|option| option.name == name).unwrap().value.clone();
        assert_eq!((value("main_nudge_start").as_str(), value("main_ceiling").as_str()), in_force, "{start} {ceiling}");
        let faulty: Vec<_> = options.iter().filter(|option| option.fault.is_some()).map(|option| option.name).collect();
        assert_eq!(faulty, at_fault, "{start} {ceiling}");
    }
}

#[test]
fn a_blank_value_and_the_clients_placeholder_set_nothing() {
    for nothing in ["", "  ", "\n", "${user_config.manual}", " ${user_config.manual} "] {
        let given = set(&[("REVEILLE_MANUAL", nothing), ("CLAUDE_PLUGIN_OPTION_MANUAL", "handoff")]);
        assert_eq!(one(&given, "manual").origin, Origin::UserConfig, "{nothing:?}");
        let given = set(&[("CLAUDE_PLUGIN_OPTION_MANUAL", nothing)]);
        assert_eq!((one(&given, "manual").origin, Options::read(&given).faults), (Origin::Default, vec![]), "{nothing:?}");
    }
}

#[test]
fn a_secret_in_a_value_is_told_by_nobody() {
    let secret = format!("ghp_{}", "a1B2".repeat(9));
    let given = set(&[("REVEILLE_ALIASES", &format!("web=https://me:{secret}@example.com/a/b, {secret}")), ("REVEILLE_MANUAL", &secret)]);
    let told = format!("{:?} {:?}", resolved(&given), Options::read(&given).faults);
    assert!(!told.contains(&secret), "{told}");
}

proptest! {
    #[test]
    fn whatever_is_set_each_option_is_named_at_most_once_and_stays_usable(
        values in prop::collection::vec((0..TABLE.len(), any::<bool>(), prop_oneof![".*", "[0-9.]{0,25}[%kKmM]{0,2}", "[a-z=,; ]{0,20}", "-?[0-9]{1,12}"]), 0..12)
    ) {
        let given: Vec<(String, String)> = values
            .into_iter()
            .map(|(index, is_setting, value)| {
                let row = TABLE.get(index).unwrap();
                (if is_setting { row.setting_variable() } else { row.variable() }, value)
            })
            .collect();
        let options = Options::read(&given);
        let shown = resolved(&given);
        prop_assert_eq!(shown.len(), TABLE.len());
        let at_fault: Vec<&str> = options.faults.iter().map(|fault| fault.split(' ').next().unwrap_or_default()).collect();
        prop_assert_eq!(at_fault.iter().collect::<BTreeSet<_>>().len(), at_fault.len());
        prop_assert_eq!(at_fault.len(), shown.iter().filter(|option| option.fault.is_some() && option.remedy.is_some()).count());
        for marks in [options.main, options.agent] {
            for mark in [marks.step, marks.ceiling] {
                let is_usable = match mark {
                    Mark::Share(share) => share > 0.0 && share <= 1.0,
                    Mark::Tokens(tokens) => tokens > 0,
                };
                prop_assert!(is_usable);
            }
            prop_assert!(!matches!((marks.start, marks.ceiling), (Mark::Share(from), Mark::Share(to)) if from > to));
        }
        prop_assert!(options.retention_days > 0);
        // A size, a choice and a number of days can be written back as shown; free text is shown without what nobody can see.
        let is_free = |name: &str| ["ignore_models", "keep_skills", "aliases", "checks", "log_dir"].contains(&name);
        let again: Vec<(String, String)> = shown
            .iter()
            .filter(|option| option.origin != Origin::Default && option.fault.is_none() && !is_free(option.name))
            .map(|option| (option.variable.clone(), option.value.clone()))
            .collect();
        prop_assert!(Options::read(&again).faults.iter().all(|fault| fault.contains("ceiling") || fault.contains("first nudge")), "{:?}", again);
    }
}
