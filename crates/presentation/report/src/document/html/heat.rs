//! The cells of a heat map as SVG: one path for each step of darkness, so that a page stays small.

use std::fmt::Write as _;

use super::super::HeatMap;
use super::axis::Scale;
use super::escaped;

/// Steps of darkness.
const DARKNESS_STEPS: usize = 6;
/// The part of a cell that an inset layer leaves free at each side.
const INSET_SHARE: f64 = 0.25;

/// The names of the layers that have cells.
pub(super) fn legend(html: &mut String, heat: Option<&HeatMap>) {
    let layers = heat.iter().flat_map(|heat| heat.layers.iter());
    for layer in layers.filter(|layer| layer.has_cells()) {
        let drawing = if layer.is_inset {
            "M6 2h6v6h-6z"
        } else {
            "M1 0h16v10h-16z"
        };
        let _ = write!(
            html,
            "<span><svg class=\"heat r-{}\" viewBox=\"0 0 18 10\" aria-hidden=\"true\"><path d=\"{drawing}\"/></svg>{}</span>",
            layer.role,
            escaped(&layer.name),
        );
    }
}

/// Places and values that the axes must hold.
pub(super) fn ends(heat: Option<&HeatMap>) -> Vec<(f64, f64)> {
    let ends = heat.iter().flat_map(|heat| {
        let cells = heat.layers.iter().flat_map(|layer| layer.cells.iter());
        cells.flat_map(|(left, low, _)| [(*left, *low), (left + heat.width, low * heat.ratio)])
    });
    ends.collect()
}

/// The cells.
pub(super) fn drawn(html: &mut String, heat: Option<&HeatMap>, x: &Scale, y: &Scale) {
    let Some(heat) = heat else { return };
    for layer in &heat.layers {
        let most = layer.most();
        let mut paths = vec![String::new(); DARKNESS_STEPS];
        for cell in &layer.cells {
            let path = &mut paths[step(cell.2, most)];
            let (left, right) = (x.at(cell.0), x.at(cell.0 + heat.width));
            let (bottom, top) = (y.at(cell.1), y.at(cell.1 * heat.ratio));
            let free = if layer.is_inset { INSET_SHARE } else { 0.0 };
            let (wide, high) = (right - left, bottom - top);
            let _ = write!(
                path,
                "M{:.1} {:.1}h{:.1}v{:.1}h-{2:.1}z",
                left + wide * free,
                top + high * free,
                wide * (1.0 - 2.0 * free),
                high * (1.0 - 2.0 * free),
            );
        }
        let _ = write!(html, "<g class=\"heat r-{}\">", layer.role);
        for (place, path) in paths
            .iter()
            .enumerate()
            .filter(|(_, path)| !path.is_empty())
        {
            let opacity = (place + 1) as f64 / DARKNESS_STEPS as f64;
            let _ = write!(html, "<path fill-opacity=\"{opacity:.2}\" d=\"{path}\"/>");
        }
        html.push_str("</g>");
    }
}

/// How dark a cell is, by the logarithm of its number of values.
fn step(count: f64, most: f64) -> usize {
    let darkness = count.ln_1p() / most.ln_1p();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of the steps"
    )]
    let step = (darkness * DARKNESS_STEPS as f64).ceil() as usize;
    step.clamp(1, DARKNESS_STEPS) - 1
}
