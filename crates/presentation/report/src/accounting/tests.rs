use std::sync::Arc;
use std::time::Duration;

use loadline_metrics::threshold::Thresholds;
use loadline_metrics::{Merger, Registry, Shard, Submetrics, TagSetId, builtin};
use loadline_record::{Accounting, Run};
use loadline_text::Lang;
use loadline_units::WorkerId;

use super::*;

/// The lines about so many requests sent, cut, and of these by the ramp-down.
fn lines_of(sent: u64, cut: u64, ramped_down: u64, lang: Lang) -> Vec<String> {
    let registry = Arc::new(Registry::new());
    let mut shard = Shard::new(WorkerId(0), registry.clone());
    shard.record(builtin::HTTP_REQS_CUT, TagSetId::EMPTY, 250.0);
    let mut merger = Merger::new(1, registry.clone(), Submetrics::default());
    merger.absorb(shard.take_window(0));
    merger.next_ready().unwrap();
    let mut run = Run::finished(Duration::from_secs(10));
    let mut all = Accounting::default();
    (all.requests.sent, all.requests.answered) = (sent, sent - cut);
    (all.requests.cut, all.requests.ramped_down) = (cut, ramped_down);
    run.accounting = Some(all);
    let summary = Summary::new(&merger, &registry, &Thresholds::default(), run);
    lines(&summary, &Catalog::new(lang))
}

/// Seen: "5 of 55 requests were cut off at the end of the run" of a script with
/// `gracefulRampDown: '0s'`.
#[test]
fn what_the_tests_own_ramp_down_cut_is_told_apart_from_the_end_of_the_run() {
    assert_eq!(
        lines_of(55, 5, 5, Lang::En),
        [
            "5 of 55 requests were under way when the test's own ramp-down (gracefulRampDown) took their users away; http_req_duration does not contain them"
        ]
    );
    assert_eq!(
        lines_of(55, 1, 1, Lang::En),
        [
            "1 of 55 requests was under way when the test's own ramp-down (gracefulRampDown) took its user away; http_req_duration does not contain it"
        ]
    );
    assert_eq!(
        lines_of(55, 5, 5, Lang::Ko),
        [
            "요청 55건 중 5건은 테스트가 정한 사용자 감소(gracefulRampDown)로 응답을 기다리던 중에 끊겼습니다. http_req_duration에는 들어가지 않습니다"
        ]
    );
    let both = lines_of(55, 5, 3, Lang::En);
    assert!(both[0].starts_with("3 of 55 requests were under way when the test's own ramp-down"));
    assert!(both[1].starts_with("2 of 55 requests"), "{both:?}");
    assert!(
        !both[1].contains("ramp-down") && both.len() == 2,
        "{both:?}"
    );
    let at_end = lines_of(55, 5, 0, Lang::En);
    assert!(
        at_end.len() == 1 && !at_end[0].contains("ramp-down"),
        "{at_end:?}"
    );
    // A record in which more were taken away than cut is no reason for a negative number.
    assert!(lines_of(55, 5, 9, Lang::En)[0].starts_with("5 of 55"));
}
