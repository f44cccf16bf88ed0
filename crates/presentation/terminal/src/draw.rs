//! Puts a view on a terminal.

mod curve;

use loadline_text::{Catalog, grouped, percent, screen, significant};
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::Style;
use ratatui_core::terminal::Frame;

use crate::area::{Part, Wish, places};
use crate::figures::{self, clock, cut, left, right, wrapped};
use crate::theme::ColorMode;
use crate::view::{GoalView, LiveState, LiveView};

/// Scenarios that have a row each.
const SCENARIO_ROWS_MAX: usize = 4;
/// Failures that have a row each.
const FAILURE_ROWS_MAX: usize = 4;
/// Goals that have a row each.
const GOAL_ROWS_MAX: usize = 4;
/// Lines of the log that are shown even on a low screen.
const LOW_SCREEN_LOG_LINES: usize = 3;
/// Trials that have a row each.
const TRIAL_ROWS_MAX: usize = 12;
/// Width of a scenario's bar.
const BAR_COLUMNS: usize = 24;

/// Draws `view` over the whole of `frame`.
pub fn draw(frame: &mut Frame, view: &LiveView, catalog: &Catalog, colors: ColorMode) {
    let screen = frame.area();
    let mut canvas = Canvas {
        buffer: frame.buffer_mut(),
        view,
        catalog,
        colors,
        columns: screen.width.into(),
    };
    let wishes = canvas.wishes();
    for (part, area) in places(screen, &wishes) {
        canvas.draw(part, area);
    }
}

struct Canvas<'a> {
    buffer: &'a mut Buffer,
    view: &'a LiveView,
    catalog: &'a Catalog,
    colors: ColorMode,
    columns: usize,
}

impl Canvas<'_> {
    /// All parts with the rows they want.
    fn wishes(&self) -> Vec<Wish> {
        let view = self.view;
        let wish = |part, rows: usize, gives_way| Wish {
            part,
            rows: u16::try_from(rows).unwrap_or(u16::MAX),
            gives_way,
        };
        let log = match (view.is_help, view.log.len()) {
            (true, _) => self.help().len(),
            (false, 0) => 0,
            (false, lines) => lines.min(LOW_SCREEN_LOG_LINES) + 1,
        };
        let mut wishes = vec![wish(Part::Bar, 1, 0)];
        let trials = wish(Part::Trials, view.trials.len().min(TRIAL_ROWS_MAX + 1), 4);
        if view.state == LiveState::Setting {
            wishes.extend([wish(Part::Counts, self.counts().0.len(), 1), trials]);
        } else if view.is_study()
            || !matches!(view.state, LiveState::Making { .. } | LiveState::Setup)
        {
            // A search is told by the level it is at.
            let (counts, rate) = if view.is_search() { (1, 2) } else { (2, 1) };
            wishes.extend([
                wish(Part::Counts, self.counts().0.len(), counts),
                wish(Part::Scenarios, self.scenarios().len(), 5),
                wish(Part::Rate, self.rate().0.len(), rate),
                wish(Part::RateCurve, 2, 7),
                wish(Part::LatencyCurve, 3, 8),
                wish(Part::Latency, 4, 3),
                wish(Part::Goals, self.goals().len(), 3),
                wish(Part::Target, self.target().len(), 4),
                wish(Part::Limit, self.limit().len(), 3),
                wish(Part::Failures, self.failures().len(), 4),
                trials,
            ]);
        }
        wishes.extend([
            wish(Part::Log, log, if view.is_help { 0 } else { 6 }),
            wish(Part::Keys, 1, 2),
        ]);
        wishes
    }

    fn draw(&mut self, part: Part, area: Rect) {
        let (colors, plain) = (self.colors, Style::new());
        match part {
            Part::Bar => {
                let bar = self.bar();
                self.rows(area, &[(bar, colors.bar())]);
            }
            Part::Counts => {
                let counts = self.counts();
                self.styled(area, counts.0, counts.1);
            }
            Part::Scenarios => {
                let rows = self.scenarios();
                self.styled(area, rows, plain);
            }
            Part::Rate => {
                let rate = self.rate();
                self.styled(area, rate.0, rate.1);
            }
            Part::RateCurve => {
                let values = self.view.history.requests(self.columns);
                curve::draw(self.buffer, area, &values, colors.rate());
            }
            Part::LatencyCurve => self.latency_curve(area),
            Part::Latency => {
                let rows = figures::latency(self.view, self.catalog, self.columns);
                let styles = [colors.quiet(), plain, plain, plain];
                self.rows(area, &rows.into_iter().zip(styles).collect::<Vec<_>>());
            }
            Part::Goals => {
                let rows = self.goals();
                self.rows(area, &rows);
            }
            Part::Target => {
                let rows = self.target();
                self.styled(area, rows, plain);
            }
            Part::Limit => {
                let rows = self.limit();
                self.styled(area, rows, colors.head());
            }
            Part::Failures => {
                let rows = self.failures();
                self.rows(area, &rows);
            }
            Part::Trials => {
                let rows = self.trials(area.height.into());
                self.rows(area, &rows);
            }
            Part::Log => self.log(area),
            Part::Keys => {
                let keys = self.catalog.text(&if self.view.is_search() {
                    screen::keys_of_search()
                } else {
                    screen::keys()
                });
                self.rows(area, &[(keys, colors.quiet())]);
            }
        }
    }

    /// Texts from the top of `area`, each cut to its width.
    fn rows(&mut self, area: Rect, rows: &[(String, Style)]) {
        for (y, (text, style)) in (area.top()..area.bottom()).zip(rows) {
            let text = cut(text, self.columns);
            self.buffer.set_string(area.x, y, text, *style);
        }
    }

    /// The same, all of one style.
    fn styled(&mut self, area: Rect, rows: Vec<String>, style: Style) {
        let rows = rows.into_iter().map(|row| (row, style));
        self.rows(area, &rows.collect::<Vec<_>>());
    }

    /// A whole row: what is tested at its left, what it is at and the time at its right.
    fn bar(&self) -> String {
        let view = self.view;
        let elapsed = clock(view.elapsed);
        let time = match view.whole {
            Some(whole) => self.catalog.text(&screen::time(elapsed, clock(whole))),
            None => elapsed,
        };
        let state = figures::state(view.state, self.catalog);
        let end = cut(&format!(" {state} {time} "), self.columns);
        let room = self.columns - unicode_width::UnicodeWidthStr::width(&*end);
        let title = cut(&format!(" {}", view.title), room);
        format!("{}{end}", left(&title, room))
    }

    fn counts(&self) -> (Vec<String>, Style) {
        if self.view.is_search() {
            let lines = self.view.stage.iter();
            let rows = lines.flat_map(|line| wrapped(line, self.columns));
            return (rows.collect(), Style::new());
        }
        let (load, catalog) = (self.view.load, self.catalog);
        let number = |count: u64| grouped(count as f64, 0);
        let mut text = catalog.text(&screen::iterations(
            number(load.users_active),
            number(load.users),
            number(load.complete),
            number(load.interrupted),
            number(load.dropped),
        ));
        if load.percent != 100 {
            let share = percent(f64::from(load.percent) / 100.0);
            text = format!("{} · {text}", catalog.text(&screen::load(share)));
        }
        if self.view.is_crossed {
            text = format!("{} · {text}", catalog.text(&screen::crossed()));
        }
        let calls = load.dropped > 0 || self.view.is_crossed;
        let style = if calls {
            self.colors.warning()
        } else {
            Style::new()
        };
        (wrapped(&text, self.columns), style)
    }

    fn scenarios(&self) -> Vec<String> {
        let all = &self.view.scenarios;
        let mut rows: Vec<String> = all
            .iter()
            .take(SCENARIO_ROWS_MAX)
            .map(|scenario| {
                let text = screen::scenario(
                    &scenario.name,
                    percent(scenario.share),
                    grouped(scenario.users as f64, 0),
                );
                format!("{} {}", progress(scenario.share), self.catalog.text(&text))
            })
            .collect();
        if all.len() > SCENARIO_ROWS_MAX {
            let more = screen::more_scenarios(all.len() - SCENARIO_ROWS_MAX);
            rows.push(self.catalog.text(&more));
        }
        rows
    }

    /// The rate of the last second, and what was offered.
    fn rate(&self) -> (Vec<String>, Style) {
        let values = self.view.history.requests(self.columns);
        let last = values.last().copied().flatten();
        let most = values.iter().flatten().copied().fold(0.0, f64::max);
        let mut text = self.catalog.text(&screen::rate());
        if let Some(last) = last {
            let now = screen::rate_now(significant(last), significant(most));
            text = format!("{text} {}", self.catalog.text(&now));
        }
        if let Some(offered) = figures::offered(self.view, self.catalog) {
            text = format!("{text} · {offered}");
        }
        (wrapped(&text, self.columns), self.colors.head())
    }

    fn latency_curve(&mut self, area: Rect) {
        let values = self.view.history.p95_ms(self.columns);
        let most = values.iter().flatten().copied().fold(0.0, f64::max);
        let mut text = self.catalog.text(&screen::latency());
        if let Some(last) = values.last().copied().flatten() {
            let now = screen::latency_now(significant(last), significant(most));
            text = format!("{text} {}", self.catalog.text(&now));
        }
        let head = self.colors.head();
        self.rows(area, &[(text, head)]);
        let below = Rect {
            y: area.y + 1,
            height: area.height - 1,
            ..area
        };
        curve::draw(self.buffer, below, &values, self.colors.latency());
    }

    /// Goals that are missed first.
    fn goals(&self) -> Vec<(String, Style)> {
        let mut goals: Vec<&GoalView> = self.view.goals.iter().collect();
        goals.sort_by_key(|goal| goal.met.map_or(1, |met| 2 * u8::from(met)));
        let shown = goals.iter().take(GOAL_ROWS_MAX).map(|goal| {
            let (sign, word, style) = match goal.met {
                Some(true) => ('✓', screen::goal_met(), Style::new()),
                Some(false) => ('✗', screen::goal_missed(), self.colors.warning()),
                None => ('·', screen::goal_unknown(), self.colors.quiet()),
            };
            let word = self.catalog.text(&word);
            (
                format!("{sign} {word}  {}  {}", goal.goal, goal.observed),
                style,
            )
        });
        let mut rows: Vec<(String, Style)> = shown.collect();
        if goals.len() > GOAL_ROWS_MAX {
            let more = screen::more_goals(goals.len() - GOAL_ROWS_MAX);
            rows.push((self.catalog.text(&more), self.colors.quiet()));
        }
        rows
    }

    fn target(&self) -> Vec<String> {
        let mut parts = figures::target(&self.view.target, self.catalog);
        if parts.is_empty() {
            return Vec::new();
        }
        if let Some(share) = self.view.generator {
            parts.push(self.catalog.text(&screen::generator(percent(share))));
        }
        let head = self.catalog.text(&screen::target());
        wrapped(&format!("{head}: {}", parts.join(" · ")), self.columns)
    }

    fn limit(&self) -> Vec<String> {
        let limit = self.view.limit.iter();
        limit.flat_map(|text| wrapped(text, self.columns)).collect()
    }

    fn failures(&self) -> Vec<(String, Style)> {
        let colors = self.colors;
        let head = self.catalog.text(&screen::failures());
        if self.view.is_search() {
            return Vec::new();
        }
        if self.view.failures.is_empty() {
            let none = self.catalog.text(&screen::no_failures());
            return vec![(format!("{head}: {none}"), colors.quiet())];
        }
        let mut rows = vec![(head, colors.warning())];
        rows.extend(
            self.view
                .failures
                .iter()
                .take(FAILURE_ROWS_MAX)
                .map(|failure| {
                    let count = right(&grouped(failure.count, 0), 9);
                    (format!("{count}  {}", failure.what), Style::new())
                }),
        );
        rows
    }

    /// The head of the table of trials, and the newest of them.
    fn trials(&self, rows: usize) -> Vec<(String, Style)> {
        let Some((head, trials)) = self.view.trials.split_first() else {
            return Vec::new();
        };
        let newest = trials.len().saturating_sub(rows.saturating_sub(1));
        let head = (head.clone(), self.colors.head());
        let lines = trials.iter().skip(newest);
        let lines = lines.map(|line| (line.clone(), Style::new()));
        std::iter::once(head).chain(lines).collect()
    }

    /// The keys in full, or the newest lines of the log under their head.
    fn log(&mut self, area: Rect) {
        let (colors, plain) = (self.colors, Style::new());
        if self.view.is_help {
            let rows = self.help();
            self.rows(area, &rows);
            return;
        }
        let head = self.catalog.text(&screen::log());
        let room = usize::from(area.height).saturating_sub(1);
        let skipped = self.view.log.len().saturating_sub(room);
        let lines = self.view.log.iter().skip(skipped);
        let mut rows = vec![(head, colors.head())];
        rows.extend(lines.map(|line| (line.clone(), plain)));
        self.rows(area, &rows);
    }

    fn help(&self) -> Vec<(String, Style)> {
        let keys = [
            ("p  h", screen::help_pause()),
            ("+  -", screen::help_load()),
            ("q  Ctrl-C", screen::help_stop()),
            ("Q", screen::help_abort()),
            ("l", screen::help_language()),
            ("?", screen::help_close()),
        ];
        let head = (self.catalog.text(&screen::help()), self.colors.head());
        // Nobody but the search changes its load.
        let shown = if self.view.is_search() {
            &keys[2..]
        } else {
            &keys[..]
        };
        let rows = shown.iter().map(|(key, meaning)| {
            let text = format!("  {}{}", left(key, 11), self.catalog.text(meaning));
            (text, Style::new())
        });
        std::iter::once(head).chain(rows).collect()
    }
}

/// `[======------]`
fn progress(share: f64) -> String {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share from 0 to 1"
    )]
    let full = ((share.clamp(0.0, 1.0)) * BAR_COLUMNS as f64).round() as usize;
    format!("[{}{}]", "=".repeat(full), "-".repeat(BAR_COLUMNS - full))
}

#[cfg(test)]
mod tests;
