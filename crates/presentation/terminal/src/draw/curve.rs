//! The last seconds as a curve of eighths of a row, the newest at the right edge.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::Style;
use ratatui_core::widgets::Widget as _;
use ratatui_widgets::sparkline::{RenderDirection, Sparkline};

/// Steps between nothing and the highest value: more than the eighths of any screen.
const STEPS: u32 = 10_000;

/// Draws `values` from zero to the highest of them; a second without a value is a gap.
pub(super) fn draw(buffer: &mut Buffer, area: Rect, values: &[Option<f64>], style: Style) {
    let most = values.iter().flatten().copied().fold(0.0, f64::max);
    if most <= 0.0 {
        return;
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of the steps"
    )]
    let steps = |value: f64| (value / most * f64::from(STEPS)).round() as u64;
    let newest_first = values.iter().rev().map(|value| value.map(steps));
    Sparkline::default()
        .data(newest_first.collect::<Vec<Option<u64>>>())
        .max(STEPS.into())
        .direction(RenderDirection::RightToLeft)
        .style(style)
        .render(area, buffer);
}
