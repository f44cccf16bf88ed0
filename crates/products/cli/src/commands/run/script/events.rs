//! What of a run's events stands in the log of a k6 run.

use loadline_k6::log::{Entry, LogLevel, LogSink};
use loadline_outputs::NoticeKind;
use loadline_session::SessionEvent;
use loadline_text::{Catalog, grouped, records};

use crate::held;
use crate::log::LogWriter;

/// Lines that belong to the log of a k6 run.
pub(super) fn log_event(log: &LogWriter, event: &SessionEvent, catalog: &Catalog) {
    if let SessionEvent::OutOfUsers {
        scenario,
        executor,
        active,
    } = event
    {
        let message =
            format!("Insufficient VUs, reached {active} active VUs and cannot initialize more");
        log.log(
            Entry::new(LogLevel::Warning, message)
                .with("executor", *executor)
                .with("scenario", scenario.as_str()),
        );
    }
    if let SessionEvent::ExtraFailed {
        scenario,
        executor,
        message,
    } = event
    {
        log.log(
            Entry::new(LogLevel::Error, "Error while allocating unplanned VU")
                .with("error", message.as_str())
                .with("executor", *executor)
                .with("scenario", scenario.as_str()),
        );
    }
    if let SessionEvent::Output(notice) = event {
        let level = match notice.what {
            NoticeKind::Recovered | NoticeKind::Resumed { .. } => LogLevel::Info,
            _ => LogLevel::Warning,
        };
        log.log(Entry::new(
            level,
            crate::output_notice::notice(notice, catalog),
        ));
    }
    if let SessionEvent::WorkerHeld(hold) = event {
        let text = catalog.text(&held::words(hold));
        log.log(Entry::new(LogLevel::Warning, text));
    }
    if let SessionEvent::TooManySeries { series } = event {
        let text = catalog.text(&records::too_many_series(grouped(*series as f64, 0)));
        log.log(Entry::new(LogLevel::Warning, text));
    }
}
