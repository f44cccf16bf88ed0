//! Which requests ask for a trace, by the `traceparent` that all of them carry.
//!
//! The others say that they are not sampled: a target that decides for itself where nothing is said, as
//! agents of OpenTelemetry do by default, would trace them, too.

use loadline_units::random::{Random, random_bits};

/// The flags of a request that asks for a trace (W3C Trace Context, 3.2.2.5).
const SAMPLED: &str = "01";
/// Those of one that asks for none.
const NOT_SAMPLED: &str = "00";

/// A share of the requests, chosen by a seed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TraceShare {
    /// 0 to 1.
    pub share: f64,
    /// Other seeds, other requests and traces.
    pub seed: u64,
}

impl TraceShare {
    /// The field's value for the request of iteration `number`.
    pub(crate) fn parent(&self, number: u64) -> String {
        // The step of the generator makes no two iterations overlap.
        let random = Random::new(random_bits(self.seed, number));
        let is_traced = random.unit() < self.share;
        let flags = if is_traced { SAMPLED } else { NOT_SAMPLED };
        format!("00-{}-{}-{flags}", random.hex(32), random.hex(16))
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
        let of = |share: TraceShare, flags: &str| -> BTreeSet<String> {
            let parents = (0..20_000).map(|number| share.parent(number));
            parents.filter(|parent| parent.ends_with(flags)).collect()
        };
        let traced = of(few, "-01");
        assert!((900..1100).contains(&traced.len()), "{}", traced.len());
        // The others say so: silence would leave it to the target.
        assert_eq!(of(few, "-00").len(), 20_000 - traced.len());
        let one = traced.first().unwrap();
        let lengths: Vec<usize> = one.split('-').map(str::len).collect();
        assert_eq!(lengths, [2, 32, 16, 2]);
        let all = TraceShare {
            share: 1.0,
            seed: 7,
        };
        assert_eq!(of(all, "-01").len(), 20_000);
        let none = TraceShare {
            share: 0.0,
            seed: 7,
        };
        assert_eq!(of(none, "-00").len(), 20_000);
    }
}
