//! Lines of logs as witnesses: which say that something limits, whether that fits what callers lose, and when.
//!
//! A line is evidence for a cause when all of it holds:
//! - it says so in the words of its stack ([`phrases`]), at WARN or above, or without a level;
//! - who writes is no exporter of metrics, traces or logs ([`speaker`]);
//! - its own figures fit: a pool with `total=0` or free connections is none whose connections are all held
//!   ([`figures`]);
//! - its number moves with the failed or slow requests, second by second ([`movement`]).
//!
//! A line without a level is worth at most grade C, and so is one that decides where what callers lose is the same
//! all along. What does not pass is told as a notice that quotes it, never
//! as a limit. Lines that decide (out of memory, no more sessions) are told with their second even if they come once.

mod figures;
mod movement;
mod phrases;
mod speaker;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use loadline_record::signals::{Label, LineLevel, SignalKind, SignalPoint, SignalSeries, Signals};

use super::finding::{BottleneckFinding, EvidenceGrade, LogLine, RuleId};
use super::input::{ExplainedRun, share};
use figures::PoolFigures;
use movement::{CallerLoss, LineMovement};
use phrases::LogPhrase;

/// The most log lines that are quoted with one finding.
pub(super) const QUOTED_LINES_MAX: usize = 3;
/// The setting that holds a wording's sample.
const SAMPLE: &str = "log.sample";
/// Lines about fewer of the failed or slow requests are no cause of them.
const ACCOUNTED_SHARE_MIN: f64 = 0.1;
/// ... and of those that are lost all along, lines that decide are at least such a share, and at most as many
/// times as many. Worth grade C.
const UNTOLD_SHARE_MIN: f64 = 0.25;
/// A line for each failed request, off by at most this part.
const EACH_TOLERANCE: f64 = 0.1;
/// A line that comes more often is not rare.
const RARE_LINES_MAX: f64 = 10.0;
/// A line that decides comes at most so many seconds before, and after, what it explains: it is read once a
/// second, and a process that runs out of memory may struggle before it ends.
const DECISIVE_SECONDS_BEFORE: f64 = 10.0;
const DECISIVE_SECONDS_AFTER: f64 = 5.0;

/// Lines that say that something limits, and move with what callers lose.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LogEvidence {
    /// The most frequent first.
    pub(super) lines: Vec<LogLine>,
    pub(super) count: f64,
    /// The second of the run from which on they come.
    pub(super) from_s: f64,
    /// Of the failed or slow requests: lines for each of them. May be more than 1.
    pub(super) accounts: f64,
    /// What a finding that rests on them alone is worth.
    pub(super) grade: EvidenceGrade,
    /// Their figures say that all connections are held.
    pub(super) is_all_held: bool,
    /// Each of them says by itself that the resource is full.
    is_decisive: bool,
    /// There is a line of an error for each of the failed or slow requests, and they move together.
    pub(super) is_error_of_each: bool,
}

impl LogEvidence {
    /// There is a line for each of the failed requests, and it moves with them: who refused them and who missed their
    /// answers say the same.
    pub(super) fn is_each(&self) -> bool {
        is_of_number(self.accounts) && self.is_decisive && self.grade == EvidenceGrade::B
    }

    /// The grade of a finding that these lines and the callers' failures alone tell.
    pub(super) fn grade_beside_callers(&self) -> EvidenceGrade {
        if self.is_each() {
            EvidenceGrade::A
        } else {
            self.grade
        }
    }
}

/// So many lines a request are one.
fn is_of_number(lines: f64) -> bool {
    (1.0 - EACH_TOLERANCE..=1.0 + EACH_TOLERANCE).contains(&lines)
}

/// What a failed request is answered says, in the words in which a log would, that it got no connection of a pool.
pub(super) fn is_of_full_pool(answer: &str) -> bool {
    let shown = phrases::phrase_of(answer).map(|phrase| phrase.shows);
    let is_full = !matches!(
        PoolFigures::of(answer),
        PoolFigures::Free | PoolFigures::Empty
    );
    shown == Some(RuleId::PoolExhausted) && is_full
}

/// What the log says, read once for all rules.
pub(super) struct LogWitness<'a> {
    /// Wordings that came during the run, the most frequent first.
    statements: Vec<Statement<'a>>,
    /// Of these, lines of errors.
    errors: Vec<LogLine>,
    /// What there is for each rule that lines speak for.
    evidence: BTreeMap<RuleId, LogEvidence>,
}

impl<'a> LogWitness<'a> {
    pub(super) fn new(run: &'a ExplainedRun) -> Self {
        let statements = statements(&run.signals, SignalKind::LogLines);
        let loss = CallerLoss::new(run);
        let of = |rule: &RuleId| Some((*rule, evidence(&statements, &loss, *rule)?));
        Self {
            evidence: SPOKEN_FOR.iter().filter_map(of).collect(),
            errors: statements_of_errors(&run.signals),
            statements,
        }
    }

    /// Lines that say that this limits, and whose number moves with what callers lose.
    pub(super) fn evidence(&self, rule: RuleId) -> Option<&LogEvidence> {
        self.evidence.get(&rule)
    }

    /// Lines of errors, the most frequent first.
    pub(super) fn errors(&self) -> &[LogLine] {
        &self.errors
    }

    /// Rare lines that decide, the earliest first: told even if they come once. Those that come often are seen
    /// anyway.
    pub(super) fn decisive(&self) -> Vec<LogLine> {
        let decisive = self.statements.iter().filter(|one| {
            let is_end = one.line.level == Some(LineLevel::Fatal);
            one.is_decisive() && one.shows.is_some()
                || is_end && !speaker::is_telemetry(&one.line.text)
        });
        let rare = decisive.filter(|one| one.line.count <= RARE_LINES_MAX);
        let mut lines: Vec<LogLine> = rare.map(|one| one.line.clone()).collect();
        lines.sort_by(|a, b| a.from_s.total_cmp(&b.from_s));
        lines
    }

    /// A line that decides this came about a second of the run.
    pub(super) fn is_decided_near(&self, rule: RuleId, second: f64) -> bool {
        let mut decisive = self
            .statements
            .iter()
            .filter(|one| one.is_decisive() && one.is_for(rule));
        let seconds = |ms: u64| f64::from(u32::try_from(ms).unwrap_or(u32::MAX)) / 1000.0;
        decisive.any(|one| {
            one.points.windows(2).any(|pair| {
                pair[1].value > pair[0].value
                    && seconds(pair[1].at_ms) >= second - DECISIVE_SECONDS_BEFORE
                    && seconds(pair[0].at_ms) <= second + DECISIVE_SECONDS_AFTER
            })
        })
    }

    /// Lines that name a limit and are no evidence of one, at WARN or above or without a level.
    pub(super) fn doubted(&self) -> Vec<LogLine> {
        let named = self.statements.iter().filter(|one| one.is_grave());
        let is_evidence = |one: &&Statement<'_>| {
            let evidence = one.shows.and_then(|shown| self.evidence(shown));
            evidence.is_some_and(|evidence| evidence.lines.contains(&one.line))
        };
        let doubted = named.filter(|one| !is_evidence(one));
        doubted.map(|one| one.line.clone()).collect()
    }

    /// Attaches to each finding the log lines that say the same.
    pub(super) fn quote(&self, findings: &mut [BottleneckFinding]) {
        for finding in findings {
            let said = self
                .statements
                .iter()
                .filter(|one| one.is_for(finding.rule) && !finding.logged.contains(&one.line));
            let room = QUOTED_LINES_MAX.saturating_sub(finding.logged.len());
            let more: Vec<LogLine> = said.take(room).map(|one| one.line.clone()).collect();
            finding.logged.extend(more);
        }
    }
}

/// A wording with what it says.
struct Statement<'a> {
    line: LogLine,
    phrase: Option<&'static LogPhrase>,
    /// The finding that it speaks for.
    shows: Option<RuleId>,
    points: &'a [SignalPoint],
}

impl Statement<'_> {
    fn is_decisive(&self) -> bool {
        self.phrase.is_some_and(|phrase| phrase.is_decisive)
    }

    fn is_grave(&self) -> bool {
        self.phrase
            .is_some_and(|phrase| is_grave(phrase, &self.line))
    }

    fn is_for(&self, rule: RuleId) -> bool {
        self.shows
            .is_some_and(|shown| said_for(rule).contains(&shown))
    }
}

fn statements(signals: &Signals, kind: SignalKind) -> Vec<Statement<'_>> {
    let samples = samples(signals);
    let came = signals.of_kind(kind).filter_map(|series| {
        let line = line(&samples, series)?;
        Some((line, series.points()))
    });
    let mut came: Vec<(LogLine, &[SignalPoint])> = came.collect();
    came.sort_by(|a, b| b.0.count.total_cmp(&a.0.count));
    let is_new: Vec<bool> = (0..came.len()).map(|at| !is_repeated(at, &came)).collect();
    let new = came.into_iter().zip(is_new).filter(|(_, is_new)| *is_new);
    new.map(|((line, points), _)| {
        let phrase = phrases::phrase_of(&line.text);
        Statement {
            shows: phrase.and_then(|phrase| shows(phrase, &line)),
            phrase,
            points,
            line,
        }
    })
    .collect()
}

fn statements_of_errors(signals: &Signals) -> Vec<LogLine> {
    let all = statements(signals, SignalKind::LogErrors).into_iter();
    all.map(|one| one.line).collect()
}

/// The first line of each wording as it came, by the wording and its level.
fn samples(signals: &Signals) -> BTreeMap<(&str, Option<&str>), &str> {
    let settings = signals.settings().iter();
    let samples = settings.filter(|setting| setting.name == SAMPLE);
    // The first of a wording stays.
    samples
        .rev()
        .filter_map(|sample| {
            let wording = sample.entity.get(Label::Line)?;
            let level = sample.entity.get(Label::Level);
            Some(((wording, level), sample.value.as_str()))
        })
        .collect()
}

/// A line, such as the exception below an error, that says only what another one says as often.
fn is_repeated(at: usize, all: &[(LogLine, &[SignalPoint])]) -> bool {
    let (line, _) = &all[at];
    all.iter().any(|(other, _)| {
        other.text.len() > line.text.len()
            && other.count >= line.count
            && other.text.contains(&line.text)
    })
}

fn line(samples: &BTreeMap<(&str, Option<&str>), &str>, series: &SignalSeries) -> Option<LogLine> {
    let wording = series.entity.get(Label::Line)?;
    let seconds = |ms: u64| f64::from(u32::try_from(ms / 1000).unwrap_or(u32::MAX));
    let grows = |pair: &&[SignalPoint]| pair[1].value > pair[0].value;
    let mut growths = series.points().windows(2).filter(grows);
    let first = growths.next()?;
    let last = growths.next_back().unwrap_or(first);
    let count: f64 = series
        .points()
        .windows(2)
        .map(|pair| (pair[1].value - pair[0].value).max(0.0))
        .sum();
    let level = series.entity.get(Label::Level);
    let sample = samples.get(&(wording, level)).copied();
    Some(LogLine {
        // Older records have no label for it.
        level: level.map_or_else(|| LineLevel::of_line(wording), LineLevel::named),
        text: sample.unwrap_or(wording).to_owned(),
        count,
        from_s: seconds(first[0].at_ms),
        to_s: seconds(last[0].at_ms),
    })
}

fn is_grave(phrase: &LogPhrase, line: &LogLine) -> bool {
    line.level.is_none_or(|level| level >= phrase.level)
}

/// The finding that a line speaks for, by its words, its level, its writer and its figures.
fn shows(phrase: &LogPhrase, line: &LogLine) -> Option<RuleId> {
    let is_of_target = phrase.is_decisive || !speaker::is_telemetry(&line.text);
    if !is_grave(phrase, line) || !is_of_target {
        return None;
    }
    if phrase.shows != RuleId::PoolExhausted {
        return Some(phrase.shows);
    }
    match PoolFigures::of(&line.text) {
        PoolFigures::AllHeld | PoolFigures::Untold => Some(RuleId::PoolExhausted),
        // None could be opened.
        PoolFigures::Empty => Some(RuleId::OutsideUnreachable),
        PoolFigures::Free => None,
    }
}

/// Rules that lines speak for.
const SPOKEN_FOR: [RuleId; 12] = [
    RuleId::PoolExhausted,
    RuleId::OutOfMemory,
    RuleId::SlowOutside,
    RuleId::DatabaseSessions,
    RuleId::RowLock,
    RuleId::OutsideUnreachable,
    RuleId::Refused,
    RuleId::AcceptQueue,
    RuleId::OpenFiles,
    RuleId::Retries,
    RuleId::TooFewThreads,
    RuleId::OutsideRefused,
];

/// What lines say for a rule: several rules are about the same resource.
fn said_for(rule: RuleId) -> &'static [RuleId] {
    match rule {
        RuleId::PoolHeld | RuleId::PoolTooSmall | RuleId::PoolExhausted => &[RuleId::PoolExhausted],
        RuleId::HeapTooSmall | RuleId::MemoryLimit | RuleId::OutOfMemory => &[RuleId::OutOfMemory],
        RuleId::SlowOutside | RuleId::OutsideLimit => {
            &[RuleId::SlowOutside, RuleId::OutsideUnreachable]
        }
        RuleId::DatabaseSessions => &[RuleId::DatabaseSessions],
        RuleId::RowLock => &[RuleId::RowLock],
        RuleId::OutsideUnreachable => &[RuleId::OutsideUnreachable],
        RuleId::OutsideRefused => &[RuleId::OutsideRefused],
        RuleId::Refused => &[RuleId::Refused],
        RuleId::AcceptQueue => &[RuleId::AcceptQueue],
        RuleId::OpenFiles => &[RuleId::OpenFiles],
        RuleId::Retries => &[RuleId::Retries],
        RuleId::TooFewThreads => &[RuleId::TooFewThreads],
        _ => &[],
    }
}

/// Lines that say that this limits, and whose number moves with what callers lose.
fn evidence(all: &[Statement<'_>], loss: &CallerLoss, rule: RuleId) -> Option<LogEvidence> {
    let said: Vec<&Statement<'_>> = all.iter().filter(|one| one.is_for(rule)).collect();
    let (moving, is_moving) = match moving(&said, loss, rule) {
        Some(moving) => (moving, true),
        None => (untold(&said, loss)?, false),
    };
    let lines: Vec<LogLine> = moving.iter().map(|one| one.line.clone()).collect();
    let count: f64 = lines.iter().map(|line| line.count).sum();
    let accounts = share(count, loss.total());
    if accounts < ACCOUNTED_SHARE_MIN {
        return None;
    }
    let leveled = lines.iter().filter(|line| line.level.is_some());
    let leveled: f64 = leveled.map(|line| line.count).sum();
    let figures = |wanted: PoolFigures| {
        let mut lines = lines.iter();
        lines.any(|line| PoolFigures::of(&line.text) == wanted)
    };
    let is_sure = is_moving && leveled >= count / 2.0 && !figures(PoolFigures::Empty);
    // Lines of a try that was made again come beside them.
    let errors = lines
        .iter()
        .filter(|line| line.level >= Some(LineLevel::Error));
    let errors: f64 = errors.map(|line| line.count).sum();
    Some(LogEvidence {
        is_error_of_each: is_sure && is_of_number(share(errors, loss.total())),
        count,
        accounts,
        from_s: lines.iter().map(|line| line.from_s).reduce(f64::min)?,
        grade: if is_sure {
            EvidenceGrade::B
        } else {
            EvidenceGrade::C
        },
        is_all_held: figures(PoolFigures::AllHeld),
        is_decisive: moving.iter().all(|one| one.is_decisive()),
        lines,
    })
}

/// The lines that move: each by itself, or all together, where each wording is rare.
fn moving<'s, 'a>(
    said: &[&'s Statement<'a>],
    loss: &CallerLoss,
    rule: RuleId,
) -> Option<Vec<&'s Statement<'a>>> {
    let is_moving = |seconds: &[f64]| {
        // What is tried again may be answered well in the end.
        let is_with_requests = || {
            rule == RuleId::Retries
                && loss.movement_with_requests(seconds) == LineMovement::Together
        };
        loss.movement(seconds) == LineMovement::Together || is_with_requests()
    };
    let growths: Vec<Vec<f64>> = said.iter().map(|one| loss.growth(one.points)).collect();
    let alone: Vec<&Statement<'_>> = said
        .iter()
        .zip(&growths)
        .filter(|(_, growth)| is_moving(growth))
        .map(|(one, _)| *one)
        .collect();
    if !alone.is_empty() {
        return Some(alone);
    }
    let together = growths.into_iter().reduce(|mut sum, growth| {
        sum.iter_mut()
            .zip(growth)
            .for_each(|(sum, one)| *sum += one);
        sum
    })?;
    is_moving(&together).then(|| said.to_vec())
}

/// Lines that decide, each of which is a request or a connection that was lost, where what callers lose hardly
/// changes: they need not move, but they must be of that number.
fn untold<'s, 'a>(said: &[&'s Statement<'a>], loss: &CallerLoss) -> Option<Vec<&'s Statement<'a>>> {
    let is_of_number = |one: &Statement<'_>| {
        let share = share(one.line.count, loss.total());
        (UNTOLD_SHARE_MIN..=1.0 / UNTOLD_SHARE_MIN).contains(&share)
    };
    let untold: Vec<&Statement<'_>> = said
        .iter()
        .filter(|one| one.is_decisive())
        .filter(|one| is_of_number(one))
        .filter(|one| loss.movement(&loss.growth(one.points)) == LineMovement::Untold)
        .copied()
        .collect();
    (!untold.is_empty()).then_some(untold)
}
