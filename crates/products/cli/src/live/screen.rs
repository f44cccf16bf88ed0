//! What fits a terminal: lines cut to its width, a curve of the last seconds.

use std::collections::VecDeque;

use unicode_width::UnicodeWidthChar as _;

/// Seconds that a curve shows.
const SECONDS: usize = 40;
/// A terminal that does not say how large it is.
const USUAL: Size = Size {
    columns: 80,
    rows: 24,
};

/// How large a terminal is, in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Size {
    pub(super) columns: usize,
    pub(super) rows: usize,
}

/// How large the terminal at standard error is now.
pub(super) fn size() -> Size {
    let Ok(found) = rustix::termios::tcgetwinsize(std::io::stderr()) else {
        return USUAL;
    };
    match (found.ws_col, found.ws_row) {
        (0, _) | (_, 0) => USUAL,
        (columns, rows) => Size {
            columns: columns.into(),
            rows: rows.into(),
        },
    }
}

/// A line that a terminal does not break; wide characters take two places.
pub(super) fn cut(line: &str, columns: usize) -> String {
    let mut left = columns.saturating_sub(1);
    let mut out = String::with_capacity(line.len());
    for c in line.chars() {
        let width = c.width().unwrap_or(0);
        if width > left {
            out.push('…');
            break;
        }
        left -= width;
        out.push(c);
    }
    out
}

/// The values of the last seconds.
#[derive(Debug, Default)]
pub(super) struct Curve(VecDeque<f64>);

impl Curve {
    pub(super) fn add(&mut self, value: f64) {
        self.0.push_back(value);
        while self.0.len() > SECONDS {
            self.0.pop_front();
        }
    }

    /// Eight heights, the highest value the full one; nothing of fewer than two seconds.
    pub(super) fn drawn(&self) -> Option<String> {
        const HEIGHTS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
        if self.0.len() < 2 {
            return None;
        }
        let most = self.0.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a share of seven heights"
        )]
        let height = |value: &f64| HEIGHTS[((value / most * 7.0).round() as usize).min(7)];
        Some(self.0.iter().map(height).collect())
    }

    /// The highest of the values shown.
    pub(super) fn most(&self) -> f64 {
        self.0.iter().copied().fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_where_a_terminal_would_break_it() {
        assert_eq!(cut("0123456789", 20), "0123456789");
        assert_eq!(cut("0123456789", 6), "01234…");
        assert_eq!(cut("가나다라", 6), "가나…");
        assert_eq!(cut("abc", 0), "…");
    }

    #[test]
    fn a_curve_shows_the_last_seconds_beside_the_highest() {
        let mut curve = Curve::default();
        curve.add(5.0);
        assert_eq!(curve.drawn(), None);
        for value in [0.0, 10.0, 5.0] {
            curve.add(value);
        }
        assert_eq!(curve.drawn().as_deref(), Some("▅▁█▅"));
        for _ in 0..100 {
            curve.add(0.0);
        }
        assert_eq!(curve.drawn().unwrap().chars().count(), SECONDS);
    }
}
