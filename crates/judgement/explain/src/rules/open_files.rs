//! The target has as many files open as it may: connections of callers, of pools and of calls are files, too.

use loadline_record::signals::SignalKind;
use loadline_text::{counted, evidence, findings};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, RuleId,
};
use super::super::logged::LogEvidence;
use super::pool_logged::enough_lines;
use super::{Draft, RuleContext};

/// All files are open from this share on, ...
const OPEN_SHARE_MIN: f64 = 0.95;
/// ... and at so many looks: who finds none closes at once what it holds.
const FULL_LOOKS_SHARE_MIN: f64 = 0.05;
/// What sets the limit.
const SET_BY: &str = "ulimit -n; systemd: LimitNOFILE";

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    if !context.has_signs() {
        return None;
    }
    let most = full(context);
    let logged = enough_lines(context, RuleId::OpenFiles);
    let (grade, statement) = match (most, logged) {
        (Some(most), Some(_)) => (EvidenceGrade::A, findings::open_files_full(counted(most))),
        (Some(most), None) => (EvidenceGrade::B, findings::open_files_full(counted(most))),
        (None, Some(logged)) => {
            let statement = findings::open_files_logged(counted(logged.from_s));
            (logged.grade_beside_callers(), statement)
        }
        (None, None) => return None,
    };
    let draft = Draft::new(RuleId::OpenFiles, BottleneckPart::Files, grade, statement);
    let draft = draft.shown(
        "open-files-max",
        evidence::open_files_max(),
        most,
        EvidenceUnit::Count,
    );
    with_lines(draft, logged)
        .advised([
            Advice::to(findings::open_files_try()).by("lsof -p PID"),
            Advice::to(findings::open_files_try_more()).by(SET_BY),
        ])
        .limiting_at(context.measured.rate)
        .done()
}

fn with_lines(draft: Draft, logged: Option<&LogEvidence>) -> Draft {
    match logged {
        Some(logged) => draft.witnessed(logged),
        None => draft,
    }
}

/// The most files that a process may have open which had all of them.
fn full(context: &RuleContext<'_>) -> Option<f64> {
    let view = context.view;
    let open = view.run.signals.of_kind(SignalKind::OpenFiles);
    let full = open.filter_map(|series| {
        let most = view.largest(SignalKind::OpenFilesMax, &series.entity)?;
        let looks = view.share_at_limit(series, most, OPEN_SHARE_MIN)?;
        (most > 0.0 && looks >= FULL_LOOKS_SHARE_MIN).then_some(most)
    });
    full.reduce(f64::max)
}
