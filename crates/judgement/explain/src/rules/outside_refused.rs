//! Another server answers calls of the target with a limit of its own: "too many requests", "service unavailable".
//!
//! What goes in comes out: a request that needs a call is answered well only as often as a call is. Where the calls that
//! are refused are at least as many as the requests that fail, and those answered well as many as the requests that need
//! one, the other server's limit is all that is lost.

use loadline_record::signals::{Entity, Label, SignalKind};
use loadline_text::{evidence, findings, percent, significant};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, RuleId,
};
use super::super::input::{CallerView, share};
use super::super::traced::per_traced;
use super::super::under_way::Account;
use super::super::view::RunView;
use super::{Draft, RuleContext};

/// Fewer failed requests are not worth telling.
const FAILED_SHARE_MIN: f64 = 0.02;
/// Where none fails, calls that are made again are what requests wait for from so many of them a request on.
const REFUSED_PER_REQUEST_MIN: f64 = 0.5;
/// Refused calls are at least this part of the failed requests.
const ACCOUNTED_PART_MIN: f64 = 0.5;
/// Calls and requests that were answered well are the same where they differ by less than this share, ...
const CONSERVED_SHARE_MAX: f64 = 0.1;
/// ... and refused calls are as many as failed requests from this part on.
const CLOSED_PART_MIN: f64 = 0.8;
/// An endpoint fails from this share on.
const FAILING_SHARE_MIN: f64 = 0.02;

/// Calls that another server refuses, a second.
pub(in super::super) struct RefusedCalls {
    peer: Option<String>,
    refused: f64,
    calls: f64,
}

impl RefusedCalls {
    /// Of the server that refuses most; as the page counts them, else as traces show them. One that lets nobody in is
    /// away, not at a limit.
    pub(in super::super) fn new(context: &RuleContext<'_>) -> Option<Self> {
        let found = Self::of_page(context.view).or_else(|| Self::of_traces(context.view))?;
        (found.refused < found.calls).then_some(found)
    }

    fn of_traces(view: &RunView<'_>) -> Option<Self> {
        let scale = per_traced(view)?;
        let all = view.run.signals.of_kind(SignalKind::TracedCallsRefused);
        let all = all.filter_map(|series| {
            let peer = series.entity.get(Label::Peer)?;
            let of = Entity::new().with(Label::Peer, peer);
            Some(Self {
                peer: Some(peer.to_owned()),
                refused: scale * view.rate(SignalKind::TracedCallsRefused, &of)?,
                calls: scale * view.rate(SignalKind::TracedCalls, &of)?,
            })
        });
        let most = all.max_by(|a, b| a.refused.total_cmp(&b.refused));
        most.filter(|most| most.refused > 0.0)
    }

    fn of_page(view: &RunView<'_>) -> Option<Self> {
        let all = view.run.signals.of_kind(SignalKind::OutsideRefused);
        let all = all.filter_map(|series| {
            let mut calls = view.run.signals.of_kind(SignalKind::OutsideCalls);
            let calls = calls.find(|calls| calls.entity == series.entity)?;
            let calls = view.rate_of(calls)?;
            // A counter of a status that nobody answered before begins in the middle: before, it was 0.
            let (from, to) = view.window();
            let seconds = |at_ms: u64| f64::from(u32::try_from(at_ms).unwrap_or(u32::MAX)) / 1000.0;
            let inside = |at_ms: u64| (from..=to).contains(&seconds(at_ms));
            let first = series.points().iter().find(|point| inside(point.at_ms))?;
            let known = (to - seconds(first.at_ms).max(from)).max(0.0);
            Some(Self {
                peer: series.entity.get(Label::Peer).map(str::to_owned),
                refused: view.rate_of(series)? * share(known, to - from).min(1.0),
                calls,
            })
        });
        let most = all.max_by(|a, b| a.refused.total_cmp(&b.refused));
        most.filter(|most| most.refused > 0.0)
    }

    /// Of the failed requests.
    pub(in super::super) fn account(&self, context: &RuleContext<'_>) -> Account {
        let failed = failed(&context.view.callers);
        if failed > 0.0 {
            Account::Share(share(self.refused, failed).min(1.0))
        } else {
            Account::Unknown
        }
    }

    /// As many calls are answered well as requests of the endpoints that fail, and as many are refused as fail.
    fn is_closed(&self, context: &RuleContext<'_>) -> bool {
        let callers = &context.view.callers;
        let well = answered_where_some_fail(context).unwrap_or(callers.answered);
        let good_calls = self.calls - self.refused;
        (good_calls - well).abs() <= CONSERVED_SHARE_MAX * well.max(1.0)
            && self.refused >= CLOSED_PART_MIN * failed(callers)
    }
}

/// Requests that fail, a second.
fn failed(callers: &CallerView) -> f64 {
    callers.failed * callers.ended
}

/// Requests answered well, a second, of the endpoints of which some fail; `None` where endpoints are not told apart.
fn answered_where_some_fail(context: &RuleContext<'_>) -> Option<f64> {
    let view = context.view;
    let endpoints = view.run.endpoints.iter().filter_map(|endpoint| {
        let windows = endpoint.windows.get(view.busy_windows())?;
        Some(CallerView::from_windows(windows))
    });
    let failing = endpoints.filter(|one| one.failed >= FAILING_SHARE_MIN);
    failing.map(|one| one.answered).reduce(|a, b| a + b)
}

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let callers = &context.view.callers;
    if !context.has_signs() {
        return None;
    }
    let Some(seen) = RefusedCalls::new(context) else {
        return by_log(context);
    };
    let is_failing =
        callers.failed >= FAILED_SHARE_MIN && seen.refused >= ACCOUNTED_PART_MIN * failed(callers);
    let is_waiting = seen.refused >= REFUSED_PER_REQUEST_MIN * callers.ended;
    if !is_failing && !is_waiting {
        return None;
    }
    let grade = if is_failing && seen.is_closed(context) {
        EvidenceGrade::A
    } else {
        EvidenceGrade::B
    };
    let (part, rate) = (
        percent(share(seen.refused, seen.calls)),
        significant((seen.calls - seen.refused).max(0.0)),
    );
    let statement = match seen.peer.clone() {
        Some(peer) => findings::outside_refused(peer, part, rate),
        None => findings::outside_refused_unnamed(part, rate),
    };
    let logged = context.logged.evidence(RuleId::OutsideRefused);
    let draft = Draft::new(
        RuleId::OutsideRefused,
        BottleneckPart::Outside,
        grade,
        statement,
    );
    let draft = match logged {
        Some(logged) => draft.witnessed(logged),
        None => draft,
    };
    shown(draft, context)
        .shown(
            "calls-refused",
            evidence::calls_refused(),
            seen.refused,
            EvidenceUnit::PerSecond,
        )
        .shown(
            "calls",
            evidence::outside_calls(),
            seen.calls,
            EvidenceUnit::PerSecond,
        )
        .done()
}

/// The log alone says so.
fn by_log(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let logged = context.logged.evidence(RuleId::OutsideRefused)?;
    if context.view.callers.failed < FAILED_SHARE_MIN {
        return None;
    }
    // The target writes what it was answered, for each request that its callers miss.
    let grade = if logged.is_error_of_each {
        EvidenceGrade::A
    } else {
        logged.grade
    };
    let draft = Draft::new(
        RuleId::OutsideRefused,
        BottleneckPart::Outside,
        grade,
        findings::outside_refused_logged(),
    );
    shown(draft.witnessed(logged), context).done()
}

fn shown(draft: Draft, context: &RuleContext<'_>) -> Draft {
    let failed = context.view.callers.failed;
    draft
        .shown("failed", evidence::failed(), failed, EvidenceUnit::Share)
        .advised([
            Advice::to(findings::outside_refused_try_less()),
            Advice::to(findings::outside_refused_try_wait()),
            Advice::to(findings::outside_refused_try_more()),
        ])
        .limiting_at(context.measured.rate)
}
