//! A search for capacity on the whole screen of a terminal.

use std::collections::VecDeque;
use std::time::Duration;

use loadline_experiment::window::LoadWindow;
use loadline_report::document::printable;
use loadline_terminal::{
    ColorMode, LatencyView, LiveState, LiveView, SecondFigures, WindowFigures,
};
use loadline_text::{Catalog, Lang};

use super::painter::Painter;

/// Seconds of the middle window of latencies.
const LATENCY_WINDOW_SECONDS: usize = 10;

/// What is shown of a search.
pub(crate) struct SearchScreen {
    painter: Painter,
    view: LiveView,
    catalog: Catalog,
    last_seconds: VecDeque<WindowFigures>,
}

impl SearchScreen {
    /// A view of a search for the capacity of what `title` names.
    pub(crate) fn new(title: &str, has_colors: bool, lang: Lang) -> Self {
        let mut view = LiveView::new(printable::line(title));
        view.state = LiveState::Measuring;
        Self {
            painter: Painter::new(ColorMode::new(has_colors)),
            view,
            catalog: Catalog::new(lang),
            last_seconds: VecDeque::new(),
        }
    }

    /// The language that is spoken now.
    pub(crate) const fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// Explains the keys, or no longer.
    pub(crate) fn help(&mut self) {
        self.view.is_help = !self.view.is_help;
    }

    /// Speaks the other language from now on.
    pub(crate) fn switch_language(&mut self) {
        self.catalog = Catalog::new(self.catalog.lang().other());
    }

    /// The search is asked to stop.
    pub(crate) fn stop(&mut self) {
        self.view.state = LiveState::Stopping;
    }

    /// Another level begins; `stage` says what the search is at.
    pub(crate) fn begin_level(&mut self, stage: Vec<String>) {
        self.view.stage = stage;
        self.view.latency.run = WindowFigures::default();
    }

    /// Takes a window in: `stage` says what the search is at, `planned` the starts a second that
    /// are planned, where load is planned in starts.
    pub(crate) fn add(&mut self, window: &LoadWindow, stage: Vec<String>, planned: Option<f64>) {
        let second = WindowFigures {
            requests: window.requests,
            failed: window.failed,
            durations: window.durations.clone(),
        };
        self.view.stage = stage;
        self.view.elapsed = Duration::from_secs_f64(window.end.max(0.0));
        self.view.generator = window.generator.cpu;
        self.view.history.push(SecondFigures {
            requests: second.requests,
            p95_ms: second.durations.percentile(0.95),
            iterations: window.ended,
            planned,
            dropped: window.dropped,
        });
        if self.last_seconds.len() == LATENCY_WINDOW_SECONDS {
            self.last_seconds.pop_front();
        }
        self.last_seconds.push_back(second.clone());
        let mut ten_seconds = WindowFigures::default();
        self.last_seconds
            .iter()
            .for_each(|one| ten_seconds.add(one));
        let mut run = std::mem::take(&mut self.view.latency.run);
        run.add(&second);
        self.view.latency = LatencyView {
            second,
            ten_seconds,
            run,
        };
    }

    /// The next picture; none once the screen was given back.
    pub(crate) fn draw(&mut self) {
        self.painter.draw(&mut self.view, &self.catalog);
    }
}
