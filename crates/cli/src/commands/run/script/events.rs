//! What of a run's events stands in the log of a k6 run.

use loadline_k6::log::{Entry, Level, Sink};
use loadline_outputs::NoticeKind;
use loadline_session::Event;
use loadline_text::{Catalog, grouped, records};

use super::super::out;
use crate::log::LogWriter;

/// Lines that belong to the log of a k6 run.
pub(super) fn log_event(log: &LogWriter, event: &Event, catalog: &Catalog) {
    if let Event::OutOfUsers {
        scenario,
        executor,
        active,
    } = event
    {
        let message =
            format!("Insufficient VUs, reached {active} active VUs and cannot initialize more");
        log.log(
            Entry::new(Level::Warning, message)
                .with("executor", *executor)
                .with("scenario", scenario.as_str()),
        );
    }
    if let Event::Output(notice) = event {
        let level = match notice.what {
            NoticeKind::Recovered | NoticeKind::Resumed { .. } => Level::Info,
            _ => Level::Warning,
        };
        log.log(Entry::new(level, out::notice(notice, catalog)));
    }
    if let Event::TooManySeries { series } = event {
        let text = catalog.text(&records::too_many_series(grouped(*series as f64, 0)));
        log.log(Entry::new(Level::Warning, text));
    }
}
