//! Somebody else uses the cores of the target.

use loadline_text::{counted, doubt, evidence, findings, percent, significant};

use super::super::breakdown::{self, TimePart};
use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, FindingRole, RuleId,
};
use super::super::measured::Usage;
use super::{Draft, RuleContext};

/// Its threads wait this long for a core, seconds a second.
const CORE_WAIT_MIN: f64 = 0.25;
/// A process that uses more than this of its cores waits for itself.
const OWN_USE_MAX: f64 = 0.85;
/// Threads that wait for a core are somebody else's doing from this many times the queue that they make themselves.
const BEYOND_OWN: f64 = 2.0;
/// Used and waited for together, as a share of the cores: it could not get more.
const WANTED_SHARE_MIN: f64 = 0.9;
/// Cores of its own that would give less than this share more are not what limits: many threads
/// can wait for a core at once while they all wait for something else most of the time.
const RATE_GAIN_MIN: f64 = 0.15;
/// Others who use a smaller share of the cores, all that the host counts, take none from the target.
const OTHERS_SHARE_MIN: f64 = 0.1;
/// A smaller share of the time that requests are inside is not worth telling, ...
const REQUEST_TIME_SHARE_MIN: f64 = 0.15;
/// ... and one smaller than this is not what limits: most of the time they wait for something else.
const A_QUARTER: f64 = 0.25;
/// Requests that are on a core, or wait for one, for less than this share of their time in the target are not
/// limited by those who share it. What other threads of the target wait for a core is not their time.
const ON_CORE_SHARE_MIN: f64 = 0.5;

/// The share of a request's time in the target, without its wait for a connection, in which it computes or
/// waits for a core, instead of for a statement or another server. Those who have the connections may wait for
/// a core, too.
fn on_a_core(context: &RuleContext<'_>) -> Option<f64> {
    let time = breakdown::breakdown(context.view, context.measured)?;
    let sum = |wanted: &[TimePart]| {
        let parts = time.parts.iter().filter(|one| wanted.contains(&one.part));
        parts.map(|one| one.mean_ms).sum::<f64>()
    };
    let own = sum(&[
        TimePart::Cpu,
        TimePart::CoreWait,
        TimePart::Collection,
        TimePart::Unexplained,
    ]);
    // Spans of a client that waits for a core are no time of the database.
    let statements = sum(&[TimePart::Sql]);
    let measured = context.measured;
    let is_of_client = measured.are_statements_traced_alone() && measured.is_only_core_shared();
    let own = if is_of_client { own + statements } else { own };
    let statements = if is_of_client { 0.0 } else { statements };
    let elsewhere = statements + sum(&[TimePart::Outside, TimePart::Message]);
    (own + elsewhere > 0.0).then(|| own / (own + elsewhere))
}

/// Threads of a process that wait for each other while its cores are used to the share of `cpu`, without anybody else: the
/// mean queue at so many servers, rho^sqrt(2(c+1)) / (1 - rho) (Sakasegawa 1977).
fn own_queue(cpu: &Usage) -> f64 {
    let rho = cpu.share();
    rho.powf((2.0 * (cpu.most + 1.0)).sqrt()) / (1.0 - rho)
}

/// The host counts all who use its cores, and hardly anybody does but the target: threads that are let go all at once, as
/// after a collection, wait for each other.
fn is_alone_on_host(context: &RuleContext<'_>, cpu: &Usage) -> bool {
    let others = context.cores_of_others();
    others.is_some_and(|others| others < OTHERS_SHARE_MIN * cpu.most)
}

/// Threads of the target wait for cores that somebody else uses.
pub(super) struct CoresTaken<'a> {
    pub(super) cpu: &'a Usage,
    /// Seconds a second.
    pub(super) delay: f64,
}

impl<'a> CoresTaken<'a> {
    /// `None` where they do not, or wait for each other, for their quota, or for a target that has its cores.
    pub(super) fn new(context: &RuleContext<'a>) -> Option<Self> {
        let cpu = context.measured.cpu.as_ref()?;
        let delay = context.measured.run_delay?;
        let is_stopped = context.measured.throttled.is_some_and(|t| t.periods >= 0.1);
        // One thread at a time makes no queue of its own.
        let is_alone_in_line = context.measured.is_always_due();
        let is_taken = delay >= CORE_WAIT_MIN
            && cpu.share() <= OWN_USE_MAX
            && !is_stopped
            && (is_alone_in_line || delay >= BEYOND_OWN * own_queue(cpu))
            && context.measured.computing_all_along().is_none()
            && !is_alone_on_host(context, cpu);
        is_taken.then_some(Self { cpu, delay })
    }
}

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let CoresTaken { cpu, delay } = CoresTaken::new(context)?;
    let inside = context.requests_inside().unwrap_or(0.0);
    // What is due waits inside of a process, too, for the one thread of it that may run.
    let is_crowded_out = context.is_crowded_out();
    let is_shared = context.measured.is_only_core_shared() || is_crowded_out;
    if delay < REQUEST_TIME_SHARE_MIN * inside && !is_shared {
        return None;
    }
    let part = BottleneckPart::Cpu;
    let cost = context.measured.cpu_of_request();
    let alone = cost.and_then(|cost| context.predicted(part, cpu.most, cost));
    let would_gain =
        alone.is_none_or(|(rate, _)| rate >= (1.0 + RATE_GAIN_MIN) * context.measured.rate);
    let on_a_core = on_a_core(context);
    let is_elsewhere = on_a_core.is_some_and(|share| share < ON_CORE_SHARE_MIN);
    // A rate that was asked for and answered is not limited.
    let is_met = context.view.run.load.is_open && !context.has_signs();
    let is_limiting = would_gain
        && !is_met
        && (is_crowded_out || cpu.used + delay >= WANTED_SHARE_MIN * cpu.most)
        && (delay >= A_QUARTER * inside || is_shared)
        && !is_elsewhere;
    let grade = match on_a_core {
        Some(share) if share >= ON_CORE_SHARE_MIN && delay >= A_QUARTER * inside => {
            EvidenceGrade::A
        }
        _ => EvidenceGrade::B,
    };
    let doubt = match on_a_core {
        Some(share) if is_elsewhere => Some(doubt::elsewhere(percent(1.0 - share))),
        Some(_) => None,
        None => Some(doubt::inside_unseen()),
    };
    // Where the time in the target is not seen, callers' time is: what is a small part of it makes nothing slow.
    let callers = &context.view.callers;
    let under_way = callers.answered * callers.mean_ms() / 1000.0;
    if !is_limiting && on_a_core.is_none() && delay < REQUEST_TIME_SHARE_MIN * under_way {
        return None;
    }
    let alone = alone.filter(|_| is_limiting);
    Draft::new(
        RuleId::NoisyNeighbour,
        part,
        grade,
        findings::neighbour(significant(delay), significant(cpu.used), counted(cpu.most)),
    )
    .role(if is_limiting {
        FindingRole::Limit
    } else if on_a_core.is_some_and(|share| share < A_QUARTER) {
        // What callers wait for is nearly all something else.
        FindingRole::Notice
    } else {
        FindingRole::Slow
    })
    .entity(&cpu.entity)
    .shown(
        "run-delay",
        evidence::run_delay(),
        delay * 1000.0,
        EvidenceUnit::Millis,
    )
    .of_cpu(cpu.used, cpu.most)
    .against(doubt)
    .advised([Advice::to(findings::neighbour_try()).giving(alone)])
    .limiting_at(context.measured.rate)
    .done()
}
