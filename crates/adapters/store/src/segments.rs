//! Checks that the segments which several generators ran make up the test exactly once.

use crate::about::SegmentInfo;

/// Why runs do not make up one test.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PartsError {
    /// A run has no segment.
    #[error("run {run} is not a segment of a test: it was run whole")]
    Whole {
        /// The run.
        run: String,
    },
    /// A segment is malformed.
    #[error("the segment `{segment}` of run {run} cannot be read")]
    Malformed {
        /// The run.
        run: String,
        /// As stored.
        segment: String,
    },
    /// Two runs ran the same part of the test.
    #[error("runs {one} and {other} both ran {from} to {to}")]
    Twice {
        /// A run.
        one: String,
        /// Another.
        other: String,
        /// Where the common part begins, as a fraction.
        from: String,
        /// Where it ends.
        to: String,
    },
    /// No run has a part of the test.
    #[error("no run is there of the segment {from} to {to}")]
    Missing {
        /// Where the missing part begins, as a fraction.
        from: String,
        /// Where it ends.
        to: String,
    },
    /// Two runs used different segment sequences.
    #[error("runs {one} and {other} cut the test differently: {first} and {second}")]
    OtherCuts {
        /// A run.
        one: String,
        /// Another.
        other: String,
        /// The first run's sequence.
        first: String,
        /// The second run's.
        second: String,
    },
}

/// A fraction of the test: numerator and denominator.
type Fraction = (u64, u64);

/// Checks that the segments of the named runs cover the test exactly once.
///
/// # Errors
/// [`PartsError`] for the first problem, counted from the beginning of the test.
pub(crate) fn check_parts(runs: &[(&str, Option<&SegmentInfo>)]) -> Result<(), PartsError> {
    let mut parts: Vec<(&str, Fraction, Fraction)> = Vec::new();
    let mut cuts: Option<(&str, &str)> = None;
    for (run, segment) in runs {
        let segment = segment.ok_or_else(|| PartsError::Whole {
            run: (*run).to_owned(),
        })?;
        let malformed = || PartsError::Malformed {
            run: (*run).to_owned(),
            segment: segment.part.clone(),
        };
        let (from, to) = segment.part.split_once(':').ok_or_else(malformed)?;
        let (from, to) = (share(from), share(to));
        let (from, to) = from.zip(to).ok_or_else(malformed)?;
        match cuts {
            Some((other, known)) if known != segment.sequence => {
                return Err(PartsError::OtherCuts {
                    one: other.to_owned(),
                    other: (*run).to_owned(),
                    first: known.to_owned(),
                    second: segment.sequence.clone(),
                });
            }
            _ => cuts = Some((run, &segment.sequence)),
        }
        parts.push((run, from, to));
    }
    parts.sort_by(|a, b| order(a.1, b.1));
    let mut reached: (Fraction, &str) = ((0, 1), "");
    for (run, from, to) in parts {
        match order(from, reached.0) {
            std::cmp::Ordering::Less => {
                return Err(PartsError::Twice {
                    one: reached.1.to_owned(),
                    other: run.to_owned(),
                    from: shown(from),
                    to: shown(if order(to, reached.0).is_lt() {
                        to
                    } else {
                        reached.0
                    }),
                });
            }
            std::cmp::Ordering::Greater => return Err(missing(reached.0, from)),
            std::cmp::Ordering::Equal => reached = (to, run),
        }
    }
    if order(reached.0, (1, 1)).is_ne() {
        return Err(missing(reached.0, (1, 1)));
    }
    Ok(())
}

fn missing(from: Fraction, to: Fraction) -> PartsError {
    PartsError::Missing {
        from: shown(from),
        to: shown(to),
    }
}

/// Parses `1/4`, `0` or `1`.
fn share(text: &str) -> Option<Fraction> {
    let (top, bottom) = text.split_once('/').unwrap_or((text, "1"));
    let share: Fraction = (top.parse().ok()?, bottom.parse().ok()?);
    (share.1 > 0 && share.0 <= share.1).then_some(share)
}

fn shown((top, bottom): Fraction) -> String {
    match bottom {
        1 => top.to_string(),
        _ => format!("{top}/{bottom}"),
    }
}

fn order(a: Fraction, b: Fraction) -> std::cmp::Ordering {
    let left = u128::from(a.0) * u128::from(b.1);
    left.cmp(&(u128::from(b.0) * u128::from(a.1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(parts: &[&str]) -> Result<(), PartsError> {
        let segments: Vec<SegmentInfo> = parts
            .iter()
            .map(|part| SegmentInfo {
                part: (*part).to_owned(),
                sequence: String::new(),
            })
            .collect();
        let names: Vec<String> = (1..=parts.len()).map(|n| format!("r{n}")).collect();
        let runs: Vec<(&str, Option<&SegmentInfo>)> = names
            .iter()
            .map(String::as_str)
            .zip(segments.iter().map(Some))
            .collect();
        check_parts(&runs)
    }

    #[test]
    fn all_parts_in_any_order_are_the_whole() {
        assert_eq!(check(&["1/2:1", "0:1/4", "1/4:1/2"]), Ok(()));
        assert_eq!(check(&["0:1/3", "1/3:2/3", "2/3:1"]), Ok(()));
    }

    #[test]
    fn a_missing_part_is_named() {
        let missing = |from: &str, to: &str| {
            Err(PartsError::Missing {
                from: from.to_owned(),
                to: to.to_owned(),
            })
        };
        assert_eq!(check(&["0:1/4", "1/2:1"]), missing("1/4", "1/2"));
        assert_eq!(check(&["1/4:1"]), missing("0", "1/4"));
        assert_eq!(check(&["0:1/4", "1/4:3/4"]), missing("3/4", "1"));
    }

    #[test]
    fn a_part_that_two_ran_is_named() {
        let twice = check(&["0:1/2", "1/2:1", "1/2:1"]);
        assert!(matches!(twice, Err(PartsError::Twice { from, .. }) if from == "1/2"));
        let overlap = check(&["0:1/2", "1/4:1"]);
        assert!(
            matches!(overlap, Err(PartsError::Twice { from, to, .. }) if from == "1/4" && to == "1/2")
        );
    }

    #[test]
    fn a_run_of_the_whole_test_is_no_part() {
        let whole = check_parts(&[("r1", None)]);
        assert!(matches!(whole, Err(PartsError::Whole { run }) if run == "r1"));
    }
}
