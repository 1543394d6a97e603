//! What a shell's status says of each check in a command line.
//!
//! A flow is the command line with everything but its checks and runs reduced to the statuses it can end with. Each check is asked: with this
//! outcome, can the whole line end as it ended? What remains possible is what is known. Checks stand once each and independently, so one pass
//! over the flow answers exactly.

use serde::{Deserialize, Serialize};

use super::shell::{Errexit, Exit, Join};

/// A set of ways in which a command can end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ends(u8);

impl Ends {
    /// With status zero.
    pub const ZERO: Self = Self(1);
    /// With another status.
    pub const FAIL: Self = Self(2);
    /// With any status.
    pub const ANY: Self = Self(3);
    /// The whole shell ends with status zero.
    const EXIT_ZERO: Self = Self(4);
    /// The whole shell ends with another status.
    const EXIT_FAIL: Self = Self(8);
    /// The whole shell ends with the status before this.
    const EXIT_SAME: Self = Self(16);

    /// How `exit` ends.
    pub const fn exit(exit: Exit) -> Self {
        match exit {
            Exit::Success => Self::EXIT_ZERO,
            Exit::Failure => Self::EXIT_FAIL,
            Exit::Same => Self::EXIT_SAME,
            Exit::Unknown => Self(12),
        }
    }

    const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    const fn when(self, condition: bool) -> Self {
        if condition { self } else { Self(0) }
    }

    const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    const fn exits(self) -> Self {
        Self(self.0 & 12)
    }

    const fn any(self) -> bool {
        self.0 != 0
    }

    /// These, after a command that ended with this status.
    const fn after(self, zero: bool) -> Self {
        let same = if zero { Self::EXIT_ZERO } else { Self::EXIT_FAIL };
        Self(self.0 & 15).or(same.when(self.has(Self::EXIT_SAME)))
    }

    /// `exit` as the end of a shell of its own.
    const fn isolated(self) -> Self {
        let zero = Self::ZERO.when(self.0 & 21 != 0);
        let fail = Self::FAIL.when(self.0 & 26 != 0);
        zero.or(fail)
    }

    const fn swapped(self) -> Self {
        Self(self.0 & 28).or(Self::ZERO.when(self.has(Self::FAIL))).or(Self::FAIL.when(self.has(Self::ZERO)))
    }
}

/// One step of a flow, in postfix order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Op {
    /// The check or run of this index.
    Leaf(u16),
    /// Something else, which ends in one of these ways.
    Ends(Ends),
    /// `cd` and its like: succeeds unless the output says otherwise.
    Assumed,
    /// Joins the newest values into one.
    Join(Join),
}

/// What may have become of one check or run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcomes(u8);

impl Outcomes {
    /// It was never started.
    pub const SKIPPED: Self = Self(1);
    /// It ended with status zero.
    pub const PASSED: Self = Self(2);
    /// It ended with another status.
    pub const FAILED: Self = Self(4);
    /// It was started.
    pub const RAN: Self = Self(6);
    /// Nothing is known.
    pub const ANY: Self = Self(7);

    /// Both sets together.
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether this is one of them.
    pub const fn allows(self, other: Self) -> bool {
        self.has(other)
    }

    const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// How the values of a flow can end, and whether all of it may have been passed over.
#[derive(Clone, Copy, Debug)]
struct Value {
    skip: bool,
    ends: Ends,
}

/// Whether a line can end so (`succeeded`; none is either) when its checks had these outcomes. `doubted` says that the output names a failed `cd`.
pub fn possible(flow: &[Op], outcomes: &[Outcomes], succeeded: Option<bool>, doubted: bool) -> bool {
    let Some(value) = evaluate(flow, outcomes, doubted) else { return true };
    let ends = value.ends.isolated();
    match succeeded {
        Some(true) => ends.has(Ends::ZERO),
        Some(false) => ends.has(Ends::FAIL),
        None => ends.any(),
    }
}

fn evaluate(flow: &[Op], outcomes: &[Outcomes], doubted: bool) -> Option<Value> {
    let mut stack: Vec<Value> = Vec::new();
    for op in flow {
        let value = match *op {
            Op::Leaf(index) => {
                let outcome = outcomes.get(usize::from(index)).copied().unwrap_or(Outcomes::ANY);
                Value {
                    skip: outcome.has(Outcomes::SKIPPED),
                    ends: Ends::ZERO.when(outcome.has(Outcomes::PASSED)).or(Ends::FAIL.when(outcome.has(Outcomes::FAILED))),
                }
            }
            Op::Ends(ends) => Value { skip: true, ends },
            Op::Assumed => Value { skip: true, ends: if doubted { Ends::ANY } else { Ends::ZERO } },
            Op::Join(join) => {
                let operands = stack.split_off(stack.len().checked_sub(operand_count(join))?);
                joined(join, &operands)?
            }
        };
        stack.push(value);
    }
    stack.pop()
}

/// How many values a join takes.
pub const fn operand_count(join: Join) -> usize {
    match join {
        Join::Sequence(_) | Join::And | Join::Or => 2,
        Join::Not | Join::Background | Join::Isolate | Join::Loop { .. } | Join::Function => 1,
        Join::If { otherwise } => {
            if otherwise {
                3
            } else {
                2
            }
        }
        Join::Pipe { count, .. } | Join::Choice(count) => count as usize,
    }
}

fn joined(join: Join, operands: &[Value]) -> Option<Value> {
    let skip = operands.iter().all(|operand| operand.skip);
    let ends = match (join, operands) {
        (Join::Sequence(errexit), [left, right]) => {
            let zero = right.ends.after(true).when(left.ends.has(Ends::ZERO));
            let fail = right.ends.after(false).when(left.ends.has(Ends::FAIL) && errexit != Errexit::On);
            let ended = Ends::EXIT_FAIL.when(left.ends.has(Ends::FAIL) && errexit != Errexit::Off && right.skip);
            zero.or(fail).or(ended).or(left.ends.exits().when(right.skip))
        }
        (Join::And, [left, right]) => {
            let zero = right.ends.after(true).when(left.ends.has(Ends::ZERO));
            zero.or(Ends::FAIL.when(left.ends.has(Ends::FAIL) && right.skip)).or(left.ends.exits().when(right.skip))
        }
        (Join::Or, [left, right]) => {
            let fail = right.ends.after(false).when(left.ends.has(Ends::FAIL));
            fail.or(Ends::ZERO.when(left.ends.has(Ends::ZERO) && right.skip)).or(left.ends.exits().when(right.skip))
        }
        (Join::Not, [value]) => value.ends.swapped(),
        (Join::Background, [value]) => Ends::ZERO.when(value.ends.any()),
        (Join::Isolate, [value]) => value.ends.isolated(),
        (Join::Function, [value]) => Ends::ZERO.when(value.skip || value.ends.any()),
        (Join::Loop { once }, [value]) => {
            let normal = Ends::ANY.when(value.ends.has(Ends::ANY));
            normal.or(value.ends.after(true).exits()).or(Ends::ZERO.when(!once && value.skip))
        }
        (Join::If { .. }, [condition, then, rest @ ..]) => {
            let otherwise = rest.first();
            let then_ends = then.ends.after(true).when(condition.ends.has(Ends::ZERO) && otherwise.is_none_or(|otherwise| otherwise.skip));
            let else_ends =
                otherwise.map_or(Ends::ZERO, |otherwise| otherwise.ends.after(false)).when(condition.ends.has(Ends::FAIL) && then.skip);
            then_ends.or(else_ends).or(condition.ends.exits().when(then.skip && otherwise.is_none_or(|otherwise| otherwise.skip)))
        }
        (Join::Choice(_), bodies) => {
            let busy = bodies.iter().filter(|body| !body.skip).count();
            let mut ends = Ends::ZERO.when(busy == 0);
            for body in bodies {
                ends = ends.or(body.ends.after(true).when(busy == usize::from(!body.skip)));
            }
            ends
        }
        (Join::Pipe { pipefail, .. }, sides) => {
            let last = sides.last()?.ends.isolated();
            if !sides.iter().all(|side| side.ends.any()) {
                Ends(0)
            } else if pipefail {
                let all_zero = sides.iter().all(|side| side.ends.isolated().has(Ends::ZERO));
                let one_fails = sides.iter().any(|side| side.ends.isolated().has(Ends::FAIL));
                Ends::ZERO.when(all_zero).or(Ends::FAIL.when(one_fails))
            } else {
                last
            }
        }
        _ => return None,
    };
    Some(Value { skip, ends })
}

/// Builds a flow, reducing what holds no check to the ways it can end.
#[derive(Debug, Default)]
pub struct Builder {
    ops: Vec<Op>,
    /// For each value on the stack: where its ops begin, and whether they are more than one end.
    values: Vec<(usize, bool)>,
}

impl Builder {
    /// Adds a value.
    pub fn value(&mut self, op: Op) {
        self.values.push((self.ops.len(), !matches!(op, Op::Ends(_))));
        self.ops.push(op);
    }

    /// Joins the newest values.
    pub fn join(&mut self, join: Join) {
        let count = operand_count(join);
        let Some(kept) = self.values.len().checked_sub(count) else { return };
        let operands = self.values.split_off(kept);
        let (Some(&(from, _)), held) = (operands.first(), operands.iter().any(|&(_, held)| held)) else { return };
        self.ops.push(Op::Join(join));
        if !held {
            let ends = evaluate(self.ops.get(from..).unwrap_or_default(), &[], false).map_or(Ends::ANY, |value| value.ends);
            self.ops.truncate(from);
            self.ops.push(Op::Ends(ends));
        }
        self.values.push((from, held));
    }

    /// The flow: one value.
    pub fn finish(self) -> Vec<Op> {
        self.ops
    }
}
