//! Whoever refuses says so somewhere: another server in the status of calls that traces show, a database in how many
//! sessions it has and in what it tells its clients, a gateway in its log.

use loadline_record::signals::{Entity, Label, SignalKind as Kind};

use super::logs::{Often, log};
use super::{RuleId, Scene};
use crate::{EvidenceGrade, ExplainedRun, Explanation, ExplanationAnswer, explain};

fn first(told: &Explanation) -> (ExplanationAnswer, RuleId, EvidenceGrade) {
    let first = &told.findings[0];
    (told.answer, first.rule, first.grade)
}

fn limited(rule: RuleId, grade: EvidenceGrade) -> (ExplanationAnswer, RuleId, EvidenceGrade) {
    (ExplanationAnswer::Limited, rule, grade)
}

/// Calls to another server as spans show them, a second of all requests; of these a share is traced.
struct TracedCalls {
    calls: f64,
    refused: f64,
    answered: f64,
    failed: f64,
    traced: f64,
}

impl TracedCalls {
    fn explained(&self) -> Explanation {
        let mut scene = Scene::new(3);
        scene.callers(self.answered, self.failed, 60.0, 0.2);
        let rate = (self.answered + self.failed) * self.traced;
        let of = Entity::new().with(Label::Band, "typical");
        scene.counter(Kind::TracedRequests, &of, rate, 0.02);
        scene.counter(Kind::TracedTime, &of, rate * 0.05, 0.02);
        let to = of.with(Label::Peer, "pay.example:443");
        scene.counter(Kind::TracedCalls, &to, self.calls * self.traced, 0.02);
        scene.counter(
            Kind::TracedCallTime,
            &to,
            self.calls * self.traced * 0.02,
            0.02,
        );
        scene.counter(
            Kind::TracedCallsRefused,
            &to,
            self.refused * self.traced,
            0.02,
        );
        explain(&scene.run(), &[])
    }
}

/// Seen: an outside server that answers 429 beyond a rate, of which traces alone knew: "why is not seen".
#[test]
fn calls_that_another_server_refuses_are_its_limit_where_traces_alone_show_them() {
    let whole = TracedCalls {
        calls: 40.0,
        refused: 15.0,
        answered: 25.0,
        failed: 15.0,
        traced: 1.0,
    };
    let sampled = TracedCalls {
        traced: 0.2,
        ..whole
    };
    let retried = TracedCalls {
        calls: 70.0,
        refused: 45.0,
        ..whole
    };
    let expected = limited(RuleId::OutsideRefused, EvidenceGrade::A);
    for calls in [whole, sampled, retried] {
        assert_eq!(first(&calls.explained()), expected);
    }
}

/// A sampler that keeps what failed shows more refusals than there are.
#[test]
fn refused_calls_are_not_sure_where_traces_keep_those_that_failed() {
    let kept = TracedCalls {
        calls: 40.0,
        refused: 30.0,
        answered: 25.0,
        failed: 15.0,
        traced: 0.2,
    };
    assert!(first(&kept.explained()).2 > EvidenceGrade::A);
}

#[test]
fn a_server_that_lets_nobody_in_is_at_no_limit() {
    let away = TracedCalls {
        calls: 40.0,
        refused: 41.0,
        answered: 10.0,
        failed: 30.0,
        traced: 1.0,
    };
    let told = away.explained();
    assert_ne!(told.findings[0].rule, RuleId::OutsideRefused);
}

#[test]
fn traced_calls_that_are_refused_and_made_again_limit_nobody_who_is_answered() {
    let again = TracedCalls {
        calls: 55.0,
        refused: 15.0,
        answered: 40.0,
        failed: 0.0,
        traced: 1.0,
    };
    assert_ne!(again.explained().answer, ExplanationAnswer::Limited);
}

/// A database that lets a role have so many sessions, each of which a request keeps for so long, ms.
struct LimitedRole {
    sessions: f64,
    hold_ms: f64,
    failed: f64,
    /// Of the role's sessions: seen to be the target's; `None`: not known whose they are.
    own: Option<f64>,
}

const SESSIONS_OF_ROLE: LimitedRole = LimitedRole {
    sessions: 7.0,
    hold_ms: 370.0,
    failed: 22.0,
    own: Some(7.0),
};

impl LimitedRole {
    fn run(&self) -> ExplainedRun {
        let mut scene = Scene::new(4);
        let rate = self.sessions * 1000.0 / self.hold_ms;
        scene.callers(rate, self.failed, self.hold_ms * 1.05, 0.04);
        let role = Entity::new().with(Label::Client, "shop");
        scene.limit(Kind::LimitedSessions, &role, self.sessions);
        scene.limit(Kind::LimitedSessionsMax, &role, self.sessions);
        scene.gauge(
            Kind::SessionsActive,
            &Entity::new(),
            self.sessions - 0.3,
            0.02,
        );
        scene.limit(Kind::SessionsMax, &Entity::new(), 200.0);
        if let Some(own) = self.own {
            for (owner, sessions) in [("target", own), ("others", 3.0)] {
                let client = Entity::new()
                    .with(Label::Client, owner)
                    .with(Label::Owner, owner);
                scene.limit(Kind::ClientSessionsActive, &client, sessions);
                scene.limit(Kind::ClientSessionsIdle, &client, 0.0);
            }
        }
        let mut run = scene.run();
        let mut alike = loadline_metrics::Histogram::default();
        alike.record(self.hold_ms);
        for window in &run.windows {
            alike.merge(&window.durations);
        }
        run.alike = Some(alike);
        run
    }

    fn explained(&self) -> Explanation {
        explain(&self.run(), &[])
    }
}

/// Seen: "65.9 % of the requests fail; why is not seen" of a client that writes no word of what the database told it.
#[test]
fn a_role_whose_sessions_are_all_taken_is_the_limit_of_requests_that_fail() {
    let told = SESSIONS_OF_ROLE.explained();
    let expected = limited(RuleId::DatabaseSessions, EvidenceGrade::A);
    assert_eq!(first(&told), expected);
    let unknown = LimitedRole {
        own: None,
        ..SESSIONS_OF_ROLE
    };
    let told = unknown.explained();
    assert_eq!(
        first(&told),
        limited(RuleId::DatabaseSessions, EvidenceGrade::B)
    );
}

#[test]
fn a_role_whose_sessions_others_have_is_no_limit_of_the_target() {
    let others = LimitedRole {
        own: Some(1.0),
        ..SESSIONS_OF_ROLE
    };
    let rules = super::found_rules(&others.explained());
    assert!(!rules.contains(&RuleId::DatabaseSessions), "{rules:?}");
}

/// A pool may be as large as its role's limit, or all pools together as the server's: nobody is refused.
#[test]
fn sessions_that_are_all_open_and_idle_limit_nothing() {
    for is_of_role in [true, false] {
        let mut scene = Scene::new(4);
        scene.load.is_open = false;
        scene.callers(20.0, 0.0, 15.0, 0.05);
        for window in &mut scene.windows {
            window.planned = 0.0;
        }
        let any = Entity::new();
        scene.gauge(Kind::SessionsActive, &any, 1.0, 0.2);
        scene.limit(Kind::SessionsIdle, &any, 19.0);
        let role = Entity::new().with(Label::Client, "shop");
        let (of, most) = if is_of_role {
            (role, Kind::LimitedSessionsMax)
        } else {
            (any, Kind::SessionsMax)
        };
        scene.limit(most, &of, 20.0);
        scene.limit(Kind::LimitedSessions, &of, 20.0);
        let told = explain(&scene.run(), &[]);
        assert_ne!(told.answer, ExplanationAnswer::Limited, "{is_of_role}");
    }
}

/// Half of the requests are answered 503 from second 15 on.
fn turned_away(line: &str, often: Often) -> Explanation {
    let mut scene = Scene::new(6);
    scene.callers(40.0, 40.0, 20.0, 0.1);
    for window in scene.windows.iter_mut().take(15) {
        window.requests -= window.failed;
        window.failed = 0.0;
    }
    log(&mut scene, line, often);
    let mut run = scene.run();
    let failed: f64 = run.windows.iter().map(|window| window.failed).sum();
    let all: f64 = run.windows.iter().map(|window| window.requests).sum();
    run.statuses.insert("200".to_owned(), all - failed);
    run.statuses.insert("503".to_owned(), failed);
    explain(&run, &[])
}

/// Seen: grade C of a gateway whose log has a line "limiting requests" for each of 823 answers 503.
#[test]
fn a_gateway_whose_log_names_its_limit_once_for_each_503_is_sure() {
    let line =
        "2026/11/28 05:00:00 [error] 12#12: *1 limiting requests, excess: 5.1 by zone \"one\"";
    let told = turned_away(line, Often::ForEachFailure(1.0));
    assert_eq!(first(&told), limited(RuleId::Refused, EvidenceGrade::A));
    for often in [Often::ForEachFailure(0.2), Often::AllAlong(3.0)] {
        assert_eq!(first(&turned_away(line, often)).2, EvidenceGrade::C);
    }
    // Whose limit it is, these words do not say.
    let of_whom = "ERROR rate limit exceeded";
    let told = turned_away(of_whom, Often::ForEachFailure(1.0));
    assert_eq!(first(&told).2, EvidenceGrade::C);
}
