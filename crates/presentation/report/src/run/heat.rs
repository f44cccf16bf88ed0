//! Every request by time and response time, as a map of cells.
//!
//! A map and no cloud of dots: the record holds each second's histogram whole, so every request
//! counts at any rate, and a report does not grow with it. Sampled dots of 10,000 requests a
//! second would be noise, and would leave out the rare slow ones that matter.

use std::collections::BTreeMap;

use loadline_metrics::Histogram;
use loadline_text::{Catalog, report};

use super::TimelineWindow;
use crate::document::{HeatLayer, HeatMap};

/// The most columns: more would be narrower than a pixel or two.
const MOST_COLUMNS: usize = 150;
/// Cells a power of ten of the response time.
const ROWS_PER_DECADE: f64 = 10.0;

/// Counts by column and row of cells.
type CellCounts = BTreeMap<(usize, i32), f64>;

/// The map of `windows`, each `step` seconds long; the seconds of a column beside it.
pub(super) fn map(windows: &[TimelineWindow], step: u64, catalog: &Catalog) -> (HeatMap, u64) {
    let last = windows.last().map_or(0.0, |window| window.at);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "columns of a run; the cast saturates"
    )]
    let place = |at: f64, width: u64| (at / width as f64).floor() as usize;
    let joined = (place(last, step) + 1).div_ceil(MOST_COLUMNS).max(1);
    let width = step * joined as u64;
    let (mut expected, mut failed) = (CellCounts::new(), CellCounts::new());
    for window in windows {
        let column = place(window.at, width);
        add(&mut expected, column, &window.durations, 1.0);
        add(&mut failed, column, &window.failed_durations, 1.0);
    }
    let layer = |role, name, is_inset, counts: &CellCounts| HeatLayer {
        role,
        name: catalog.text(&name),
        is_inset,
        cells: cells(counts, width),
    };
    let map = HeatMap {
        width: width as f64,
        ratio: 10_f64.powf(1.0 / ROWS_PER_DECADE),
        layers: vec![
            layer("rate", report::series_as_expected(), false, &expected),
            layer("failed", report::series_failed_requests(), true, &failed),
        ],
    };
    (map, width)
}

fn add(counts: &mut CellCounts, column: usize, durations: &Histogram, factor: f64) {
    for (bucket, count) in durations.buckets() {
        let middle = bucket.middle();
        if middle > 0.0 {
            #[expect(clippy::cast_possible_truncation, reason = "a small power of ten")]
            let row = (middle.log10() * ROWS_PER_DECADE).floor() as i32;
            *counts.entry((column, row)).or_default() += count as f64 * factor;
        }
    }
}

fn cells(counts: &CellCounts, width: u64) -> Vec<(f64, f64, f64)> {
    let filled = counts.iter().filter(|(_, count)| **count > 0.0);
    filled
        .map(|((column, row), count)| {
            let left = (*column as u64 * width) as f64;
            (left, 10_f64.powf(f64::from(*row) / ROWS_PER_DECADE), *count)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use loadline_text::Lang;

    use super::*;

    fn window(at: u64, durations: &[f64], failed: &[f64]) -> TimelineWindow {
        TimelineWindow {
            at: at as f64,
            durations: Histogram::from_values(durations),
            failed_durations: Histogram::from_values(failed),
            ..TimelineWindow::default()
        }
    }

    fn counted(layer: &HeatLayer) -> f64 {
        layer.cells.iter().map(|(_, _, count)| count).sum()
    }

    #[test]
    fn every_request_is_in_one_cell_and_failed_ones_in_their_own() {
        let windows = [window(0, &[10.0, 11.0], &[900.0]), window(1, &[10.0], &[])];
        let (map, width) = map(&windows, 1, &Catalog::new(Lang::En));
        assert_eq!(width, 1);
        let [expected, failed] = &map.layers[..] else {
            panic!("two layers");
        };
        assert!((counted(expected) - 3.0).abs() < 1e-9);
        assert_eq!(failed.cells.len(), 1);
        let (left, low, count) = failed.cells[0];
        assert!(left.abs() < 1e-9 && (count - 1.0).abs() < 1e-9);
        assert!(low <= 900.0 && 900.0 < low * map.ratio, "{low}");
    }

    #[test]
    fn a_long_run_has_no_more_columns_than_a_short_one() {
        let windows: Vec<TimelineWindow> = (0..600)
            .map(|place| window(place * 8, &[10.0], &[]))
            .collect();
        let (map, width) = map(&windows, 8, &Catalog::new(Lang::En));
        assert_eq!(width, 32);
        assert_eq!(map.layers[0].cells.len(), 150);
        assert!((counted(&map.layers[0]) - 600.0).abs() < 1e-9);
    }
}
