//! Texts of one row: what fits a width, and the figures of a run in words.

use std::time::Duration;

use loadline_record::signals::{LimitedUsage, TargetSnapshot};
use loadline_text::{Catalog, Message, counted, grouped, percent, screen, significant};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use crate::view::{LiveState, LiveView, WindowFigures};

const BYTES_PER_MIB: f64 = 1_048_576.0;
/// Stands where nothing was measured.
const NONE: &str = "–";
/// Width of a column of figures.
const COLUMN_WIDTH: usize = 10;
/// Width of the names of rows.
const NAME_WIDTH: usize = 12;

/// A text that is not wider than this, in the columns of a terminal.
#[must_use]
pub fn cut(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let Some(mut left) = columns.checked_sub(1) else {
        return String::new();
    };
    let fits = |c: &char| {
        let width = c.width().unwrap_or(0);
        let fits = width <= left;
        left = left.saturating_sub(width);
        fits
    };
    let mut out: String = text.chars().take_while(fits).collect();
    out.push('…');
    out
}

/// A text in rows of at most this width, broken at spaces where there are any.
pub(crate) fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut rows: Vec<String> = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        match rows.last_mut() {
            Some(row) if row.width() + 1 + word.width() <= columns => {
                row.push(' ');
                row.push_str(word);
            }
            _ => rows.push(cut(word, columns)),
        }
    }
    rows
}

pub(crate) fn right(text: &str, columns: usize) -> String {
    let gap = columns.saturating_sub(text.width());
    format!("{}{text}", " ".repeat(gap))
}

pub(crate) fn left(text: &str, columns: usize) -> String {
    let gap = columns.saturating_sub(text.width());
    format!("{text}{}", " ".repeat(gap))
}

/// `01:30`, or `1:01:30`
pub(crate) fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes:02}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

pub(crate) fn state(state: LiveState, catalog: &Catalog) -> String {
    catalog.text(&match state {
        LiveState::Making { made, planned } => screen::state_making(made, planned),
        LiveState::Setup => screen::state_setup(),
        LiveState::Warming => screen::state_warming(),
        LiveState::Measuring => screen::state_measuring(),
        LiveState::Paused => screen::state_paused(),
        LiveState::Stopping => screen::state_stopping(),
        LiveState::Teardown => screen::state_teardown(),
        LiveState::Setting => screen::state_setting(),
    })
}

/// Offered and achieved load of the last second.
pub(crate) fn offered(view: &LiveView, catalog: &Catalog) -> Option<String> {
    let (achieved, planned, dropped) = view.history.iterations()?;
    let achieved = counted(achieved);
    let text = match planned {
        None => screen::achieved(achieved),
        Some(planned) if dropped > 0.0 => {
            screen::offered_dropped(achieved, counted(planned), counted(dropped))
        }
        Some(planned) => screen::offered(achieved, counted(planned)),
    };
    Some(catalog.text(&text))
}

/// A column of the table of latencies.
struct LatencyColumn {
    /// Which go first where room is short: high ones.
    rank: usize,
    head: String,
    cell: fn(&WindowFigures) -> String,
}

/// The columns in the order in which they stand.
fn latency_columns(catalog: &Catalog) -> [LatencyColumn; 6] {
    let column = |rank, head: String, cell| LatencyColumn { rank, head, cell };
    let say = |message: Message| catalog.text(&message);
    [
        column(5, say(screen::column_requests()), |window| {
            grouped(window.requests, 0)
        }),
        column(3, "p50".to_owned(), |window| quantile(window, 0.5)),
        column(0, "p95".to_owned(), |window| quantile(window, 0.95)),
        column(1, "p99".to_owned(), |window| quantile(window, 0.99)),
        column(4, say(screen::column_most()), |window| {
            let most = window.durations.max();
            most.map_or_else(|| NONE.to_owned(), significant)
        }),
        column(2, say(screen::column_errors()), |window| {
            let rate = window.error_rate();
            rate.map_or_else(|| NONE.to_owned(), percent)
        }),
    ]
}

/// The head of the table of latencies and its three rows, with the columns that fit.
pub(crate) fn latency(view: &LiveView, catalog: &Catalog, columns: usize) -> Vec<String> {
    let fit = columns.saturating_sub(NAME_WIDTH) / COLUMN_WIDTH;
    let mut shown = Vec::from(latency_columns(catalog));
    shown.retain(|column| column.rank < fit);
    let row = |name: &str, cell: &dyn Fn(&LatencyColumn) -> String| {
        let cells = shown
            .iter()
            .map(|column| right(&cell(column), COLUMN_WIDTH));
        format!("{}{}", left(name, NAME_WIDTH), cells.collect::<String>())
    };
    let mut rows = vec![row("", &|column| column.head.clone())];
    let all = match (view.is_study(), view.is_search()) {
        (true, _) => screen::whole_trial(),
        (false, true) => screen::whole_level(),
        (false, false) => screen::whole_run(),
    };
    let windows = [
        (screen::last_second(), &view.latency.second),
        (screen::last_ten(), &view.latency.ten_seconds),
        (all, &view.latency.run),
    ];
    rows.extend(
        windows.map(|(name, window)| row(&catalog.text(&name), &|column| (column.cell)(window))),
    );
    rows
}

fn quantile(window: &WindowFigures, share: f64) -> String {
    let value = window.durations.percentile(share);
    value.map_or_else(|| NONE.to_owned(), significant)
}

/// What the target shows, part by part.
pub(crate) fn target(target: &TargetSnapshot, catalog: &Catalog) -> Vec<String> {
    let mebibytes = |usage: LimitedUsage| LimitedUsage {
        used: (usage.used / BYTES_PER_MIB).round(),
        most: usage.most.map(|most| (most / BYTES_PER_MIB).round()),
        ..usage
    };
    type Name = fn(String) -> Message;
    let parts: [(Option<LimitedUsage>, Name); 5] = [
        (target.cpu, screen::target_cpu),
        (target.pool, screen::target_pool),
        (target.workers, screen::target_workers),
        (target.sessions, screen::target_sessions),
        (target.heap.map(mebibytes), screen::target_heap),
    ];
    let known = parts.into_iter().filter_map(|(usage, name)| {
        let usage = usage?;
        let used = match usage.most {
            Some(most) => format!("{}/{}", counted(usage.used), counted(most)),
            None => counted(usage.used),
        };
        let what = catalog.text(&name(used));
        Some(match usage.waiting.filter(|waiting| *waiting > 0.0) {
            Some(waiting) => catalog.text(&screen::waiting(what, counted(waiting))),
            None => what,
        })
    });
    known.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_where_a_terminal_ends() {
        assert_eq!(cut("0123456789", 10), "0123456789");
        assert_eq!(cut("0123456789", 6), "01234…");
        assert_eq!(cut("가나다라", 6), "가나…");
        assert_eq!(cut("abc", 0), "");
    }

    #[test]
    fn rows_break_at_spaces() {
        assert_eq!(wrapped("one two three", 8), ["one two", "three"]);
        assert_eq!(wrapped("커넥션 풀 대기", 9), ["커넥션 풀", "대기"]);
        assert_eq!(wrapped("0123456789", 5), ["0123…"]);
    }

    #[test]
    fn a_clock_has_hours_when_it_needs_them() {
        assert_eq!(clock(Duration::from_secs(90)), "01:30");
        assert_eq!(clock(Duration::from_secs(3_690)), "1:01:30");
    }
}
