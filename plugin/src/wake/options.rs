//! Options: one table of names, variables, syntax and defaults.

use std::collections::BTreeMap;

/// What can be set. `REVEILLE_<NAME>` wins over what the plugin's settings set, which arrives as `CLAUDE_PLUGIN_OPTION_<NAME>`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Other names of repositories, in lower case, and what each stands for: a display key or a remote URL. Written `name=owner/repo, other=https://…`.
    pub aliases: BTreeMap<String, String>,
}

/// Reads the options from variables as set. A part that is not of the syntax is left out.
pub fn read(variables: &[(String, String)]) -> Options {
    let value = |name: &str| {
        ["REVEILLE_", "CLAUDE_PLUGIN_OPTION_"]
            .iter()
            .find_map(|prefix| {
                variables.iter().find(|(variable, value)| *variable == format!("{prefix}{name}") && !value.trim().is_empty())
            })
            .map(|(_, value)| value.as_str())
    };
    let aliases = value("ALIASES")
        .into_iter()
        .flat_map(|text| text.split([',', '\n', ';']))
        .filter_map(|part| part.split_once('='))
        .map(|(name, target)| (name.trim().to_lowercase(), target.trim().to_owned()))
        .filter(|(name, target)| !name.is_empty() && !target.is_empty())
        .collect();
    Options { aliases }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_wins_over_the_settings_and_parts_of_another_syntax_are_left_out() {
        let variables = [
            ("CLAUDE_PLUGIN_OPTION_ALIASES".to_owned(), "web=acme/other".to_owned()),
            ("REVEILLE_ALIASES".to_owned(), "Web = acme/web, =x, nothing, site=https://example.com/acme/site.git".to_owned()),
        ];
        let aliases: Vec<_> = read(&variables).aliases.into_iter().collect();
        assert_eq!(
            aliases,
            [("site".to_owned(), "https://example.com/acme/site.git".to_owned()), ("web".to_owned(), "acme/web".to_owned())]
        );
    }
}
