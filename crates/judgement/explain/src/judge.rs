//! The judge: what limits, how sure that is, and whether anything limits at all.
//!
//! Rules say what they see of a resource. The judge names one of them as the limit only where callers
//! lose something, or users in loops wait for it; where what it accounts for is a good part of what
//! callers wait for; and where no deeper resource in the chain accounts for that. What is left over
//! lowers the grade.

use loadline_record::signals::{Entity, SourceNote};
use loadline_text::{Message, doubt, evidence, findings, percent, significant};

use super::account;
use super::chain::Link;
use super::context::RuleContext;
use super::finding::{
    Advice, BottleneckFinding, BottleneckPart, Evidence, EvidenceGrade, EvidenceUnit, FindingRole,
    RuleId,
};
use super::flow::Flow;
use super::heavy;
use super::rules;
use super::under_way::{Account, CLOSED_SHARE_MIN};

/// A page that takes longer is late by more than a look.
const SLOW_ANSWER_MS_MIN: u64 = 1_000;
/// A resource that is used up within this factor of the rate is named as the next limit.
const NEXT_LIMIT_FACTOR_MAX: f64 = 3.0;
/// What accounts for less of what callers wait for is not what limits, ...
const NAMED_SHARE_MIN: f64 = 0.25;
/// ... nor is it what users in loops wait for, who lose nothing.
const LOOPS_SHARE_MIN: f64 = 0.5;
/// What is changed for one run to see which of two resources limits, the cheapest first.
const DECIDING_CHANGES: [(BottleneckPart, fn() -> Message); 4] = [
    (BottleneckPart::Pool, findings::decide_by_pool),
    (BottleneckPart::Threads, findings::decide_by_threads),
    (BottleneckPart::Memory, findings::decide_by_heap),
    (BottleneckPart::Cpu, findings::decide_by_cores),
];
/// What accounts for less than this has grade C.
const HALF_SHARE_MIN: f64 = 0.5;

/// A finding with what it accounts for.
struct Row {
    finding: BottleneckFinding,
    account: Account,
}

impl Row {
    fn link(&self) -> Link {
        Link {
            rule: self.finding.rule,
            account: self.account,
            grade: self.finding.grade,
        }
    }

    fn is_limit(&self) -> bool {
        self.finding.role == FindingRole::Limit
    }

    fn is_of_test_bed(&self) -> bool {
        self.finding.part == BottleneckPart::TestBed
    }
}

/// What limits first, then what limits next, then what else is notable.
pub(super) fn judged(
    found: Vec<BottleneckFinding>,
    context: &RuleContext<'_>,
) -> Vec<BottleneckFinding> {
    let is_of_others = |rule| context.flow.is_broken() && compares_flows(rule);
    let found = found.into_iter();
    let rows = found
        .filter(|finding| !is_of_others(finding.rule))
        .map(|finding| Row {
            account: account::account(finding.rule, context),
            finding,
        });
    let rows: Vec<Row> = rows.map(|row| weighed(row, context)).collect();
    let limits: Vec<Link> = rows
        .iter()
        .filter(|row| row.is_limit())
        .map(Row::link)
        .collect();
    let is_hidden = |row: &Row| {
        limits.iter().any(|cause| {
            // More users ask a target that limits for more, in vain.
            let asks_in_vain =
                row.finding.rule == RuleId::UserLimit && cause.rule != RuleId::UserLimit;
            // What tells of nothing whether it is the load's doing gives way to whatever does.
            let says_less = is_without_reason(row.finding.rule) && !is_without_reason(cause.rule);
            asks_in_vain || says_less || cause.hides(row.link())
        })
    };
    let mut kept: Vec<Row> = rows.into_iter().filter(|row| !is_hidden(row)).collect();
    let run = context.view.run;
    if (run.load.is_open || run.is_level_carried()) && !context.has_signs() {
        kept.iter_mut().for_each(answered_all);
    }
    // The order of the rules decides among limits of one grade.
    kept.sort_by_key(|row| {
        let is_generator = row.finding.rule == RuleId::Generator;
        // A generator that limits says all others are unsure; one that was only not quiet does not.
        let is_later = is_generator == (row.finding.role == FindingRole::Notice);
        (row.finding.role, is_later, row.finding.grade)
    });
    doubt_each_other(&mut kept);
    let kept = kept.into_iter().map(|row| graded(row, context));
    let mut kept: Vec<BottleneckFinding> = kept.collect();
    let limits = kept
        .iter()
        .take_while(|f| f.role == FindingRole::Limit)
        .count();
    if limits > 0 {
        let next = next_limit(&kept, context);
        kept.splice(limits..limits, next);
    } else if context.has_signs() && !is_slow_by_itself(&kept, context) {
        kept.splice(0..0, rules::unknown::finding(context));
    }
    let is_told = kept.iter().any(|one| {
        let is_of_limit = one.role < FindingRole::Notice && !one.rule.is_of_settings();
        is_of_limit && one.rule != RuleId::ObjectiveMissed
    });
    kept.retain(|one| !is_told || one.rule != RuleId::ObjectiveMissed);
    kept
}

/// That requests fail is told, and not why.
const fn is_without_reason(rule: RuleId) -> bool {
    matches!(rule, RuleId::FailingUnclear | RuleId::FailingSince)
}

/// Nothing is lost but that an objective is missed, and a finding says why each request takes so long.
fn is_slow_by_itself(found: &[BottleneckFinding], context: &RuleContext<'_>) -> bool {
    let is_slow = |one: &BottleneckFinding| one.role == FindingRole::Slow;
    context.loss.is_objective_alone && found.iter().any(is_slow)
}

/// What a finding means for the rate, given what it accounts for and what callers lose: a small part of what they wait for
/// makes nothing slow, either.
fn weighed(mut row: Row, context: &RuleContext<'_>) -> Row {
    let is_slow = row.finding.role == FindingRole::Slow;
    if !(row.is_limit() || is_slow) || row.is_of_test_bed() || is_of_failures(row.finding.rule) {
        return row;
    }
    let least = if context.has_signs() || is_slow {
        NAMED_SHARE_MIN
    } else {
        LOOPS_SHARE_MIN
    };
    match row.account {
        Account::Exceeds if !is_slow => {
            row.finding.role = FindingRole::Notice;
            row.finding.contradictions.push(doubt::exceeds());
        }
        Account::Share(share) if share < least => {
            row.finding.role = FindingRole::Notice;
            let doubt = doubt::small_account(percent(share));
            row.finding.contradictions.push(doubt);
        }
        _ => {}
    }
    row
}

/// Two resources that are both said to be used up, and neither waits for the other: one of them is mistaken, or both
/// limit. Neither is sure.
fn doubt_each_other(rows: &mut [Row]) {
    let used_up = |row: &Row| row.is_limit() && row.link().is_used_up();
    let parts: Vec<BottleneckPart> = rows
        .iter()
        .filter(|row| used_up(row))
        .map(|row| row.finding.part)
        .collect();
    let is_one = parts.windows(2).all(|pair| pair[0] == pair[1]);
    if is_one {
        return;
    }
    for row in rows.iter_mut().filter(|row| used_up(row)) {
        row.finding.grade = row.finding.grade.max(EvidenceGrade::B);
        row.finding.contradictions.push(doubt::two_used_up());
    }
    let cheapest = DECIDING_CHANGES
        .iter()
        .find(|(part, _)| parts.contains(part));
    let first = rows.iter_mut().find(|row| used_up(row));
    if let (Some((_, decides)), Some(first)) = (cheapest, first) {
        first.finding.advice.push(Advice::to(decides()));
    }
}

/// The part that the finding's deciding change is about, if it has one.
pub(super) fn deciding_part(finding: &BottleneckFinding) -> Option<BottleneckPart> {
    let is_advised = |decides: &Message| finding.advice.iter().any(|one| one.action == *decides);
    let decides = DECIDING_CHANGES.iter();
    let decides = decides.map(|(part, decides)| (*part, decides()));
    decides
        .filter(|(_, decides)| is_advised(decides))
        .map(|(part, _)| part)
        .next()
}

/// All that was asked for was answered: what is nearly used up limits next.
fn answered_all(row: &mut Row) {
    if row.is_limit() && !row.is_of_test_bed() && !is_of_failures(row.finding.rule) {
        row.finding.role = match row.finding.rule {
            RuleId::Cold => FindingRole::Slow,
            _ => FindingRole::Next,
        };
    }
}

/// Findings whose account is of requests that failed, not of time.
const fn is_of_failures(rule: RuleId) -> bool {
    rule.is_of_failing()
        || matches!(
            rule,
            RuleId::Refused
                | RuleId::Stopped
                | RuleId::Down
                | RuleId::OutOfMemory
                | RuleId::OutsideUnreachable
                | RuleId::Retries
        )
}

/// The finding with the grade that its account allows.
fn graded(row: Row, context: &RuleContext<'_>) -> BottleneckFinding {
    let mut finding = row.finding;
    if finding.role != FindingRole::Limit || finding.part == BottleneckPart::TestBed {
        return finding;
    }
    let best = match row.account {
        _ if is_of_failures(finding.rule) => EvidenceGrade::A,
        Account::Share(share) | Account::AtLeast(share) if share >= CLOSED_SHARE_MIN => {
            EvidenceGrade::A
        }
        Account::Share(share) if share < HALF_SHARE_MIN => EvidenceGrade::C,
        _ => EvidenceGrade::B,
    };
    if best > finding.grade {
        finding.grade = best;
        if let Some(share) = row.account.share() {
            let doubt = doubt::open_account(percent(1.0 - share));
            finding.contradictions.push(doubt);
        }
    }
    if let Some(doubt) = doubt_of_slow_page(finding.part, context) {
        // Others who see the same are not asked in that queue.
        let is_confirmed = match finding.part {
            BottleneckPart::Pool => context.is_full_pool_confirmed(),
            _ => context.are_busy_threads_confirmed(),
        };
        let best = if is_confirmed {
            EvidenceGrade::A
        } else {
            EvidenceGrade::B
        };
        finding.grade = finding.grade.max(best);
        finding.contradictions.push(doubt);
    }
    if let Some(doubt) = doubt_of_flow(finding.rule, context.flow) {
        finding.grade = finding.grade.max(EvidenceGrade::B);
        finding.contradictions.push(doubt);
    }
    finding
}

/// A page that waits in the queue that it measures is answered at chosen moments.
fn doubt_of_slow_page(part: BottleneckPart, context: &RuleContext<'_>) -> Option<Message> {
    let is_told_by_pages = matches!(part, BottleneckPart::Pool | BottleneckPart::Threads);
    let sources = &context.view.run.signals.sources;
    let mut notes = sources.iter().flat_map(|source| &source.notes);
    let slowest = notes.find_map(|note| match note {
        SourceNote::SlowAnswers(millis) if *millis >= SLOW_ANSWER_MS_MIN => Some(*millis),
        _ => None,
    })?;
    is_told_by_pages.then(|| doubt::slow_page(format!("{slowest} ms")))
}

/// What a page says is sure only where it counts the callers' requests.
fn doubt_of_flow(rule: RuleId, flow: Flow) -> Option<Message> {
    let doubt = match flow {
        Flow::More { page, callers } => {
            doubt::page_counts_more(significant(page), significant(callers))
        }
        Flow::Fewer { page, callers } => {
            doubt::page_counts_fewer(significant(page), significant(callers))
        }
        Flow::Conserved | Flow::Unknown => return None,
    };
    is_told_by_page(rule).then_some(doubt)
}

/// Rules that rest on what the target says of its own requests.
const fn is_told_by_page(rule: RuleId) -> bool {
    matches!(
        rule,
        RuleId::HeapTooSmall
            | RuleId::EventLoop
            | RuleId::TooFewThreads
            | RuleId::PoolHeld
            | RuleId::PoolTooSmall
            | RuleId::PoolExhausted
            | RuleId::SlowOutside
            | RuleId::OutsideLimit
            | RuleId::WaitsInside
            | RuleId::NetworkDelay
            | RuleId::NetworkBandwidth
            | RuleId::UnevenLoad
    )
}

/// Rules that compare what the target counts with what callers see: without the same requests they say nothing.
const fn compares_flows(rule: RuleId) -> bool {
    matches!(
        rule,
        RuleId::NetworkDelay | RuleId::NetworkBandwidth | RuleId::WaitsInside
    )
}

/// The resource that is used up next, if that is near.
fn next_limit(found: &[BottleneckFinding], context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let first = found.first()?;
    if first.part == BottleneckPart::TestBed {
        return None;
    }
    let next = context.ceilings.without(first.part)?;
    let mut limits = found.iter().filter(|one| !one.rule.is_of_settings());
    let is_told = limits.any(|finding| finding.part == next.part);
    if is_told || next.rate > NEXT_LIMIT_FACTOR_MAX * context.measured.rate {
        return None;
    }
    let rate = significant(next.rate);
    let statement = match next.part {
        BottleneckPart::Cpu => findings::next_cpu(rate),
        BottleneckPart::Database => findings::next_database(rate),
        BottleneckPart::Pool => findings::next_pool(rate),
        _ => findings::next_threads(rate),
    };
    Some(BottleneckFinding {
        rule: RuleId::NextLimit,
        part: next.part,
        grade: EvidenceGrade::B,
        role: FindingRole::Next,
        entity: Entity::new(),
        statement,
        evidence: vec![Evidence {
            name: "ceiling",
            label: evidence::ceiling(),
            value: next.rate,
            unit: EvidenceUnit::PerSecond,
        }],
        statements: match next.part {
            BottleneckPart::Database => heavy::heaviest(context.measured),
            _ => Vec::new(),
        },
        contradictions: vec![doubt::extrapolated()],
        logged: Vec::new(),
        advice: Vec::new(),
        ceiling: Some(next.rate),
    })
}
