//! Values of a distribution by their ranks.

use std::ops::ControlFlow;

use super::{Histogram, Representation};

impl Histogram {
    /// The values at places between two ranks, none of them after the last value.
    pub(super) fn between(&self, places: &[f64]) -> Vec<f64> {
        let ends = places
            .iter()
            .flat_map(|place| [whole(place.floor()), whole(place.ceil())]);
        let mut ranks: Vec<u64> = ends.collect();
        ranks.sort_unstable();
        ranks.dedup();
        let values = self.at_ranks(&ranks);
        let at = |rank: f64| {
            let rank = whole(rank);
            values[ranks.partition_point(|other| *other < rank)]
        };
        let interpolated = places.iter().map(|place| {
            let (below, above) = (at(place.floor()), at(place.ceil()));
            below + (above - below) * (place - place.floor())
        });
        interpolated.collect()
    }

    /// The values at whole ranks, from 0, which ascend.
    fn at_ranks(&self, ranks: &[u64]) -> Vec<f64> {
        match &self.kept {
            Representation::Raw(values) => raw_at(values, ranks),
            Representation::Sparse(_) | Representation::Buckets(_) => {
                let mut values = Vec::with_capacity(ranks.len());
                let mut up_to = 0;
                self.kept.ascending(|bucket, n| {
                    up_to += n;
                    while let Some(rank) = ranks.get(values.len()).filter(|rank| **rank < up_to) {
                        values.push(match *rank {
                            0 => self.min,
                            rank if rank + 1 >= self.count => self.max,
                            _ => bucket.middle().clamp(self.min, self.max),
                        });
                    }
                    if values.len() < ranks.len() {
                        ControlFlow::Continue(())
                    } else {
                        ControlFlow::Break(())
                    }
                });
                values
            }
        }
    }
}

/// The values at whole ranks, which ascend.
fn raw_at(values: &[f64], ranks: &[u64]) -> Vec<f64> {
    let mut values = values.to_vec();
    let place = |rank: u64| usize::try_from(rank).unwrap_or(usize::MAX);
    // Neighbours, as one percentile lies between: there is no need to order all the others.
    if let [below, above @ ..] = ranks
        && above.iter().all(|above| *above == below + 1)
    {
        let (_, below, greater) = values.select_nth_unstable_by(place(*below), f64::total_cmp);
        let next = greater.iter().copied().min_by(f64::total_cmp);
        return std::iter::once(*below)
            .chain(next.filter(|_| !above.is_empty()))
            .collect();
    }
    values.sort_unstable_by(f64::total_cmp);
    ranks.iter().map(|rank| values[place(*rank)]).collect()
}

/// A rank of a place.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "whole, not negative and below the count"
)]
fn whole(place: f64) -> u64 {
    place as u64
}
