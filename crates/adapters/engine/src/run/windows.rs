//! Windows of the workers: taken in, closed, and shown to the observer.

use std::time::Duration;

use loadline_metrics::ShardWindow;
use loadline_units::Time;

use super::{Engine, GATHER_TIMEOUT};
use crate::command::{Command, Report};
use crate::error::EngineError;
use crate::observer::{EngineEvent, Observer};

impl Engine {
    pub(super) fn absorb(&mut self, part: ShardWindow, observer: &mut dyn Observer) {
        self.merger.absorb(part);
        while let Some(window) = self.merger.next_ready() {
            self.last_window_at = self.workers_link.now();
            self.notify(observer, &EngineEvent::Window(&window));
        }
    }

    /// Emits a window without its late parts; they follow as late parts.
    pub(super) fn emit_late_window(&mut self, observer: &mut dyn Observer) {
        let patience = self.shared.options.window_patience + Duration::from_secs(1);
        let now = self.workers_link.now();
        if self.merger.has_pending() && now.since(self.last_window_at) >= patience {
            self.last_window_at = now;
            let window = self.merger.force_next();
            self.notify(observer, &EngineEvent::Window(&window));
        }
    }

    /// Collects every worker's last window.
    pub(super) fn close_windows(&mut self, observer: &mut dyn Observer) -> Result<(), EngineError> {
        self.shared.must_end_by(self.workers_link.now());
        self.shared.send_all(|| Command::CloseWindows);
        let mut waiting = self.open_workers;
        while waiting > 0 {
            if let Some(Report::WindowsClosed) = self.receive(Time::MAX, observer)? {
                waiting -= 1;
            }
        }
        self.emit_remaining(observer);
        Ok(())
    }

    /// Collects what the remaining workers have measured, after one died.
    pub(super) fn gather(&mut self, observer: &mut dyn Observer) {
        self.shared.send_all(|| Command::CloseWindows);
        let give_up = self.workers_link.now() + GATHER_TIMEOUT;
        let mut waiting = self.open_workers;
        while waiting > 0 {
            match self.workers_link.next_report(give_up) {
                Ok(Some(Report::Window(part))) => self.absorb(*part, observer),
                Ok(Some(Report::WindowsClosed)) => waiting -= 1,
                Ok(Some(Report::Held(hold))) if !hold.is_lost => {}
                Ok(Some(Report::Died { .. } | Report::Held(_))) => {
                    self.open_workers = self.open_workers.saturating_sub(1);
                    waiting -= 1;
                }
                Ok(Some(_)) => {}
                Ok(None) | Err(_) => break,
            }
        }
        self.emit_remaining(observer);
    }

    pub(super) fn emit_remaining(&mut self, observer: &mut dyn Observer) {
        for window in self.merger.finish() {
            self.notify(observer, &EngineEvent::Window(&window));
        }
    }
}
