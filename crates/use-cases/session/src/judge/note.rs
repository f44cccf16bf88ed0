//! What the caller that controls a run stores with it.

use loadline_record::event_kind;

/// Something to store with a run, from the caller that controls it.
#[derive(Debug, Clone)]
pub enum RunNote {
    /// An event of this kind.
    SessionEvent(&'static str, serde_json::Value),
    /// The run's verdict in one word, instead of that of its thresholds.
    Verdict(&'static str),
}

impl RunNote {
    /// The load was changed while the run went on: by whom (`key`, `rest-api`, `search`), and how (`paused`, `resumed`,
    /// `scaled` to a share of the plan, `level` in the search's unit).
    #[must_use]
    pub fn load_changed(by: &'static str, change: &'static str, to: Option<f64>) -> Self {
        let mut detail = serde_json::json!({ "by": by, "change": change });
        if let Some(to) = to {
            detail["to"] = to.into();
        }
        Self::SessionEvent(event_kind::LOAD_CHANGED, detail)
    }
}
