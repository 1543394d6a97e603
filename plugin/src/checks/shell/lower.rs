//! The parser's nodes as steps. Iterative: the stack of the component is one mebibyte.

use rable::{ListOperator, Node, NodeKind};

use super::split::assignment;
use super::{Errexit, Exit, Join, Options, Redirect, Scope, Simple, Step, Word};

/// Here-documents are kept up to this many bytes.
const MAX_INPUT: usize = 64 * 1024;

enum Work<'a> {
    Node(&'a Node),
    Emit(Step),
    /// The right side of `;` begins: whether `set -e` holds is settled here.
    Semicolon,
    /// The right side of `;` ended.
    Sequence {
        left_is_chain: bool,
    },
    /// A pipe begins: whether `pipefail` holds is settled here.
    PipeStart,
    Pipe(u16),
}

struct Lowering<'a> {
    work: Vec<Work<'a>>,
    steps: Vec<Step>,
    options: Options,
    saved: Vec<Options>,
    settled: Vec<bool>,
}

/// The steps of top-level nodes.
pub fn steps(nodes: &[Node], options: Options) -> Vec<Step> {
    let mut lowering = Lowering { work: Vec::new(), steps: Vec::new(), options, saved: Vec::new(), settled: Vec::new() };
    let items = nodes.iter().map(|node| (node, None)).collect();
    lowering.list(items);
    while let Some(work) = lowering.work.pop() {
        lowering.step(work);
    }
    lowering.steps
}

type Item<'a> = (&'a Node, Option<ListOperator>);

/// Nested lists as one, in order; comments are nothing.
fn flattened(items: Vec<Item<'_>>) -> Vec<Item<'_>> {
    let mut flat = Vec::new();
    let mut stack: Vec<Item<'_>> = items.into_iter().rev().collect();
    while let Some((node, operator)) = stack.pop() {
        match &node.kind {
            NodeKind::List { items } => {
                let last = items.len().saturating_sub(1);
                for (index, item) in items.iter().enumerate().rev() {
                    stack.push((&item.command, if index == last { item.operator.or(operator) } else { item.operator }));
                }
            }
            NodeKind::Comment { .. } | NodeKind::Empty => {}
            _ => flat.push((node, operator)),
        }
    }
    flat
}

impl<'a> Lowering<'a> {
    fn plan(&mut self, plan: Vec<Work<'a>>) {
        self.work.extend(plan.into_iter().rev());
    }

    fn list(&mut self, items: Vec<Item<'a>>) {
        let mut plan = Vec::new();
        let mut group: Vec<Item<'a>> = Vec::new();
        // Whether the group on the left is a chain of && and ||.
        let mut left = None;
        for (node, operator) in flattened(items) {
            group.push((node, operator));
            if matches!(operator, Some(ListOperator::And | ListOperator::Or)) {
                continue;
            }
            Self::group(&mut plan, std::mem::take(&mut group), &mut left);
        }
        if !group.is_empty() {
            Self::group(&mut plan, group, &mut left);
        }
        if left.is_none() {
            plan.push(Work::Emit(Step::Nothing));
        }
        self.plan(plan);
    }

    fn group(plan: &mut Vec<Work<'a>>, group: Vec<Item<'a>>, left: &mut Option<bool>) {
        if left.is_some() {
            plan.push(Work::Semicolon);
        }
        let background = matches!(group.last(), Some((_, Some(ListOperator::Background))));
        if background {
            plan.push(Work::Emit(Step::Enter(Scope::Background)));
        }
        let chain = group.len() > 1;
        let mut join = None;
        for (node, operator) in group {
            plan.push(Work::Node(node));
            if let Some(join) = join {
                plan.push(Work::Emit(Step::Join(join)));
            }
            join = match operator {
                Some(ListOperator::And) => Some(Join::And),
                Some(ListOperator::Or) => Some(Join::Or),
                _ => None,
            };
        }
        if background {
            plan.push(Work::Emit(Step::Leave));
            plan.push(Work::Emit(Step::Join(Join::Background)));
        }
        if let Some(left_is_chain) = left.replace(chain) {
            plan.push(Work::Sequence { left_is_chain });
        }
    }

    fn step(&mut self, work: Work<'a>) {
        match work {
            Work::Node(node) => self.node(node),
            Work::Semicolon => self.settled.push(self.options.errexit),
            Work::Sequence { left_is_chain } => {
                let errexit = match (self.settled.pop(), left_is_chain) {
                    (Some(true), false) => Errexit::On,
                    (Some(true), true) => Errexit::Perhaps,
                    _ => Errexit::Off,
                };
                self.steps.push(Step::Join(Join::Sequence(errexit)));
            }
            Work::PipeStart => self.settled.push(self.options.pipefail),
            Work::Pipe(count) => {
                let pipefail = self.settled.pop().unwrap_or_default();
                self.steps.push(Step::Join(Join::Pipe { count, pipefail }));
            }
            Work::Emit(step) => {
                match &step {
                    Step::Enter(_) => self.saved.push(self.options),
                    Step::Leave => self.options = self.saved.pop().unwrap_or(self.options),
                    Step::Simple(simple) => self.set(simple),
                    _ => {}
                }
                self.steps.push(step);
            }
        }
    }

    /// `set -e`, `set -euo pipefail`, `set +e`.
    fn set(&mut self, simple: &Simple) {
        let mut words = simple.words.iter().map(|word| word.text.as_str());
        if words.next() != Some("set") {
            return;
        }
        let mut named: Option<bool> = None;
        for word in words {
            if let Some(on) = named.take() {
                match word {
                    "pipefail" => self.options.pipefail = on,
                    "errexit" => self.options.errexit = on,
                    _ => {}
                }
                continue;
            }
            let (on, letters) = match (word.strip_prefix('-'), word.strip_prefix('+')) {
                (Some(letters), _) => (true, letters),
                (_, Some(letters)) => (false, letters),
                _ => return,
            };
            if letters.contains('e') {
                self.options.errexit = on;
            }
            if letters.contains('o') {
                named = Some(on);
            }
        }
    }

    fn node(&mut self, node: &'a Node) {
        let isolated = |body: &'a Node| {
            vec![Work::Emit(Step::Enter(Scope::Subshell)), Work::Node(body), Work::Emit(Step::Leave), Work::Emit(Step::Join(Join::Isolate))]
        };
        match &node.kind {
            NodeKind::Command { assignments, words, redirects } => self.command(assignments, words, redirects),
            NodeKind::List { items } => self.list(items.iter().map(|item| (&item.command, item.operator)).collect()),
            NodeKind::Pipeline { commands, .. } => {
                let mut plan = vec![Work::PipeStart];
                for command in commands {
                    plan.push(Work::Emit(Step::Enter(Scope::Subshell)));
                    plan.push(Work::Node(command));
                    plan.push(Work::Emit(Step::Leave));
                }
                plan.push(Work::Pipe(u16::try_from(commands.len()).unwrap_or(u16::MAX)));
                self.plan(plan);
            }
            NodeKind::Subshell { body, redirects } => {
                self.redirects(redirects);
                self.plan(isolated(body));
            }
            NodeKind::BraceGroup { body, redirects } => {
                self.redirects(redirects);
                self.plan(vec![Work::Node(body)]);
            }
            NodeKind::If { condition, then_body, else_body, redirects } => {
                self.redirects(redirects);
                let mut plan = vec![Work::Node(condition), Work::Node(then_body)];
                plan.extend(else_body.as_deref().map(Work::Node));
                plan.push(Work::Emit(Step::Join(Join::If { otherwise: else_body.is_some() })));
                self.plan(plan);
            }
            NodeKind::While { condition, body, redirects } | NodeKind::Until { condition, body, redirects } => {
                self.redirects(redirects);
                self.plan(vec![
                    Work::Node(condition),
                    Work::Node(body),
                    Work::Emit(Step::Join(Join::Sequence(Errexit::Off))),
                    Work::Emit(Step::Join(Join::Loop { once: false })),
                ]);
            }
            NodeKind::For { words, body, redirects, .. } => {
                self.redirects(redirects);
                let once =
                    words.iter().flatten().any(|word| matches!(&word.kind, NodeKind::Word { value, .. } if !Word::new(value).expands));
                self.plan(vec![Work::Node(body), Work::Emit(Step::Join(Join::Loop { once }))]);
            }
            NodeKind::ForArith { body, redirects, .. } | NodeKind::Select { body, redirects, .. } => {
                self.redirects(redirects);
                self.plan(vec![Work::Node(body), Work::Emit(Step::Join(Join::Loop { once: false }))]);
            }
            NodeKind::Case { patterns, redirects, .. } => {
                self.redirects(redirects);
                let mut plan = Vec::new();
                for body in patterns.iter().filter_map(|pattern| pattern.body.as_ref()) {
                    plan.push(Work::Node(body));
                }
                let count = u16::try_from(plan.len()).unwrap_or(u16::MAX);
                plan.push(Work::Emit(if count == 0 { Step::Nothing } else { Step::Join(Join::Choice(count)) }));
                self.plan(plan);
            }
            NodeKind::Function { body, .. } => {
                let mut plan = isolated(body);
                plan.push(Work::Emit(Step::Join(Join::Function)));
                self.plan(plan);
            }
            NodeKind::Coproc { command, .. } => self.plan(vec![
                Work::Emit(Step::Enter(Scope::Background)),
                Work::Node(command),
                Work::Emit(Step::Leave),
                Work::Emit(Step::Join(Join::Background)),
            ]),
            NodeKind::Negation { pipeline } => self.plan(vec![Work::Node(pipeline), Work::Emit(Step::Join(Join::Not))]),
            NodeKind::Time { pipeline, .. } => self.plan(vec![Work::Node(pipeline)]),
            NodeKind::ConditionalExpr { redirects, .. } | NodeKind::ArithmeticCommand { redirects, .. } => {
                self.redirects(redirects);
                self.steps.push(Step::Test);
            }
            NodeKind::Comment { .. } | NodeKind::Empty => self.steps.push(Step::Nothing),
            _ => self.steps.push(Step::Unknown),
        }
    }

    fn redirects(&mut self, redirects: &[Node]) {
        self.steps.extend(redirects.iter().filter_map(written).map(Step::Redirect));
    }

    fn command(&mut self, assignments: &'a [Node], words: &'a [Node], redirects: &'a [Node]) {
        let mut plan = Vec::new();
        let mut substitutions = 0;
        let targets = redirects.iter().filter_map(|node| match &node.kind {
            NodeKind::Redirect { target, .. } => Some(target.as_ref()),
            _ => None,
        });
        for node in assignments.iter().chain(words).chain(targets) {
            let NodeKind::Word { parts, .. } = &node.kind else { continue };
            for part in parts {
                let (NodeKind::CommandSubstitution { command, .. } | NodeKind::ProcessSubstitution { command, .. }) = &part.kind else {
                    continue;
                };
                plan.push(Work::Emit(Step::Enter(Scope::Subshell)));
                plan.push(Work::Node(command));
                plan.push(Work::Emit(Step::Leave));
                plan.push(Work::Emit(Step::Join(Join::Isolate)));
                if substitutions > 0 {
                    plan.push(Work::Emit(Step::Join(Join::Sequence(Errexit::Off))));
                }
                substitutions += 1;
            }
        }
        let simple = simple(assignments, words, redirects);
        // The status of an assignment alone is its last substitution's, so the assignment's own value comes first.
        let alone = simple.words.is_empty();
        let own = Work::Emit(exit(&simple).unwrap_or(Step::Simple(simple)));
        if alone {
            plan.insert(0, own);
        } else {
            plan.push(own);
        }
        if substitutions > 0 {
            plan.push(Work::Emit(Step::Join(Join::Sequence(Errexit::Off))));
        }
        self.plan(plan);
    }
}

fn exit(simple: &Simple) -> Option<Step> {
    let mut words = simple.words.iter().map(|word| word.text.as_str());
    if words.next() != Some("exit") {
        return None;
    }
    Some(Step::Exit(match words.next() {
        None | Some("$?") => Exit::Same,
        Some("0") => Exit::Success,
        Some(status) if status.parse::<u32>().is_ok() => Exit::Failure,
        Some(_) => Exit::Unknown,
    }))
}

fn simple(assignments: &[Node], words: &[Node], redirects: &[Node]) -> Simple {
    let raw = |node: &Node| match &node.kind {
        NodeKind::Word { value, .. } => Some(value.clone()),
        _ => None,
    };
    Simple {
        assignments: assignments
            .iter()
            .filter_map(raw)
            .filter_map(|raw| assignment(&raw).map(|(name, value)| (name.to_owned(), Word::new(value))))
            .collect(),
        words: words.iter().filter_map(raw).map(|raw| Word::new(&raw)).collect(),
        redirects: redirects.iter().filter_map(written).collect(),
        input: redirects.iter().find_map(|node| match &node.kind {
            NodeKind::HereDoc { content, .. } if content.len() <= MAX_INPUT => Some(content.clone()),
            _ => None,
        }),
    }
}

/// The file that a redirection writes.
fn written(node: &Node) -> Option<Redirect> {
    let NodeKind::Redirect { op, target, .. } = &node.kind else { return None };
    if !matches!(op.as_str(), ">" | ">>" | ">|" | "&>" | "&>>" | ">&" | "<>") {
        return None;
    }
    let NodeKind::Word { value, .. } = &target.kind else { return None };
    let target = Word::new(value);
    let descriptor = op == ">&" && (target.text == "-" || target.text.trim_end_matches('-').parse::<u32>().is_ok());
    (!descriptor && !target.text.starts_with("/dev/") && !target.text.starts_with(">(")).then_some(Redirect { target })
}
