//! Tries one part after another and keeps what was found.

use std::time::Duration;

use crossbeam_channel::TryRecvError;
use loadline_analysis::bed::{
    BedPart, NotTriedReason, PartCapacity, PartJudgement, PartMeasurement, PartRole, PartState,
};
use loadline_bare::UrlRequest;
use loadline_report::preflight::{IterationFacts, PreflightReport, UsersCeiling, part_label};
use loadline_session::preflight::target::{self, TargetResult};
use loadline_session::preflight::{PartRunner, ProbeError};
use loadline_session::steered::SteerError;
use loadline_sizing::{FigureUnit, LoopCeiling};
use loadline_text::{Catalog, problem, testbed};

use crate::commands::run::{Measured, Once};
use crate::context::Context;
use crate::refusal::Refusal;

/// How long an answer of an outside server may take.
pub(super) const OUTSIDE_TIMEOUT: Duration = Duration::from_secs(30);
/// Reading answers of an iteration must take so long, seconds, and be so many bytes, to tell
/// what the network carries.
const READING_SECONDS_MIN: f64 = 0.02;
const READING_BYTES_MIN: f64 = 65_536.0;

/// An outside server, and the rate it is to stand.
pub(super) struct OutsideServer {
    pub(super) target: UrlRequest,
    pub(super) planned: f64,
}

/// A preflight under way.
pub(super) struct Flight<'a> {
    pub(super) context: &'a mut Context,
    pub(super) catalog: &'a Catalog,
    pub(super) runner: PartRunner,
    pub(super) report: PreflightReport,
}

/// What one iteration is in the unit of the plan.
#[derive(Clone, Copy)]
struct Starts {
    /// Planned starts per second.
    rate: f64,
    /// What one start counts.
    counts: f64,
}

impl Flight<'_> {
    fn is_interrupted(&mut self) -> bool {
        let is_closed = self.runner.interrupts.try_recv() == Err(TryRecvError::Disconnected);
        self.report.bed.is_interrupted |= is_closed;
        is_closed
    }

    fn trying(&mut self, role: PartRole, name: &str, planned: f64) {
        let part = part_label(role, name, self.catalog);
        let planned = FigureUnit::PerSecond.show(planned);
        let said = self.catalog.text(&testbed::preflight_trying(part, planned));
        self.context.err(&format!("loadline: {said}\n"));
    }

    /// A part that is not tried.
    fn leave_out(&mut self, role: PartRole, name: String, planned: f64, why: NotTriedReason) {
        let mut part = BedPart::new(role, name, planned);
        part.state = PartState::NotTried(why);
        self.report.bed.parts.push(part);
    }

    /// The generator alone.
    pub(super) fn generator(&mut self) -> Result<(), Refusal> {
        let planned = self.report.bed.planned;
        self.trying(PartRole::Generator, "", planned);
        let part = self
            .runner
            .generator(planned)
            .map_err(|error| failed(&error))?;
        self.report.bed.parts.push(part);
        Ok(())
    }

    /// Each outside server alone, and stand-ins for those that are too weak; for all if none is
    /// and they are asked for.
    pub(super) fn outside(
        &mut self,
        all: &[OutsideServer],
        is_mock_asked: bool,
    ) -> Result<(), Refusal> {
        let carried = self.report.bed.parts.first().and_then(|generator| {
            let is_weak = generator.state.is_weak();
            generator.capacity.rate().filter(|_| is_weak)
        });
        let mut tried: Vec<(&OutsideServer, BedPart)> = Vec::new();
        for server in all {
            let (name, planned) = (server.target.url.masked(), server.planned);
            if self.is_interrupted() {
                self.leave_out(
                    PartRole::Outside,
                    name,
                    planned,
                    NotTriedReason::Interrupted,
                );
                continue;
            }
            if carried.is_some_and(|carried| carried < planned) {
                self.leave_out(PartRole::Outside, name, planned, NotTriedReason::Generator);
                continue;
            }
            self.trying(PartRole::Outside, &name, planned);
            let part = self.runner.outside(&server.target, planned);
            let part = part.map_err(|error| failed(&error))?;
            self.report.bed.parts.push(part.clone());
            tried.push((server, part));
        }
        let is_short = |part: &BedPart| {
            matches!(part.state, PartState::GivesWay | PartState::Slows(..))
                || (part.state.is_weak() && part.low.as_ref().is_some_and(|low| low.failed == 0.0))
        };
        let is_any_short = tried.iter().any(|(_, part)| is_short(part));
        for (server, part) in &tried {
            let is_wanted = is_short(part) || (is_mock_asked && !is_any_short);
            if !is_wanted || self.is_interrupted() {
                continue;
            }
            let said = testbed::preflight_trying_stand_in(&part.name);
            let said = self.catalog.text(&said);
            self.context.err(&format!("loadline: {said}\n"));
            let stand_in = self.runner.stand_in(&server.target, part);
            self.report
                .bed
                .stand_ins
                .extend(stand_in.map_err(|error| failed(&error))?);
        }
        Ok(())
    }

    /// One iteration through network and target, and load where that is asked for.
    pub(super) fn target(
        &mut self,
        once: Once,
        to_load: Option<Once>,
        is_rate_of_requests: bool,
        users: f64,
    ) -> Result<(), Refusal> {
        let planned = self.report.bed.planned;
        if self.is_interrupted() {
            let why = NotTriedReason::Interrupted;
            self.leave_out(PartRole::Network, String::new(), planned, why);
            self.leave_out(PartRole::Target, String::new(), planned, why);
            return Ok(());
        }
        self.trying(PartRole::Target, "", planned);
        let scenarios = once.plan().scenarios.len().max(1) as f64;
        let measured = once.run(self.context, &self.runner.interrupts)?;
        let is_interrupted = self.is_interrupted();
        let mut network = BedPart::new(PartRole::Network, String::new(), planned);
        let mut target = BedPart::new(PartRole::Target, String::new(), planned);
        let Some(once) = measured.filter(|once| once.requests > 0.0) else {
            target.state = if is_interrupted {
                PartState::NotTried(NotTriedReason::Interrupted)
            } else {
                PartState::NoAnswer
            };
            self.report.bed.parts.extend([network, target]);
            return Ok(());
        };
        let counts = if is_rate_of_requests {
            once.requests / scenarios
        } else {
            1.0
        };
        let starts = Starts {
            rate: planned / counts,
            counts,
        };
        network.connect_ms = once.connect_ms;
        let bytes_each = once.bytes / scenarios / counts;
        self.report.bed.bytes_each = Some(bytes_each).filter(|bytes| *bytes > 0.0);
        if once.reading_s >= READING_SECONDS_MIN && once.bytes >= READING_BYTES_MIN {
            let reached = once.bytes / once.reading_s;
            let carried = reached / bytes_each;
            // One connection at a time tells what the network gives at least.
            if carried >= planned {
                self.report.reached_bytes = Some(reached);
                network.capacity = PartCapacity::AtLeast(carried);
                network.state = PartState::Holds;
            }
        }
        let ceiling = (users > 0.0).then(|| self.users(&once, users));
        judge_iteration(&mut target, &once);
        self.report.iteration = Some(iteration(&once));
        self.report.bed.parts.extend(ceiling);
        if let (PartState::NotKnown, Some(to_load)) = (target.state, to_load) {
            if self.report.bed.is_weak() {
                target.state = PartState::NotTried(NotTriedReason::OtherIsWeak);
            } else {
                let length = Duration::try_from_secs_f64(once.length_s).unwrap_or_default();
                let look = self.look(to_load, starts, length)?;
                self.judge_look(&look, starts, &mut network, &mut target);
            }
        }
        self.report.bed.parts.extend([network, target]);
        Ok(())
    }

    /// What the test's own users can offer.
    fn users(&mut self, once: &Measured, users: f64) -> BedPart {
        let planned = self.report.bed.planned;
        let facts = iteration(once);
        let response = facts.response_ms / 1000.0;
        let law = LoopCeiling {
            vus: users,
            requests: once.requests,
            think: facts.think_ms / 1000.0,
            response: Some(response),
        };
        let at_best = law.rate(0.0);
        self.report.ceiling = Some(UsersCeiling {
            formula: law.formula(response),
            now: law.rate(response),
            at_best,
        });
        let mut part = BedPart::new(PartRole::Users, String::new(), planned);
        part.capacity = PartCapacity::Measured(at_best);
        part.state = if at_best < planned {
            PartState::GivesWay
        } else {
            PartState::Holds
        };
        // Without think time and with answers at once there is no ceiling.
        if !at_best.is_finite() {
            part.capacity = PartCapacity::NotKnown;
        }
        part
    }

    fn look(
        &mut self,
        test: Once,
        starts: Starts,
        usual: Duration,
    ) -> Result<TargetResult, Refusal> {
        let (test, length) = (test.into_test(), self.runner.length);
        let interrupts = self.runner.interrupts.clone();
        let look = target::look(test, starts.rate, length, usual, interrupts);
        let look = look.map_err(|error| match error {
            SteerError::Session(error) => Refusal::session(&error, self.catalog),
            other => Refusal::config(problem::usage(other)),
        })?;
        self.is_interrupted();
        Ok(look)
    }

    fn judge_look(
        &mut self,
        look: &TargetResult,
        starts: Starts,
        network: &mut BedPart,
        target: &mut BedPart,
    ) {
        let in_plan = |one: &PartMeasurement| PartMeasurement {
            offered: one.offered * starts.counts,
            answered: one.answered * starts.counts,
            ..one.clone()
        };
        target.tries = look.tries.iter().map(in_plan).collect();
        target.low = target.tries.first().cloned();
        let most = |a: f64, one: &PartMeasurement| a.max(one.answered);
        let carried = target.tries.iter().fold(0.0, most);
        let is_slow_network = look.is_reading;
        match look.judgement {
            Some(PartJudgement::Holds) if !look.is_interrupted => {
                let reached = target.tries.last().map_or(carried, |one| one.offered);
                target.state = PartState::Holds;
                target.capacity = PartCapacity::AtLeast(reached);
                if network.capacity == PartCapacity::NotKnown {
                    network.state = PartState::Holds;
                    network.capacity = PartCapacity::AtLeast(reached);
                }
            }
            Some(PartJudgement::Holds) | None => {
                target.state = PartState::NotTried(NotTriedReason::Interrupted);
                let reached = target.tries.last().map(|one| one.offered);
                target.capacity = reached.map_or(PartCapacity::NotKnown, PartCapacity::AtLeast);
                return;
            }
            Some(_) if is_slow_network => {
                network.state = PartState::GivesWay;
                network.capacity = PartCapacity::Measured(carried);
                network.tries.clone_from(&target.tries);
                self.report.is_network_weak = true;
            }
            Some(judgement) => {
                target.state = judgement.into();
                // Of those that hold the highest; what one that fails or slows answers is no limit.
                let held = target.tries.iter().rev().nth(1).map(|one| one.offered);
                target.capacity = match (judgement, held) {
                    (PartJudgement::GivesWay(_), _) => PartCapacity::Measured(carried),
                    (_, Some(held)) => PartCapacity::Measured(held),
                    (_, None) => PartCapacity::NotKnown,
                };
            }
        }
        if let Some(each) = self.report.bed.bytes_each {
            let before = self.report.reached_bytes.unwrap_or(0.0);
            self.report.reached_bytes = Some(before.max(each * carried));
        }
    }
}

fn judge_iteration(target: &mut BedPart, once: &Measured) {
    target.connect_ms = once.connect_ms;
    target.failures.clone_from(&once.failures);
    if once.unanswered >= once.requests {
        target.state = PartState::NoAnswer;
    } else if once.failed > 0.0 {
        target.state = PartState::Fails(once.failed / once.requests);
    }
}

fn iteration(once: &Measured) -> IterationFacts {
    let response = once.waiting_s / once.requests;
    IterationFacts {
        requests: once.requests,
        failed: once.failed / once.requests,
        response_ms: response * 1000.0,
        think_ms: (once.length_s - once.waiting_s).max(0.0) * 1000.0,
    }
}

fn failed(error: &ProbeError) -> Refusal {
    Refusal::other(problem::start_failed("preflight", error))
}
