//! What action a promise names: its verb, what it acts on, and what it names exactly.

use serde::{Deserialize, Serialize};

use super::words::{Stem, Word, add_content, add_stems_of_name, plain_stem, stands};

/// Actions in one promise that are told apart.
const PARTS: usize = 4;
/// Stems of what one part is about.
const OBJECTS: usize = 12;

/// One action promised.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// What kind of action keeps it.
    pub deed: Deed,
    /// The stem of the verb.
    pub verb: Stem,
    /// What it acts on; empty when that is only "it" or "this".
    pub objects: Vec<Stem>,
    /// What is named exactly, as stems: a command, a file, a branch.
    pub named: Vec<Vec<Stem>>,
    /// Whether it names something that later records would show.
    pub can_be_seen: bool,
}

/// Kinds of actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Deed {
    /// Run a command.
    Run,
    /// Run tests or another check.
    Check,
    /// Commit.
    Commit,
    /// Push.
    Push,
    /// Merge or rebase.
    Merge,
    /// Open a pull request.
    PullRequest,
    /// Change files.
    Change,
    /// Remove something.
    Remove,
    /// Read or search.
    Look,
    /// A verb that is not known.
    Other,
}

fn deed(verb: &str) -> Option<Deed> {
    let verb = verb.strip_prefix("re-").unwrap_or(verb);
    Some(match verb {
        "run" | "rerun" | "running" | "execute" | "retry" | "launch" | "start" | "restart" | "redo" | "kick" | "invoke" | "repeat"
        | "deploy" | "release" | "publish" | "build" | "rebuild" | "regenerate" | "generate" | "install" | "reinstall" | "benchmark"
        | "measure" | "profile" | "download" | "fetch" | "apply" | "seed" | "tag" | "sync" | "pull" | "checkout" | "switch" | "set"
        | "format" => Deed::Run,
        "test" | "retest" | "lint" | "typecheck" | "verify" | "validate" => Deed::Check,
        "commit" | "recommit" | "amend" => Deed::Commit,
        "push" => Deed::Push,
        "merge" | "rebase" | "squash" | "cherry-pick" => Deed::Merge,
        "add" | "write" | "create" | "implement" | "update" | "edit" | "fix" | "change" | "refactor" | "rename" | "document" | "move"
        | "extract" | "replace" | "convert" | "wire" | "bump" | "extend" | "finish" | "tackle" | "handle" | "adjust" | "simplify"
        | "port" | "migrate" | "rewrite" | "patch" | "restore" | "revert" | "make" | "address" | "improve" | "split" | "correct"
        | "cover" | "expand" | "clarify" | "tighten" | "harden" | "introduce" | "enable" | "disable" | "cleanup" | "repair" | "resolve"
        | "put" | "swap" | "upgrade" | "downgrade" | "pin" | "inline" | "complete" | "rework" | "draft" | "design" | "turn" | "hook"
        | "configure" | "support" | "include" | "align" | "backfill" | "tidy" | "polish" | "do" => Deed::Change,
        "delete" | "remove" | "drop" | "prune" | "clean" | "strip" | "uninstall" | "kill" | "close" | "archive" | "retire"
        | "deprecate" => Deed::Remove,
        "look" | "read" | "check" | "inspect" | "see" | "investigate" | "review" | "examine" | "explore" | "search" | "find" | "grep"
        | "trace" | "dig" | "confirm" | "study" | "debug" | "diagnose" | "compare" | "revisit" | "recheck" | "double-check" | "audit"
        | "analyze" | "analyse" | "scan" | "open" | "monitor" | "watch" => Deed::Look,
        _ => return None,
    })
}

/// Whatever is done about it next keeps it.
const RETURNS: &[&str] = &[
    "take a look at",
    "take another look at",
    "have a look at",
    "pick up with",
    "pick up",
    "come back to",
    "get back to",
    "return to",
    "circle back to",
    "get to",
    "move on to",
    "go back to",
    "turn to",
];

/// Verbs that are no action a record could show.
const NO_DEED: &[&str] = &[
    "mark",
    "wrap",
    "be",
    "need",
    "assume",
    "wait",
    "leave",
    "hold",
    "stand",
    "stay",
    "keep",
    "let",
    "admit",
    "say",
    "note",
    "mention",
    "call",
    "guess",
    "bet",
    "want",
    "have",
    "remember",
    "know",
    "get",
    "explain",
    "summarize",
    "summarise",
    "describe",
    "tell",
    "report",
    "share",
    "show",
    "list",
    "present",
    "answer",
    "reply",
    "respond",
    "walk",
    "ping",
    "ask",
    "pause",
    "think",
    "consider",
    "treat",
    "respect",
    "avoid",
    "follow",
    "help",
    "take",
    "give",
    "go",
    "proceed",
    "continue",
    "begin",
    "work",
    "focus",
    "use",
    "stick",
    "prefer",
    "pick",
    "choose",
    "skip",
    "ignore",
    "rely",
    "trust",
    "expect",
    "see",
    "like",
    "love",
    "hope",
    "try",
    "notify",
    "post",
    "send",
    "provide",
    "stop",
    "outline",
    "propose",
    "suggest",
    "recommend",
    "refrain",
    "defer",
    "apologize",
    "flag",
    "point",
    "highlight",
    "return",
    "end",
    "come",
    "quote",
    "cite",
    "recap",
    "plan",
    "decide",
    "it",
    "the",
    "a",
    "an",
    "this",
    "that",
];

/// The actions that begin with the verb at `verb`; none when it is no action. `listed`: a noun alone names one too.
pub fn parts(words: &[Word], verb: usize, listed: bool) -> Vec<Part> {
    if let Some(back) = RETURNS.iter().find(|phrase| stands(words, verb, phrase)) {
        return vec![part(words, verb + back.split(' ').count() - 1, Deed::Other).0];
    }
    if listed && words.get(verb).is_some_and(|word| deed(&word.text).is_none()) {
        let (mut first, _) = part(words, verb, Deed::Other);
        if let Some(word) = words.get(verb) {
            add_content(word, &mut first.objects);
        }
        return vec![first];
    }
    let mut parts = Vec::new();
    let mut at = verb;
    while parts.len() < PARTS
        && let Some(word) = words.get(at)
    {
        let known = deed(&word.text);
        // The first verb decides whether the sentence promises an action at all.
        if parts.is_empty()
            && (word.foreign
                || known.is_none() && NO_DEED.contains(&word.text.as_str())
                || word.text.contains('\'')
                || is_for_person(words, at))
        {
            return parts;
        }
        let (part, next) = part(words, at, known.unwrap_or(Deed::Other));
        parts.push(part);
        match next {
            Some(next) => at = next,
            None => break,
        }
    }
    parts
}

/// "I'll show you", "I'll update you": done by saying it.
fn is_for_person(words: &[Word], verb: usize) -> bool {
    words.get(verb + 1).is_some_and(|word| matches!(word.text.as_str(), "you" | "sure"))
        || [
            "start by",
            "start with",
            "set aside",
            "make do",
            "look forward",
            "do my best",
            "do so",
            "find out",
            "make a note",
            "do this now",
            "do that now",
        ]
        .iter()
        .any(|phrase| stands(words, verb, phrase))
}

/// One verb with its objects, and where the next verb stands.
fn part(words: &[Word], verb: usize, deed: Deed) -> (Part, Option<usize>) {
    const ENDS: &[&str] = &[
        "once",
        "when",
        "whenever",
        "after",
        "before",
        "until",
        "till",
        "if",
        "so",
        "because",
        "since",
        "while",
        "which",
        "as",
        "unless",
        "later",
        "tomorrow",
        "next",
        "first",
        "and",
        "then",
        "but",
        "or",
        "in a follow-up",
    ];
    const TIMES: &[&str] =
        &["session", "follow-up", "followup", "turn", "commit", "week", "end", "point", "time", "day", "pr", "pass", "later"];
    let mut objects: Vec<Stem> = Vec::new();
    let mut named: Vec<Vec<Stem>> = Vec::new();
    let mut next = None;
    let mut at = verb + 1;
    let mut pull_request = false;
    let mut span: Vec<Stem> = Vec::new();
    let mut texts: Vec<&str> = Vec::new();
    let mut ended = words.get(verb).is_some_and(|word| word.pause) && is_verb_after(words, verb + 1).is_none();
    while let Some(word) = words.get(at).filter(|_| !ended) {
        let own = !word.foreign;
        if own && matches!(word.text.as_str(), "and" | "then" | "or")
            || words.get(at.saturating_sub(1)).is_some_and(|before| before.pause && at > verb + 1)
        {
            if let Some(found) = is_verb_after(words, at) {
                next = Some(found);
                break;
            }
            if own && word.text == "and" {
                at += 1;
                continue;
            }
        }
        if own
            && (ENDS.contains(&word.text.as_str())
                || stands(words, at, "to") && words.get(at + 1).is_some_and(|word| self::deed(&word.text).is_some()))
        {
            break;
        }
        if own && word.text == "in" && words.iter().skip(at + 1).take(3).any(|word| TIMES.contains(&word.text.as_str())) {
            break;
        }
        if own && matches!(word.text.as_str(), "pr" | "prs") || stands(words, at, "pull request") {
            pull_request = true;
        }
        if word.code {
            add_stems_of_name(&word.text, &mut span);
        } else if word.text.contains('/') || word.text.contains('.') && word.text.len() > 3 {
            let mut stems = Vec::new();
            add_stems_of_name(&word.text, &mut stems);
            named.push(stems);
        }
        if (!word.code || word.pause || !words.get(at + 1).is_some_and(|next| next.code)) && !span.is_empty() {
            named.push(std::mem::take(&mut span));
        }
        texts.push(&word.text);
        if !word.code {
            add_content(word, &mut objects);
        }
        ended = word.pause && is_verb_after(words, at + 1).is_none();
        at += 1;
    }
    if !span.is_empty() {
        named.push(span);
    }
    named.retain(|stems| !stems.is_empty());
    named.truncate(PARTS);
    for stems in &mut named {
        stems.truncate(OBJECTS);
    }
    objects.truncate(OBJECTS);
    let deed = deed_of(deed, words.get(verb).map_or("", |word| word.text.as_str()), &texts, pull_request);
    let shown = ["readme", "changelog", "docs", "documentation", "migration", "branch", "worktree", "version"];
    let can_be_seen = !named.is_empty()
        || matches!(deed, Deed::Commit | Deed::Push | Deed::Merge | Deed::PullRequest | Deed::Check)
        || texts.iter().any(|text| shown.contains(text))
        || texts.iter().any(|text| matches!(*text, "test" | "tests"));
    let verb = plain_stem(words.get(verb).map_or("", |word| word.text.strip_prefix("re-").unwrap_or(&word.text)));
    (Part { deed, verb, objects, named, can_be_seen }, next)
}

/// The verb of the next action when one begins here: "and commit", "then I'll push".
fn is_verb_after(words: &[Word], mut at: usize) -> Option<usize> {
    while words.get(at).is_some_and(|word| {
        !word.foreign && matches!(word.text.as_str(), "and" | "then" | "or" | "also" | "finally" | "i'll" | "i" | "will" | "next")
    }) {
        at += 1;
    }
    let word = words.get(at).filter(|word| !word.foreign)?;
    deed(&word.text).map(|_| at)
}

/// A verb means what its object makes of it: "run the tests", "create a commit".
fn deed_of(deed: Deed, verb: &str, objects: &[&str], pull_request: bool) -> Deed {
    let about = |names: &[&str]| objects.iter().any(|object| names.contains(object));
    match deed {
        Deed::Run if about(&["test", "tests", "lint", "linter", "typecheck", "checks", "specs", "clippy", "pytest", "jest", "vitest"]) => {
            Deed::Check
        }
        Deed::Check if verb == "verify" || verb == "validate" => Deed::Look,
        Deed::Change | Deed::Look | Deed::Other
            if pull_request && matches!(verb, "open" | "create" | "raise" | "make" | "draft" | "submit" | "put" | "file") =>
        {
            Deed::PullRequest
        }
        Deed::Look if verb == "open" => Deed::Other,
        Deed::Change if matches!(verb, "create" | "make" | "do") && about(&["commit"]) => Deed::Commit,
        Deed::Change if verb == "do" => Deed::Other,
        other => other,
    }
}

/// Whether two parts are about the same action.
pub fn same_action(a: &Part, b: &Part) -> bool {
    let named = !a.named.is_empty() && a.named.iter().any(|name| b.named.contains(name));
    let objects = !a.objects.is_empty() && a.objects.len() == b.objects.len() && a.objects.iter().all(|object| b.objects.contains(object));
    let deed = a.verb == b.verb || a.deed == b.deed && a.deed != Deed::Other;
    deed && (named
        || objects
        || a.named.is_empty()
            && b.named.is_empty()
            && a.objects.is_empty()
            && b.objects.is_empty()
            && matches!(a.deed, Deed::Commit | Deed::Push))
}
