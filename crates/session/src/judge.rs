//! Judging thresholds while the run goes on and at its end, and passing events on.

use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::Sender;
use loadline_engine::{self as engine, Observer};
use loadline_metrics::Merger;
use loadline_metrics::threshold::{Evaluation, Phase, Thresholds};
use loadline_units::Time;
use loadline_vu::{Board, StopCause};

use crate::event::{Event, Second};
use crate::health::HealthWatch;

/// Thresholds are judged this often while the run goes on (k6's rhythm).
const JUDGED_EVERY: Duration = Duration::from_secs(2);

/// Follows the engine's events for a session.
pub(crate) struct Judge {
    pub(crate) thresholds: Thresholds,
    pub(crate) health: HealthWatch,
    board: Arc<Board>,
    names: Vec<(String, &'static str)>,
    events: Sender<Event>,
    began: Option<Time>,
    judge_at: Time,
    warm_up: Duration,
    /// When the warm-up was over.
    counted_from: Option<Time>,
}

impl Judge {
    pub(crate) fn new(
        thresholds: Thresholds,
        health: HealthWatch,
        board: Arc<Board>,
        events: Sender<Event>,
        warm_up: Duration,
    ) -> Self {
        let names = board
            .scenarios()
            .iter()
            .map(|scenario| (scenario.card().name.clone(), scenario.card().executor))
            .collect();
        Self {
            thresholds,
            health,
            board,
            names,
            events,
            began: None,
            judge_at: Time::MAX,
            warm_up,
            counted_from: None,
        }
    }

    /// When what counts began, if a warm-up came before it.
    pub(crate) fn counted_from(&self) -> Option<Time> {
        self.counted_from
    }

    /// How long the warm-up took that was left out.
    pub(crate) fn warm_up(&self) -> Duration {
        match (self.began, self.counted_from) {
            (Some(began), Some(from)) => from.since(began),
            _ => Duration::ZERO,
        }
    }

    /// Starts the totals anew at the first window after the warm-up.
    fn warm(&mut self, now: Time, totals: &mut Merger) {
        let Some(began) = self.began else {
            return;
        };
        if self.warm_up.is_zero() || self.counted_from.is_some() || now < began + self.warm_up {
            return;
        }
        totals.reset_totals();
        self.counted_from = Some(now);
        self.judge_at = now + JUDGED_EVERY;
        let after = now.since(began);
        self.tell(Event::WarmedUp { after });
    }

    pub(crate) fn tell(&self, event: Event) {
        // A caller that stopped listening still wants the run to end well.
        let _ = self.events.send(event);
    }

    /// Judges everything for the last time; `elapsed` is the run's length.
    pub(crate) fn finish(&mut self, totals: &Merger, elapsed: Duration) -> Evaluation {
        self.thresholds
            .evaluate(totals.totals(), elapsed, Phase::Final)
    }

    fn judge(&mut self, now: Time, totals: &Merger) {
        let warming = !self.warm_up.is_zero() && self.counted_from.is_none();
        let Some(began) = self.counted_from.or(self.began) else {
            return;
        };
        if now < self.judge_at || warming {
            return;
        }
        self.judge_at = now + JUDGED_EVERY;
        let evaluation =
            self.thresholds
                .evaluate(totals.totals(), now.since(began), Phase::Running);
        if evaluation.abort {
            self.board.request_stop(StopCause::ThresholdsCrossed {
                metrics: evaluation.crossed,
            });
        }
    }
}

impl Observer for Judge {
    fn observe(&mut self, event: &engine::Event<'_>, now: Time, totals: &mut Merger) {
        let told = match event {
            engine::Event::UsersMade { made, planned } => Event::UsersMade {
                made: *made,
                planned: *planned,
            },
            engine::Event::StageBegins(stage) => Event::StageBegins(*stage),
            engine::Event::Begins(at) => {
                self.began = Some(*at);
                self.judge_at = *at + JUDGED_EVERY;
                self.health.begin();
                Event::Begins(*at)
            }
            engine::Event::Window(window) => {
                self.health.sample(now);
                self.warm(now, totals);
                self.judge(now, totals);
                Event::Second(Box::new(Second::of(window)))
            }
            engine::Event::OutOfUsers { scenario, active } => {
                let (scenario, executor) = self.names[scenario.index()].clone();
                Event::OutOfUsers {
                    scenario,
                    executor,
                    active: *active,
                }
            }
            engine::Event::ScenariosOver => {
                self.health.end(now);
                Event::ScenariosOver
            }
            engine::Event::Failed(fault) => Event::Failed((*fault).clone()),
        };
        self.tell(told);
    }
}
