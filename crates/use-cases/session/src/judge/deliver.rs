//! Where a run's windows and events go: its record, its outputs, its follower.

use std::panic::{AssertUnwindSafe, catch_unwind};

use loadline_engine as engine;
use loadline_metrics::{Merger, Window};
use loadline_outputs::{NoticeKind, OutputNotice, OutputReport};
use loadline_record::event_kind;
use loadline_units::Time;
use loadline_vu::{Fault, FaultClass};

use super::{Judge, RunNote};
use crate::event::SessionEvent;
use crate::limits::SERIES_MAX;
use crate::outputs::FLUSH_TIMEOUT;

impl Judge {
    /// Stores the notes since the last call.
    pub(crate) fn take_notes(&mut self, now: Time) {
        let Some(notes) = self.notes.take() else {
            return;
        };
        for note in notes.try_iter() {
            match note {
                RunNote::SessionEvent(kind, detail) => self.note(now, kind, detail),
                RunNote::Verdict(word) => self.verdict = Some(word.to_owned()),
            }
        }
        self.notes = Some(notes);
    }

    /// Gives a window to the outputs.
    pub(super) fn send(&mut self, window: &Window, totals: &Merger, now: Time) {
        let Some(outputs) = &mut self.outputs else {
            return;
        };
        let sent = catch_unwind(AssertUnwindSafe(|| outputs.window(window, totals, now)));
        if let Err(panic) = sent {
            self.outputs = None;
            self.end_with(Fault::panic(panic.as_ref()));
            return;
        }
        let notices: Vec<OutputNotice> = outputs.notices().collect();
        for notice in notices {
            self.take_output_notice(now, notice);
        }
    }

    pub(super) fn take_output_notice(&mut self, now: Time, notice: OutputNotice) {
        let (kind, detail) = match &notice.what {
            NoticeKind::Replacing { from, cause } => (
                "output-full",
                serde_json::json!({ "from": from, "cause": cause.word() }),
            ),
            NoticeKind::Resumed { from } => ("output-resumed", serde_json::json!({ "from": from })),
            NoticeKind::Failing { reason } => {
                ("output-failing", serde_json::json!({ "reason": reason }))
            }
            NoticeKind::Recovered => ("output-recovered", serde_json::json!({})),
            NoticeKind::Waiting { .. } => ("output-waiting", serde_json::json!({})),
        };
        let mut detail = detail;
        detail["output"] = notice.output.clone().into();
        self.note(now, kind, detail);
        self.emit(SessionEvent::Output(notice));
    }

    /// Waits for the outputs; what became of each.
    pub(crate) fn finish_outputs(&mut self, now: Time) -> Vec<OutputReport> {
        let Some(mut outputs) = self.outputs.take() else {
            return Vec::new();
        };
        let events = self.events.clone();
        let waits = |waiting: &[OutputNotice]| {
            for notice in waiting {
                // A caller that dropped the receiver need not wait.
                let _ = events.send(SessionEvent::Output(notice.clone()));
            }
        };
        let reports = outputs.finish(FLUSH_TIMEOUT, waits);
        let notices: Vec<OutputNotice> = outputs.notices().collect();
        for notice in notices {
            self.take_output_notice(now, notice);
        }
        for report in &reports {
            let detail = serde_json::json!({
                "output": report.output,
                "points": report.points,
                "replaced_samples": report.replaced,
                "replaced_between": report.replaced_between.map(|(from, until)| [from, until]),
                "refused": report.refused,
                "unsent_samples": report.unsent_samples,
                "unsent_windows": report.unsent_windows,
                "unreadable_windows": report.unreadable,
            });
            self.note(now, "output", detail);
        }
        reports
    }

    /// Shows a window to the follower.
    pub(super) fn show(&mut self, window: &Window, totals: &Merger) {
        let Some(follower) = &self.follower else {
            return;
        };
        let shown = catch_unwind(AssertUnwindSafe(|| follower.window(window, totals)));
        if let Err(panic) = shown {
            self.follower = None;
            self.end_with(Fault::panic(panic.as_ref()));
        }
    }

    /// Shows it a window again that the generator's own delays did not touch.
    pub(super) fn show_calm(&mut self, window: &Window, totals: &Merger) {
        let Some(follower) = &self.follower else {
            return;
        };
        let shown = catch_unwind(AssertUnwindSafe(|| follower.calm_window(window, totals)));
        if let Err(panic) = shown {
            self.follower = None;
            self.end_with(Fault::panic(panic.as_ref()));
        }
    }

    /// Reports once that there are too many series.
    pub(super) fn count_series(&mut self, now: Time, totals: &Merger) {
        let series = totals.series_count();
        if self.told_of_series || series < SERIES_MAX as usize {
            return;
        }
        self.told_of_series = true;
        self.note(
            now,
            "too-many-series",
            serde_json::json!({ "series": series }),
        );
        self.emit(SessionEvent::TooManySeries { series });
    }

    /// Notes that something happened.
    pub(super) fn note(&mut self, now: Time, kind: &str, detail: serde_json::Value) {
        if let Some((recorder, _)) = &mut self.recorder {
            recorder.event(now.as_nanos(), kind, detail);
        }
    }

    /// Stores an event while the record can be written.
    pub(super) fn keep(&mut self, event: &engine::EngineEvent<'_>, now: Time, totals: &Merger) {
        let kept = catch_unwind(AssertUnwindSafe(|| self.record(event, now, totals)));
        if let Err(panic) = kept {
            self.recorder = None;
            self.end_with(Fault::panic(panic.as_ref()));
        }
        let defect = self.recorder.as_ref().and_then(|(r, _)| r.defect());
        if let Some(message) = defect {
            let class = FaultClass::Panic;
            self.end_with(Fault { class, message });
        }
    }

    fn record(&mut self, event: &engine::EngineEvent<'_>, now: Time, totals: &Merger) {
        let nothing = serde_json::Value::Null;
        match event {
            engine::EngineEvent::Window(window) => {
                if let Some((recorder, registry)) = &mut self.recorder {
                    recorder.window(window, totals, registry);
                }
            }
            engine::EngineEvent::UsersMade { .. } | engine::EngineEvent::WindowsOpen(_) => {}
            engine::EngineEvent::Waits => self.note(now, "paused", nothing),
            engine::EngineEvent::StageBegins(stage) => {
                let detail = serde_json::json!({ "stage": format!("{stage:?}").to_lowercase() });
                self.note(now, "stage", detail);
            }
            engine::EngineEvent::Begins(at) => {
                self.note(*at, event_kind::BEGINS, nothing.clone());
                if self.is_warming() {
                    self.note(*at, event_kind::WARMING, nothing);
                }
            }
            engine::EngineEvent::OutOfUsers { scenario, active } => {
                let name = &self.names[scenario.index()].0;
                let detail = serde_json::json!({ "scenario": name, "active": active });
                self.note(now, "out-of-users", detail);
            }
            engine::EngineEvent::ExtraFailed { scenario, fault } => {
                let name = &self.names[scenario.index()].0;
                let detail = serde_json::json!({ "scenario": name, "message": fault.message });
                self.note(now, "user-not-made", detail);
            }
            engine::EngineEvent::WorkerHeld(hold) => {
                let detail = serde_json::json!({
                    "worker": hold.worker.index(),
                    "call": hold.call,
                    "held_ms": hold.held.as_millis(),
                    "lost": hold.is_lost,
                });
                self.note(now, "worker-held", detail);
            }
            engine::EngineEvent::ScenariosOver => {
                self.note(now, event_kind::SCENARIOS_OVER, nothing)
            }
            engine::EngineEvent::Failed(fault) => {
                let detail = serde_json::json!({ "message": fault.message });
                self.note(now, "failed", detail);
            }
        }
    }
}
