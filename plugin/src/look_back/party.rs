//! Whose transcript a question is put to.
//!
//! | session given | agent given | asked by | party | what is searched |
//! |---|---|---|---|---|
//! | no, or the asker's own | no, or the asker's own | a session | the asker | what stands before its last compaction |
//! | no, or the asker's own | another | a session | that sub-agent of it | all |
//! | another | | | a past session of the checkout, or its sub-agent | all |
//! | no | | nobody known | the newest session of the checkout, or its sub-agent | all |

use crate::contract::checkout::Place;
use crate::contract::look_back::{Caller, Fault, Party, Question};
use crate::contract::wake::{Candidate, Occasion, Request, WakeError};
use crate::wake;

/// Whose transcript a question is put to.
pub fn whose(question: &Question, caller: &Caller) -> Party {
    let own = caller.session.as_deref().filter(|id| !id.is_empty());
    let is_own = match &question.session {
        Some(session) => own.is_some_and(|own| own.starts_with(session.as_str())),
        None => own.is_some(),
    };
    if !is_own {
        return Party { session: question.session.clone(), agent: question.agent.clone(), past: true, whole: true };
    }
    // A sub-agent that names the session means the session itself.
    let agent = question.agent.clone().or_else(|| caller.agent.clone().filter(|_| question.session.is_none()));
    Party { session: own.map(str::to_owned), whole: agent != caller.agent, agent, past: false }
}

/// Which of the candidates is the party's session: one of the repository here, as a wake here may be about it.
pub fn choose(party: &Party, here: &Place, candidates: &[Candidate]) -> Result<u32, Fault> {
    let near: Vec<(usize, Candidate)> =
        candidates.iter().cloned().enumerate().filter(|(_, candidate)| wake::is_of_repository(candidate, here)).collect();
    let request = Request {
        occasion: Occasion::Asked,
        callers: Vec::new(),
        session: party.session.clone(),
        repository: None,
        raw: false,
        now: 0,
        home: None,
        options: Vec::new(),
    };
    let among: Vec<Candidate> = near.iter().map(|(_, candidate)| candidate.clone()).collect();
    let chosen = match wake::choose(&request, here, &among) {
        Ok(choice) => choice.session,
        Err(WakeError::AmbiguousSession(sessions)) => return Err(Fault::AmbiguousSession(sessions)),
        Err(WakeError::NoSuchSession(wanted)) => {
            let elsewhere = candidates.iter().find(|candidate| candidate.card.session.starts_with(&wanted));
            return Err(match elsewhere {
                Some(candidate) => Fault::OtherRepository(candidate.card.session.clone()),
                None => Fault::NoSuchSession(wanted),
            });
        }
        Err(WakeError::BadInput(what) | WakeError::NoSuchRepository(what) | WakeError::Other(what)) => {
            return Err(Fault::BadArguments(vec![what]));
        }
    };
    let index = chosen.and_then(|chosen| near.get(usize::try_from(chosen).ok()?)).map(|(index, _)| *index);
    index.and_then(|index| u32::try_from(index).ok()).ok_or(Fault::NoSession)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::contract::look_back::Wish;
    use crate::wake::fixture::{candidate, place};

    #[test]
    fn each_row_of_the_table() {
        let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        for (asked, caller, party, past, whole) in [
            (("", ""), ("s1", ""), ("s1", ""), false, false),
            (("", ""), ("s1", "a1"), ("s1", "a1"), false, false),
            (("", "a1"), ("s1", "a1"), ("s1", "a1"), false, false),
            (("", "a2"), ("s1", "a1"), ("s1", "a2"), false, true),
            (("", "a2"), ("s1", ""), ("s1", "a2"), false, true),
            (("s1", ""), ("s1", ""), ("s1", ""), false, false),
            (("s1", ""), ("s1", "a1"), ("s1", ""), false, true),
            (("s2", ""), ("s1", "a1"), ("s2", ""), true, true),
            (("s2", "a3"), ("s1", ""), ("s2", "a3"), true, true),
            (("", ""), ("", ""), ("", ""), true, true),
            (("", "a1"), ("", ""), ("", "a1"), true, true),
        ] {
            let question = Question { wish: Wish::Query("x".to_owned()), session: text(asked.0), agent: text(asked.1) };
            let found = whose(&question, &Caller { session: text(caller.0), agent: text(caller.1) });
            assert_eq!(found, Party { session: text(party.0), agent: text(party.1), past, whole }, "{asked:?} {caller:?}");
        }
    }

    #[test]
    fn a_past_session_is_one_of_this_repository_by_a_unique_prefix_or_the_newest() {
        let here = place("/home/dev/web", Some("/home/dev/web"));
        let elsewhere = place("/home/dev/api", Some("/home/dev/api"));
        let candidates = [
            candidate("aaaa-1", 10, elsewhere.clone()),
            candidate("aabb-2", 20, here.clone()),
            candidate("aabb-3", 30, here.clone()),
            candidate("cccc-4", 40, elsewhere),
        ];
        let chosen = |session: Option<&str>| {
            choose(&Party { session: session.map(str::to_owned), agent: None, past: true, whole: true }, &here, &candidates)
        };
        assert_eq!(chosen(Some("aabb-2")), Ok(1));
        assert_eq!(chosen(None), Ok(2));
        assert_eq!(chosen(Some("aabb")), Err(Fault::AmbiguousSession(vec!["aabb-3".to_owned(), "aabb-2".to_owned()])));
        assert_eq!(chosen(Some("cccc")), Err(Fault::OtherRepository("cccc-4".to_owned())));
        assert_eq!(chosen(Some("dddd")), Err(Fault::NoSuchSession("dddd".to_owned())));
        let nothing = Party { session: None, agent: None, past: true, whole: true };
        assert_eq!(choose(&nothing, &here, &[]), Err(Fault::NoSession));
    }
}
