//! The last seconds as a curve of eighths of a row, the newest at the right edge.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::Style;

/// Steps between nothing and the highest value: more than the eighths of any screen.
const CURVE_STEPS: u16 = 10_000;

/// A row filled from below by no eighth of it, one, two and so on.
const EIGHTHS: [&str; 9] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/// Draws `values` from zero to the highest of them; a second without a value is a gap.
pub(super) fn draw(buffer: &mut Buffer, area: Rect, values: &[Option<f64>], style: Style) {
    let most = values.iter().flatten().copied().fold(0.0, f64::max);
    if most <= 0.0 {
        return;
    }
    let columns = area.columns().rev();
    for (column, value) in columns.zip(values.iter().rev()) {
        let mut filled = value.map_or(0, |value| eighths(value / most, area.height));
        for row in column.rows().rev() {
            let in_row = filled.min(8);
            filled -= in_row;
            buffer[row.as_position()]
                .set_symbol(EIGHTHS[in_row])
                .set_style(style);
        }
    }
}

/// How many eighths of `rows` a share of them fills.
fn eighths(share: f64, rows: u16) -> usize {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of the steps"
    )]
    let steps = (share * f64::from(CURVE_STEPS)).round() as u16;
    usize::from(steps) * 8 * usize::from(rows) / usize::from(CURVE_STEPS)
}
