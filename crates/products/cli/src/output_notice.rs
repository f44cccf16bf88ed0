//! Texts for notices about outputs while a run goes on.

use loadline_outputs::{NoticeKind, OutputNotice, ReplaceCause};
use loadline_text::{Catalog, messages};

/// The text of a notice.
pub(crate) fn notice(notice: &OutputNotice, catalog: &Catalog) -> String {
    let output = &notice.output;
    catalog.text(&match &notice.what {
        NoticeKind::Replacing { from, cause } => {
            let cause = catalog.text(&match cause {
                ReplaceCause::Full => messages::output_full(),
                ReplaceCause::TooMany => messages::output_too_many(),
                ReplaceCause::Disk { reason } => messages::output_disk(reason),
            });
            messages::output_replacing(output, moment(*from), cause)
        }
        NoticeKind::Resumed { from } => messages::output_resumed(output, moment(*from)),
        NoticeKind::Failing { reason } => messages::output_failing(output, reason),
        NoticeKind::Recovered => messages::output_recovered(output),
        NoticeKind::Waiting { patience } => {
            messages::output_waiting(output, patience.as_secs().to_string())
        }
    })
}

/// A time of day in UTC, from nanoseconds since 1970.
pub(crate) fn moment(at: i64) -> String {
    let time = jiff::Timestamp::from_millisecond(at / 1_000_000);
    time.map_or_else(
        |_| at.to_string(),
        |time| time.strftime("%H:%M:%S%.3fZ").to_string(),
    )
}
