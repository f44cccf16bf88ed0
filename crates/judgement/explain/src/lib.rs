//! Where the time goes and what limits: findings with their evidence, from a run's record.
//!
//! [`explain`] looks at the busy part of a run. Resource laws ([`ceilings`](ResourceCeiling)) tell at which rate
//! each resource is used up; rules, one a file, each know one way in which a back end is
//! limited. Causes come before their symptoms: threads that wait for a pool are no lack of
//! threads. It also names the data that is missing, and what it would show.
//!
//! No rule knows the name of a service, a port or a machine.

mod account;
mod answer;
mod breakdown;
mod ceilings;
mod chain;
mod collections;
mod context;
mod crowded;
mod endpoints;
mod finding;
mod first_wave;
mod flow;
mod heavy;
mod holders;
mod input;
mod judge;
mod kinds_apart;
mod levels;
mod logged;
mod loss;
mod measured;
mod missing;
mod objective;
mod outage;
mod ownership;
mod peak;
mod rules;
#[cfg(test)]
mod scenes;
mod searched;
mod served_at_once;
mod slow_start;
mod spare_threads;
mod stack;
mod statement;
mod statements;
mod taken_threads;
mod traced;
mod under_way;
mod usage;
mod view;
mod warmed;
mod what_if;
mod witness;

pub use breakdown::{TimeBreakdown, TimePart, TimeShare};
pub use ceilings::ResourceCeiling;
pub use endpoints::EndpointTimes;
pub use finding::{
    Advice, BottleneckFinding, BottleneckPart, Evidence, EvidenceGrade, EvidenceUnit, FindingRole,
    LogLine, RuleId,
};
pub use input::{
    AnsweredKind, CallerTimes, ExplainedEndpoint, ExplainedLoad, ExplainedRun, GivenObjective,
    GoalVerdict, IdleSpan, ObjectiveMeasure, RefusedLevel, SearchedLevel,
};
pub use levels::LoadLevel;
pub use missing::MissingKnowledge;
pub use objective::JudgedObjective;
pub use statement::{HeavyStatement, StatementOrigin};
pub use usage::{UsageChange, moved, usage};
pub use warmed::{WarmingSpan, WarmingState, seen_warming};
pub use what_if::{Assumption, AssumptionError, Prediction};

use ceilings::Ceilings;
use flow::Flow;
use loadline_record::ThreadUsage;
use logged::LogWitness;
use loss::Loss;
use measured::Measured;
use outage::ServedPart;
use under_way::UnderWay;
use view::RunView;
use witness::Witnessed;

/// What is known of why a run went as it did.
#[derive(Debug, Clone)]
pub struct Explanation {
    /// The answer in one line.
    pub answer: ExplanationAnswer,
    /// The run is not valid: the generator's own delays are in what was measured.
    pub is_not_valid: bool,
    /// Findings: what limits now first, then what limits next, then what else is notable.
    pub findings: Vec<BottleneckFinding>,
    /// The rate at which each resource is used up, the lowest first.
    pub ceilings: Vec<ResourceCeiling>,
    /// Where the time of a request goes.
    pub time: Option<TimeBreakdown>,
    /// The statements that take most of the database's time.
    pub statements: Vec<HeavyStatement>,
    /// What is not known.
    pub missing: Vec<MissingKnowledge>,
    /// What a changed setting would give.
    pub predictions: Vec<Prediction>,
    /// Requests answered per second in the part that was looked at.
    pub rate: f64,
    /// Their mean time, ms.
    pub mean_ms: f64,
    /// Their 95th percentile, ms.
    pub p95_ms: f64,
    /// From when to when, in seconds since the run's start.
    pub window: (f64, f64),
    /// What the run is judged by, and what was measured of it.
    pub objectives: Vec<JudgedObjective>,
    /// What callers saw at each level of a load that changed, the lowest first.
    pub levels: Vec<LoadLevel>,
    /// Each kind of request, where there are several.
    pub endpoints: Vec<EndpointTimes>,
    /// Requests answered well per second, at most, while nothing was lost.
    pub carried: f64,
    /// Threads of which there are far more than were ever busy.
    pub spare_threads: Option<ThreadUsage>,
}

/// The answer in one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExplanationAnswer {
    /// The first finding limits.
    Limited,
    /// The first finding makes each request slow by itself; nobody waits for anybody.
    Slow,
    /// A share of the requests fails by itself, however many there are; no limit is seen.
    Failing,
    /// Nothing limits up to this rate.
    NoBottleneck,
    /// The callers see no sign of a limit; too little is known of the target to say that there is none.
    NoSign,
    /// The callers see a limit; which one is not known.
    UnknownLimit,
    /// Too little was measured.
    TooLittle,
    /// The generator was the limit, and nothing seen of the target is one.
    NotValid,
}

impl ExplanationAnswer {
    /// Its name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Limited => "limited",
            Self::Slow => "slow",
            Self::Failing => "failing",
            Self::NoBottleneck => "no-bottleneck",
            Self::NoSign => "no-sign",
            Self::UnknownLimit => "unknown-limit",
            Self::TooLittle => "too-little",
            Self::NotValid => "not-valid",
        }
    }
}

impl Explanation {
    /// The finding that the answer rests on; none where it names nothing.
    #[must_use]
    pub fn cause(&self) -> Option<&BottleneckFinding> {
        let is_named = matches!(
            self.answer,
            ExplanationAnswer::Limited
                | ExplanationAnswer::Slow
                | ExplanationAnswer::Failing
                | ExplanationAnswer::UnknownLimit
        );
        self.findings.first().filter(|_| is_named)
    }

    /// Where two resources fit: the one of which a single change tells which of them limits.
    #[must_use]
    pub fn deciding_part(&self) -> Option<BottleneckPart> {
        judge::deciding_part(self.cause()?)
    }
}

/// Explains a run. `assumptions` are changes whose effect is to be predicted.
#[must_use]
pub fn explain(run: &ExplainedRun, assumptions: &[Assumption]) -> Explanation {
    let served = ServedPart::new(run);
    let witnessed = Witnessed::new(&served.run);
    let view = RunView::new(&witnessed.run);
    let measured = Measured::new(&view);
    let ceilings = Ceilings::new(&measured);
    let context = context::RuleContext {
        view: &view,
        measured: &measured,
        ceilings: &ceilings,
        outages: &served.outages,
        flow: Flow::new(&view),
        loss: Loss::new(&view, &measured),
        under_way: UnderWay::new(&view, &measured),
        logged: LogWitness::new(view.run),
    };
    let mut findings = judge::judged(rules::findings(&context), &context);
    context.logged.quote(&mut findings);
    let answer = answer::answer(&findings, &context);
    let findings = answer::agreed(findings, answer);
    // A loop that computes has one core, however many there are.
    let is_of_one =
        |one: &BottleneckFinding| one.rule == RuleId::EventLoop && one.part == BottleneckPart::Cpu;
    let reachable = if findings.iter().any(is_of_one) {
        ceilings.of_one_core()
    } else {
        ceilings.clone()
    };
    let levels = context.loss.levels.clone();
    let explanation = Explanation {
        answer,
        // Levels of a search are judged each by itself.
        is_not_valid: !view.run.generator_limits.is_empty() && view.run.searched.is_empty(),
        time: breakdown::breakdown(&view, &measured),
        statements: heavy::reportable(&measured, view.callers.mean_ms()),
        missing: missing::missing(&context, answer, findings.first(), &witnessed.left_out),
        predictions: what_if::predictions(assumptions, &measured, &reachable, findings.first()),
        ceilings: reachable.sorted(),
        rate: measured.rate,
        mean_ms: view.callers.good.mean().unwrap_or(0.0),
        p95_ms: view.callers.good.percentile(0.95).unwrap_or(0.0),
        window: view.window(),
        carried: 0.0,
        spare_threads: spare_threads::spare_threads(&view),
        objectives: context.loss.objectives,
        endpoints: endpoints::endpoints(&view),
        levels,
        findings,
    };
    let explanation = searched::with_figures(explanation, &view.run.searched, &view.callers);
    Explanation {
        carried: carried(&explanation, &view),
        ..explanation
    }
}

/// The most that was carried: at the highest level before the first that was not, else at the highest load of the busy part.
fn carried(explanation: &Explanation, view: &RunView<'_>) -> f64 {
    let levels = &explanation.levels;
    let carried = levels.iter().take_while(|level| level.is_carried);
    let most = carried.map(|level| level.answered).reduce(f64::max);
    let is_all_carried = levels.iter().all(|level| level.is_carried);
    // The highest part of a ramp is a mean, too.
    let at_highest = peak::answered_at_highest_load(view)
        .filter(|_| is_all_carried && view.run.searched.is_empty());
    let now = most.unwrap_or(explanation.rate);
    now.max(at_highest.unwrap_or(0.0))
        .max(view.run.carried_before)
}
