//! What is not known, what it would tell, and what turns it on.

use std::collections::BTreeMap;

use loadline_record::signals::{SignalKind, SourceKind, SourceNote, SourceStatus};
use loadline_text::{Message, findings};

use super::ExplanationAnswer;
use super::context::RuleContext;
use super::finding::{BottleneckFinding, BottleneckPart};
use super::measured::Measured;
use super::statement::StatementOrigin;
use super::statements::StatementView;

/// Fewer are not several.
const PROCESSES_MIN: usize = 2;

/// Something that is not known of the target.
#[derive(Debug, Clone, PartialEq)]
pub struct MissingKnowledge {
    /// Which part of the target it is about.
    pub part: BottleneckPart,
    /// What is missing and what it would tell.
    pub text: Message,
    /// The setting, flag or statement that turns it on, where a source named one.
    pub settings: Vec<String>,
}

/// What would tell more. A run with a clear answer misses little: only what its sources
/// themselves could not give.
pub(super) fn missing(
    context: &RuleContext<'_>,
    answer: ExplanationAnswer,
    first: Option<&BottleneckFinding>,
    left_out: &BTreeMap<String, usize>,
) -> Vec<MissingKnowledge> {
    let signals = &context.view.run.signals;
    let measured = context.measured;
    let is_seen = |kind| signals.of_kind(kind).next().is_some();
    let groups = [
        (
            BottleneckPart::Cpu,
            measured.cpu.is_some(),
            missing_cpu(context, answer),
            &[SignalKind::ProcessCpu, SignalKind::CoresAvailable][..],
        ),
        (
            BottleneckPart::Pool,
            !measured.pools.is_empty(),
            findings::missing_pool(),
            &[
                SignalKind::PoolActive,
                SignalKind::PoolMax,
                SignalKind::PoolPending,
            ],
        ),
        (
            BottleneckPart::Threads,
            measured.workers.is_some(),
            findings::missing_threads(),
            &[SignalKind::WorkersBusy, SignalKind::WorkersMax],
        ),
        (
            BottleneckPart::Database,
            measured.sessions.active.is_some(),
            findings::missing_database(),
            &[
                SignalKind::SessionsActive,
                SignalKind::SessionsIdleInTransaction,
            ],
        ),
        (
            BottleneckPart::Database,
            !measured.statements.is_empty(),
            findings::missing_statements(),
            &[SignalKind::StatementCalls, SignalKind::StatementTime],
        ),
        (
            BottleneckPart::Outside,
            is_seen(SignalKind::OutsideCalls) || is_seen(SignalKind::TracedOutsideTime),
            findings::missing_outside(),
            &[SignalKind::OutsideCalls, SignalKind::OutsideCallTime],
        ),
        (
            BottleneckPart::Memory,
            measured.pauses().is_some(),
            findings::missing_heap(),
            &[
                SignalKind::CollectionPauseTime,
                SignalKind::HeapAfterCollection,
            ],
        ),
    ];
    let is_clear = answer == ExplanationAnswer::Limited;
    let level = level(context, first, is_clear);
    let others = groups
        .into_iter()
        .filter(|(_, is_known, _, _)| !is_known)
        .filter_map(|(part, _, text, kinds)| {
            let settings = settings(context, kinds);
            (!is_clear || !settings.is_empty()).then_some(MissingKnowledge {
                part,
                text,
                settings,
            })
        });
    let of_several = of_several(context, left_out);
    of_several.into_iter().chain(others).chain(level).collect()
}

/// That nothing is known of the CPU; who watched the process is not told to watch it.
fn missing_cpu(context: &RuleContext<'_>, answer: ExplanationAnswer) -> Message {
    let mut sources = context.view.run.signals.sources.iter();
    let watched = sources.find(|source| source.kind == SourceKind::Process && source.answered > 0);
    match watched.filter(|_| answer == ExplanationAnswer::TooLittle) {
        Some(source) => findings::missing_cpu_short(source.name.clone()),
        None => findings::missing_cpu(),
    }
}

/// Pages that several processes answer in turn.
fn of_several(
    context: &RuleContext<'_>,
    left_out: &BTreeMap<String, usize>,
) -> Vec<MissingKnowledge> {
    let sources = context.view.run.signals.sources.iter();
    let mixed = sources.filter(|source| !left_out.contains_key(&source.name));
    let mixed = mixed.filter_map(|source| Some((&source.name, processes(source)?)));
    let left_out = left_out.iter().map(|(page, count)| (page, *count));
    let all = left_out.chain(mixed).map(|(page, count)| MissingKnowledge {
        part: BottleneckPart::Unknown,
        text: findings::missing_one_process(page.clone(), count.max(PROCESSES_MIN)),
        settings: Vec::new(),
    });
    all.collect()
}

/// How many processes answered a page whose numbers are of none of them, at least.
fn processes(source: &SourceStatus) -> Option<usize> {
    source.notes.iter().find_map(|note| match note {
        SourceNote::MixedProcesses(number) => Some(*number),
        _ => None,
    })
}

/// Whose a database's work is, where neither the load nor a time without it tells.
fn level(
    context: &RuleContext<'_>,
    first: Option<&BottleneckFinding>,
    is_clear: bool,
) -> Option<MissingKnowledge> {
    let measured = context.measured;
    let is_of_database = first.is_some_and(|first| first.part == BottleneckPart::Database);
    let is_asked = is_of_database || !is_clear;
    let is_unknown = context.view.run.idle.is_empty() && is_unowned(measured);
    (is_asked && is_unknown).then(|| MissingKnowledge {
        part: BottleneckPart::Database,
        text: findings::missing_without_load(),
        settings: Vec::new(),
    })
}

/// Statements of the database are seen, and a load that never changed does not tell whose they are.
fn is_unowned(measured: &Measured) -> bool {
    let counted = |one: &StatementView| one.counted_by == StatementOrigin::Database;
    let mut all = measured
        .statements
        .iter()
        .filter(|one| counted(one))
        .peekable();
    all.peek().is_some() && all.all(|one| one.own.is_none()) && !measured.sessions.is_owned
}

/// What sources said turns these signals on.
fn settings(context: &RuleContext<'_>, kinds: &[SignalKind]) -> Vec<String> {
    let sources = &context.view.run.signals.sources;
    let missing = sources.iter().flat_map(|source| &source.missing);
    let named = missing.filter(|one| kinds.iter().any(|kind| kind.name() == one.signal));
    let mut settings: Vec<String> = named.map(|one| one.setting.clone()).collect();
    settings.sort();
    settings.dedup();
    settings
}
