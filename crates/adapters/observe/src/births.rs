//! Counters that appear while a page is looked at: they began at zero, and their first value counts.
//!
//! A client library makes a series when it is first needed, such as that of a route at its first
//! request. Without a zero before it, all requests up to the first look would be lost.

use std::collections::{BTreeMap, BTreeSet};

use loadline_record::signals::{Entity, MOST_SERIES, SignalKind, SignalMeasure};

use crate::reading::Reading;

type Known = BTreeSet<(SignalKind, Entity)>;

/// The counters that pages of one address had so far.
#[derive(Debug, Default)]
pub(crate) struct CounterBirths {
    all: Known,
    /// By what the process that answered is called.
    by_process: BTreeMap<String, Known>,
}

impl CounterBirths {
    /// Gives new counters a zero at the look before. `is_new` says that the process started since then.
    pub(crate) fn take(&mut self, process: &str, is_new: bool, reading: &mut Reading) {
        let is_first = self.all.is_empty();
        let own = self.by_process.get(process);
        let is_counter = |kind: SignalKind| kind.measure() == SignalMeasure::Counter;
        let counters = reading
            .values
            .iter()
            .filter(|(kind, _, _)| is_counter(*kind));
        let now: Known = counters.map(|(kind, of, _)| (*kind, of.clone())).collect();
        let is_born = |one: &&(SignalKind, Entity)| match own {
            Some(own) => !own.contains(*one),
            None => is_new && !is_first && !self.all.contains(*one),
        };
        // A page whose counters were all unknown is another page.
        let is_known =
            own.is_none_or(|own| own.is_empty() || now.iter().any(|one| own.contains(one)));
        if is_known {
            for (kind, of) in now.iter().filter(is_born) {
                reading.add_before(*kind, of.clone(), 0.0);
            }
        }
        let own = self.by_process.entry(process.to_owned()).or_default();
        for one in now {
            if self.all.len() < MOST_SERIES {
                self.all.insert(one.clone());
            }
            if own.len() < MOST_SERIES {
                own.insert(one);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use loadline_record::signals::Label;

    use super::*;

    fn born(
        births: &mut CounterBirths,
        process: &str,
        is_new: bool,
        routes: &[&str],
    ) -> Vec<String> {
        let mut reading = Reading::default();
        for route in routes {
            let of = Entity::new().with(Label::Operation, route);
            reading.add(SignalKind::ServerRequests, of.clone(), 7.0);
            reading.add(SignalKind::ServerRequestsActive, of, 1.0);
        }
        births.take(process, is_new, &mut reading);
        let zeros = reading.before.iter();
        zeros
            .map(|(_, of, _)| of.get(Label::Operation).unwrap().to_owned())
            .collect()
    }

    #[test]
    fn a_counter_that_appears_began_at_zero() {
        let mut births = CounterBirths::default();
        assert!(
            born(&mut births, "", false, &["/a"]).is_empty(),
            "it may count for days"
        );
        assert_eq!(born(&mut births, "", false, &["/a", "/b"]), ["/b"]);
        assert!(born(&mut births, "", false, &["/a", "/b"]).is_empty());
    }

    #[test]
    fn the_first_look_at_another_process_tells_nothing_of_what_it_did_before() {
        let mut births = CounterBirths::default();
        born(&mut births, "1", false, &["/a"]);
        assert!(born(&mut births, "2", false, &["/a", "/b"]).is_empty());
        assert_eq!(born(&mut births, "2", false, &["/a", "/b", "/c"]), ["/c"]);
    }

    #[test]
    fn a_process_that_started_during_the_run_counts_from_zero() {
        let mut births = CounterBirths::default();
        born(&mut births, "1", false, &["/a"]);
        assert_eq!(
            born(&mut births, "2", true, &["/a", "/b"]),
            ["/b"],
            "/a begins anew"
        );
    }
}
