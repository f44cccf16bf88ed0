use super::*;

fn measured(offered: f64, answered: f64, failed: f64, p95_ms: f64) -> PartMeasurement {
    PartMeasurement {
        offered,
        answered,
        failed,
        answers: answered * 10.0,
        seconds: 10.0,
        p50_ms: Some(p95_ms),
        p95_ms: Some(p95_ms),
    }
}

#[test]
fn a_part_gives_way_when_it_answers_less_than_offered() {
    let low = measured(1.0, 1.0, 0.0, 10.0);
    let judge = |now: PartMeasurement| now.judge(Some(&low));
    assert_eq!(judge(measured(50.0, 49.9, 0.0, 12.0)), PartJudgement::Holds);
    assert_eq!(
        judge(measured(50.0, 2.0, 0.0, 900.0)),
        PartJudgement::GivesWay(2.0)
    );
    assert_eq!(
        judge(measured(50.0, 2.0, 0.9, 12.0)),
        PartJudgement::GivesWay(2.0)
    );
    assert_eq!(
        judge(measured(50.0, 48.0, 0.04, 12.0)),
        PartJudgement::Fails(0.04)
    );
    assert_eq!(
        judge(measured(50.0, 49.0, 0.0, 400.0)),
        PartJudgement::Slows(10.0, 400.0)
    );
}

/// Two a second for five seconds are ten answers; nine of them were counted, and it was weak.
#[test]
fn an_answer_cut_off_at_the_edge_is_no_weakness() {
    let mut few = measured(2.0, 1.8, 0.0, 10.0);
    few.seconds = 5.0;
    assert_eq!(few.judge(None), PartJudgement::Holds);
    let mut many = measured(20.0, 18.0, 0.0, 10.0);
    many.seconds = 5.0;
    assert_eq!(many.judge(None), PartJudgement::GivesWay(18.0));
}

/// A server that answers 500 to everything answers; it does not give way.
#[test]
fn a_part_that_only_fails_is_said_to_fail() {
    let failing = measured(20.0, 0.0, 1.0, 10.0);
    assert_eq!(failing.judge(None), PartJudgement::Fails(1.0));
}

/// A part that carries so much, and the rates that are tried on it.
fn searched(carries: f64, planned: f64) -> (Vec<f64>, PartCapacity) {
    let mut search = RateSearch::new(planned, 3.0, 3, Some(1.0));
    let mut rates = Vec::new();
    while let Some(rate) = search.next_rate() {
        rates.push(rate);
        let now = measured(rate, rate.min(carries), 0.0, 10.0);
        let judgement = now.judge(None);
        search.record(&now, judgement);
    }
    (rates, search.capacity())
}

#[test]
fn a_part_that_holds_is_tried_up_to_three_times_the_plan() {
    let (rates, capacity) = searched(1e9, 20.0);
    assert_eq!(rates, [20.0, 60.0]);
    assert_eq!(capacity, PartCapacity::AtLeast(60.0));
}

#[test]
fn a_weak_part_is_tried_at_what_it_answered() {
    let (rates, capacity) = searched(2.0, 20.0);
    assert_eq!(rates[..2], [20.0, 2.0]);
    assert!(rates.len() <= 3, "{rates:?}");
    assert_eq!(capacity, PartCapacity::Measured(2.0));
}

#[test]
fn the_limit_of_a_part_between_once_and_thrice_the_plan_is_found() {
    let (rates, capacity) = searched(35.0, 20.0);
    assert_eq!(rates[..3], [20.0, 60.0, 35.0]);
    let found = capacity.rate().unwrap();
    assert!((35.0..46.0).contains(&found), "{capacity:?} {rates:?}");
}

fn part(role: PartRole, planned: f64, capacity: PartCapacity, state: PartState) -> BedPart {
    BedPart {
        capacity,
        state,
        ..BedPart::new(role, String::new(), planned)
    }
}

#[test]
fn the_weakest_has_the_least_headroom_of_those_that_do_not_hold() {
    let mut bed = TestBed::new(20.0);
    assert_eq!(bed.weakest(), None);
    bed.parts = vec![
        part(
            PartRole::Generator,
            20.0,
            PartCapacity::AtLeast(60.0),
            PartState::Holds,
        ),
        part(
            PartRole::Outside,
            4.0,
            PartCapacity::Measured(6.0),
            PartState::Holds,
        ),
    ];
    assert_eq!(bed.weakest().unwrap().role, PartRole::Outside);
    bed.parts.push(part(
        PartRole::Target,
        20.0,
        PartCapacity::Measured(15.0),
        PartState::GivesWay,
    ));
    assert_eq!(bed.weakest().unwrap().role, PartRole::Target);
    assert!(bed.is_weak());
    // Nothing is less than none.
    bed.parts.push(part(
        PartRole::Outside,
        20.0,
        PartCapacity::NotKnown,
        PartState::NoAnswer,
    ));
    assert_eq!(bed.weakest().unwrap().state, PartState::NoAnswer);
}

#[test]
fn a_stand_in_has_the_latencies_that_were_measured() {
    let mut low = measured(1.0, 1.0, 0.0, 2003.7);
    low.p50_ms = Some(2001.2);
    assert_eq!(StandIn::latency_of(&low).unwrap(), "2001ms");
    low.p50_ms = Some(480.4);
    low.p95_ms = Some(1210.0);
    let latency = StandIn::latency_of(&low).unwrap();
    assert_eq!(latency, "lognormal 480ms p95 1210ms");
    low.p50_ms = Some(0.0);
    low.p95_ms = Some(0.0);
    assert_eq!(StandIn::latency_of(&low).unwrap(), "0.01ms");
    low.p50_ms = None;
    assert_eq!(StandIn::latency_of(&low), None);
    let stand_in = StandIn {
        url: "http://127.0.0.1:9000/pay".to_owned(),
        path: "/pay".to_owned(),
        address: "127.0.0.1:9001".to_owned(),
        latency,
        answers: 4.0,
        planned: 20.0,
        tried: None,
        holds: None,
    };
    assert_eq!(
        stand_in.command(),
        "loadline mock --latency 'lognormal 480ms p95 1210ms' --address 127.0.0.1:9001"
    );
}
