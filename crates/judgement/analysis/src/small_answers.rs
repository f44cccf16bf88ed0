//! Answers that say all is well and are much smaller than the others: error pages are often sent
//! with 200.

use loadline_metrics::Histogram;

/// Fewer answers tell nothing of what is usual.
const ANSWERS_MIN: u64 = 20;
/// So large are the larger answers: their 90th percentile, as most may be error pages.
const USUAL_PERCENTILE: f64 = 0.9;
/// Smaller ones differ by a header's worth of text.
const USUAL_BYTES_MIN: f64 = 512.0;
/// An answer is much smaller that has at most this part of the usual bytes ...
const SMALL_PART_MAX: f64 = 0.25;
/// ... while hardly any has more than that and less than this part: else sizes just vary.
const USUAL_PART_MIN: f64 = 0.5;
const BETWEEN_SHARE_MAX: f64 = 0.01;
/// Fewer small answers may be anything.
const SMALL_SHARE_MIN: f64 = 0.005;

/// Answers that are much smaller than the others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SmallAnswers {
    /// How many.
    pub count: u64,
    /// Of how many answers.
    pub all: u64,
    /// The most bytes that one of them has.
    pub most_bytes: f64,
    /// The bytes of the others, about.
    pub usual_bytes: f64,
}

/// The answers of one endpoint that are much smaller than its others, if some are.
#[must_use]
pub fn small_answers(sizes: &Histogram) -> Option<SmallAnswers> {
    let all = sizes.count();
    let usual = sizes.percentile(USUAL_PERCENTILE)?;
    let most = SMALL_PART_MAX * usual;
    let count = sizes.count_where(|bytes| bytes <= most);
    let between = sizes.count_where(|bytes| bytes > most && bytes < USUAL_PART_MIN * usual);
    let is_told = all >= ANSWERS_MIN
        && usual >= USUAL_BYTES_MIN
        && count > 0
        && count as f64 >= SMALL_SHARE_MIN * all as f64
        && between as f64 <= BETWEEN_SHARE_MAX * all as f64;
    is_told.then(|| SmallAnswers {
        count,
        all,
        most_bytes: largest_of(sizes, count),
        usual_bytes: usual,
    })
}

/// The largest of so many of the smallest values.
fn largest_of(sizes: &Histogram, count: u64) -> f64 {
    let last = (sizes.count().max(2) - 1) as f64;
    let share = (count.max(1) - 1) as f64 / last;
    sizes.percentile(share).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(groups: &[(f64, usize)]) -> Option<SmallAnswers> {
        let sizes = groups
            .iter()
            .flat_map(|(bytes, count)| vec![*bytes; *count]);
        small_answers(&Histogram::from_values(&sizes.collect::<Vec<_>>()))
    }

    #[test]
    fn error_pages_with_200_are_seen_by_their_size() {
        let found = seen(&[(14.0, 46), (20_000.0, 54)]).unwrap();
        assert_eq!((found.count, found.all), (46, 100));
        assert!((found.most_bytes - 14.0).abs() < 0.1);
        assert!((found.usual_bytes - 20_000.0).abs() < 100.0);
        assert!(seen(&[(14.0, 80), (20_000.0, 20)]).is_some(), "most are");
        assert!(seen(&[(14.0, 1), (20_000.0, 99)]).is_some());
    }

    #[test]
    fn sizes_that_vary_or_tell_nothing_are_no_error_pages() {
        assert_eq!(seen(&[(20_000.0, 100)]), None);
        assert_eq!(seen(&[(14.0, 5), (20_000.0, 5)]), None, "too few");
        assert_eq!(seen(&[(14.0, 46), (300.0, 54)]), None, "all are small");
        assert_eq!(seen(&[(4_000.0, 20), (8_000.0, 20), (20_000.0, 60)]), None);
        assert_eq!(seen(&[(14.0, 1), (20_000.0, 9999)]), None, "one of many");
    }
}
