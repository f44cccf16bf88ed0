//! Threads that serve requests are used up.

use loadline_record::signals::{Entity, SignalKind};
use loadline_text::{counted, doubt, evidence, findings, millis};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, RuleId,
};
use super::super::input::share;
use super::{Draft, RuleContext, stack};

/// A target that computes this much has enough threads.
const CPU_USE_MAX: f64 = 0.85;

/// Times that differ by less than this factor are the same.
const EVEN_FACTOR_MAX: f64 = 1.25;
/// Busy threads of which at least this part waits for a core are short of cores.
const CORE_WAIT_SHARE_MAX: f64 = 0.5;

/// What keeps the threads busy is seen from this share of their time on.
const SEEN_SHARE_MIN: f64 = 0.5;

/// Threads that use this much of a core each compute.
const CORES_PER_THREAD_MIN: f64 = 0.7;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    by_gauge(context).or_else(|| by_kernel(context))
}

/// No gauge tells of threads; the kernel does.
fn by_kernel(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let taken = context.taken_threads()?;
    let count = EvidenceUnit::Count;
    Draft::new(
        RuleId::TooFewThreads,
        BottleneckPart::Threads,
        EvidenceGrade::A,
        findings::threads_taken(counted(taken.threads), counted(taken.waiting.round())),
    )
    .shown(
        "threads-most",
        evidence::threads_most(),
        taken.threads,
        count,
    )
    .shown(
        "accept-queue",
        evidence::accept_queue(),
        taken.waiting,
        count,
    )
    .shown(
        "mean",
        evidence::mean(),
        context.view.callers.mean_ms(),
        EvidenceUnit::Millis,
    )
    .advised([
        Advice::to(findings::threads_try_wait()),
        Advice::to(findings::threads_try_more(counted(2.0 * taken.threads)))
            .by_stack(stack::threads(&context.view.run.signals, &Entity::new())),
    ])
    .limiting_at(context.measured.rate)
    .done()
}

fn by_gauge(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let workers = context
        .measured
        .workers
        .as_ref()
        .filter(|workers| workers.at_limit)?;
    if context.is_cpu_used(CPU_USE_MAX) {
        return None;
    }
    let usage = &workers.usage;
    // Threads that wait for a core are enough threads; so are those that wait for something else that is full.
    let is_short_of_cores = context.under_way.core_wait >= CORE_WAIT_SHARE_MAX * usage.used;
    if is_short_of_cores || context.do_threads_wait_for_unseen() {
        return None;
    }
    let (rate, carried) = (context.measured.rate, context.measured.carried);
    // What the target itself counts may include the queue in front of the threads.
    let time = share(usage.used, carried);
    let part = BottleneckPart::Threads;
    let doubled = context.predicted(part, 2.0 * usage.most, share(usage.used, carried));
    // Threads that wait for a core would compute, too.
    let delay = context.measured.run_delay.unwrap_or(0.0);
    let computes = context.measured.cpu.as_ref().is_some_and(|cpu| {
        let wanted = cpu.used + delay;
        wanted >= CORES_PER_THREAD_MIN * usage.used
            && cpu.used >= CORES_PER_THREAD_MIN / 2.0 * usage.used
    });
    let statement = if computes {
        findings::threads_compute(counted(usage.most), millis(time * 1000.0))
    } else {
        findings::threads(counted(usage.most), millis(time * 1000.0))
    };
    let first = if computes {
        findings::target_cpu_try_code()
    } else {
        findings::threads_try_wait()
    };
    let in_ms = EvidenceUnit::Millis;
    let (grade, queue) = (
        grade(context, usage.used, computes),
        queue(context, &usage.entity),
    );
    Draft::new(RuleId::TooFewThreads, part, grade, statement)
        .entity(&usage.entity)
        .shown(
            "threads-busy",
            evidence::threads_busy(),
            usage.used,
            EvidenceUnit::Count,
        )
        .shown(
            "threads-most",
            evidence::threads_most(),
            usage.most,
            EvidenceUnit::Count,
        )
        .shown("server-time", evidence::server_time(), time * 1000.0, in_ms)
        .shown(
            "mean",
            evidence::mean(),
            context.view.callers.mean_ms(),
            EvidenceUnit::Millis,
        )
        .of_queue(&queue)
        .against(context.measured.cpu.is_none().then(doubt::cpu_unseen))
        .advised(
            queue
                .refused
                .map(|_| Advice::to(findings::threads_try_queue())),
        )
        .advised([
            Advice::to(first),
            Advice::to(findings::threads_try_more(counted(2.0 * usage.most)))
                .by_stack(stack::threads(&context.view.run.signals, &usage.entity))
                .giving(doubled),
        ])
        .limiting_at(rate)
        .done()
}

/// The queue in front of the threads.
struct WorkerQueue {
    /// The most that may wait in it.
    most: Option<f64>,
    /// Requests a second that found it full.
    refused: Option<f64>,
}

impl Draft {
    fn of_queue(self, queue: &WorkerQueue) -> Self {
        let (most, refused) = (evidence::workers_queue_max(), evidence::workers_refused());
        self.shown("queue-most", most, queue.most, EvidenceUnit::Count)
            .shown(
                "queue-refused",
                refused,
                queue.refused,
                EvidenceUnit::PerSecond,
            )
    }
}

fn queue(context: &RuleContext<'_>, threads: &Entity) -> WorkerQueue {
    let view = context.view;
    WorkerQueue {
        most: view.largest(SignalKind::WorkersQueueMax, threads),
        refused: view
            .rate(SignalKind::WorkersRefused, threads)
            .filter(|refused| *refused > 0.0),
    }
}

/// Calls take as long under a low load as under this one: the other server is not at its limit.
fn is_outside_even(context: &RuleContext<'_>) -> bool {
    let of_run = context
        .measured
        .outside
        .as_ref()
        .and_then(|outside| outside.of_run);
    let was_low = context.view.quiet.is_some();
    was_low && of_run.is_some_and(|(low, high)| high < EVEN_FACTOR_MAX * low)
}

/// What the threads are busy with tells whether more of them help: threads that wait for something full would
/// only wait there.
fn grade(context: &RuleContext<'_>, busy: f64, computes: bool) -> EvidenceGrade {
    let seen = share(context.under_way.seen_of_threads(), busy);
    let outside = share(context.under_way.outside, busy);
    let is_even =
        (outside >= SEEN_SHARE_MIN && is_outside_even(context)) || context.are_threads_quick();
    if computes || is_even {
        EvidenceGrade::A
    } else if seen >= SEEN_SHARE_MIN {
        // A server, a cache or a database at its limit keeps threads busy in the same way.
        EvidenceGrade::B
    } else {
        EvidenceGrade::C
    }
}
