//! The three points of a load curve, and other estimates of them.
//!
//! Levels pair a load (requests in flight, users, or a rate) with the throughput measured
//! there. The *peak* is the highest throughput; the *knee* the lowest load with at least
//! 90 % of it; the *line* the load at which a limit is crossed, interpolated between the last
//! level that keeps it and the first that does not. Power and Kneedle are second opinions:
//! both depend on which loads were tried.

/// The share of the peak's throughput from which on a load counts as the knee.
pub const KNEE_SHARE: f64 = 0.9;

/// One level of a load curve; loads ascend.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Level {
    /// The load.
    pub load: f64,
    /// Completed per second.
    pub throughput: f64,
}

/// The knee of a curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CurveKnee {
    /// Its level's place.
    pub place: usize,
    /// Its throughput as a share of the peak's.
    pub share: f64,
}

/// Where a limit is crossed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Crossing {
    /// Between these two levels.
    Between {
        /// The last level that keeps it.
        last: usize,
        /// The first that does not.
        first: usize,
        /// The load, interpolated where both values are known.
        load: Option<f64>,
        /// The throughput there.
        throughput: Option<f64>,
    },
    /// Already at the lowest level.
    Below,
    /// Beyond the highest level.
    Above {
        /// The highest level.
        last: usize,
    },
}

/// The level of the highest throughput, the lowest load of several.
#[must_use]
pub fn peak(levels: &[Level]) -> Option<usize> {
    let mut best: Option<usize> = None;
    for (place, level) in levels.iter().enumerate() {
        if best.is_none_or(|best| level.throughput > levels[best].throughput) {
            best = Some(place);
        }
    }
    best
}

/// The lowest level with at least [`KNEE_SHARE`] of the peak's throughput.
#[must_use]
pub fn knee(levels: &[Level]) -> Option<CurveKnee> {
    let most = levels[peak(levels)?].throughput;
    let place = levels
        .iter()
        .position(|level| level.throughput >= KNEE_SHARE * most)?;
    Some(CurveKnee {
        place,
        share: levels[place].throughput / most,
    })
}

/// The level with the most throughput per response time, `response` in any unit.
#[must_use]
pub fn power(levels: &[Level], response: &[f64]) -> Option<usize> {
    let powers = levels.iter().zip(response).enumerate();
    powers
        .filter(|(_, (_, response))| **response > 0.0)
        .map(|(place, (level, response))| (place, level.throughput / response))
        .reduce(|best, next| if next.1 > best.1 { next } else { best })
        .map(|(place, _)| place)
}

/// Kneedle's point: the one farthest above the straight line from first to last level, both
/// axes scaled to 0..1. `None` when the curve never rises above that line.
///
/// Source: Satopää et al., ICDCS 2011; without smoothing, for the few levels of a search.
#[must_use]
pub fn kneedle(levels: &[Level]) -> Option<usize> {
    let (first, last) = (levels.first()?, levels.last()?);
    let least = levels
        .iter()
        .map(|l| l.throughput)
        .fold(f64::INFINITY, f64::min);
    let most = levels.iter().map(|l| l.throughput).fold(0.0, f64::max);
    let (width, height) = (last.load - first.load, most - least);
    if width <= 0.0 || height <= 0.0 {
        return None;
    }
    let above =
        |level: &Level| (level.throughput - least) / height - (level.load - first.load) / width;
    let differences = levels.iter().map(above).enumerate();
    differences
        .reduce(|best, next| if next.1 > best.1 { next } else { best })
        .filter(|(_, difference)| *difference > 0.0)
        .map(|(place, _)| place)
}

/// Where the limit is crossed: `excess` says of each level how far its value is beyond the
/// limit, in any unit, not above zero while it holds; `None` of a level whose value is
/// not known but which does not hold.
#[must_use]
pub fn crossing(levels: &[Level], excess: &[Option<f64>]) -> Crossing {
    let fails = |value: &Option<f64>| value.is_none_or(|excess| excess > 0.0);
    let Some(first) = excess.iter().position(fails) else {
        return match levels.len().checked_sub(1) {
            Some(last) => Crossing::Above { last },
            None => Crossing::Below,
        };
    };
    let Some(last) = first.checked_sub(1) else {
        return Crossing::Below;
    };
    let share = excess[last].zip(excess[first]).and_then(|(before, after)| {
        let span = after - before;
        (span > 0.0).then(|| -before / span)
    });
    let between = |from: f64, to: f64| share.map(|share| from + share * (to - from));
    Crossing::Between {
        last,
        first,
        load: between(levels[last].load, levels[first].load),
        throughput: between(levels[last].throughput, levels[first].throughput),
    }
}

/// How far a level is off Little's law, as a share of its users: users that are neither
/// answered nor thinking (`users` − throughput × (response + think)), seconds.
#[must_use]
pub fn off_littles_law(users: f64, throughput: f64, response: f64, think: f64) -> f64 {
    if users <= 0.0 {
        return 0.0;
    }
    1.0 - throughput * (response + think) / users
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published::SUBMISSIONS;

    fn levels(pairs: &[(f64, f64)]) -> Vec<Level> {
        let pairs = pairs.iter();
        pairs
            .map(|(load, throughput)| Level {
                load: *load,
                throughput: *throughput,
            })
            .collect()
    }

    #[test]
    fn the_three_points_of_a_published_table() {
        let curve = levels(&SUBMISSIONS.map(|(n, x, _)| (n, x)));
        assert!((curve[peak(&curve).unwrap()].load - 200.0).abs() < 0.5);
        let knee = knee(&curve).unwrap();
        assert!((curve[knee.place].load - 20.0).abs() < 0.5);
        assert!((knee.share - 0.907).abs() < 0.001);
        let excess = SUBMISSIONS.map(|(_, _, mean)| Some(mean - 100.0));
        let Crossing::Between {
            last,
            first,
            load,
            throughput,
        } = crossing(&curve, &excess)
        else {
            unreachable!()
        };
        assert_eq!((last, first), (1, 2));
        assert!((load.unwrap() - 14.7).abs() < 0.01, "{load:?}");
        assert!((throughput.unwrap() - 143.6).abs() < 0.1, "{throughput:?}");
        for (n, x, mean) in SUBMISSIONS {
            let off = off_littles_law(n, x, mean / 1000.0, 0.0);
            assert!(off.abs() < 0.03, "{n}: {off}");
        }
    }

    #[test]
    fn second_opinions_depend_on_the_loads_that_were_tried() {
        let curve = levels(&SUBMISSIONS.map(|(n, x, _)| (n, x)));
        let is = |place: Option<usize>, load: f64| (curve[place.unwrap()].load - load).abs() < 0.5;
        assert!(is(kneedle(&curve), 50.0));
        assert!(is(kneedle(&curve[..6]), 15.0));
        let response = SUBMISSIONS.map(|(_, _, mean)| mean);
        assert!(is(power(&curve, &response), 15.0));
    }

    #[test]
    fn a_limit_is_crossed_below_between_or_above() {
        let curve = levels(&[(1.0, 1.0), (2.0, 2.0)]);
        assert_eq!(crossing(&curve, &[Some(1.0), Some(2.0)]), Crossing::Below);
        assert_eq!(
            crossing(&curve, &[Some(-2.0), Some(-1.0)]),
            Crossing::Above { last: 1 }
        );
        let unknown = crossing(&curve, &[Some(-2.0), None]);
        let between = Crossing::Between {
            last: 0,
            first: 1,
            load: None,
            throughput: None,
        };
        assert_eq!(unknown, between);
    }
}
