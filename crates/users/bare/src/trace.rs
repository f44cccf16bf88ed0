//! Which requests carry a `traceparent`, so that the target traces just them.

use loadline_units::random::{Random, random_bits};

/// A share of the requests, chosen by a seed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TraceShare {
    /// 0 to 1.
    pub share: f64,
    /// Other seeds, other requests and traces.
    pub seed: u64,
}

impl TraceShare {
    /// The field's value for the request of iteration `number`; `None` if it is not traced.
    pub(crate) fn parent(&self, number: u64) -> Option<String> {
        // The step of the generator makes no two iterations overlap.
        let random = Random::new(random_bits(self.seed, number));
        let is_traced = random.unit() < self.share;
        is_traced.then(|| format!("00-{}-{}-01", random.hex(32), random.hex(16)))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_share_is_traced_each_request_as_a_trace_of_its_own() {
        let few = TraceShare {
            share: 0.05,
            seed: 7,
        };
        let traced: BTreeSet<String> = (0..20_000).filter_map(|n| few.parent(n)).collect();
        assert!((900..1100).contains(&traced.len()), "{}", traced.len());
        let one = traced.first().unwrap();
        let lengths: Vec<usize> = one.split('-').map(str::len).collect();
        assert_eq!(lengths, [2, 32, 16, 2]);
        let all = TraceShare {
            share: 1.0,
            seed: 7,
        };
        assert!((0..100).all(|n| all.parent(n).is_some()));
        let none = TraceShare {
            share: 0.0,
            seed: 7,
        };
        assert!((0..100).all(|n| none.parent(n).is_none()));
    }
}
