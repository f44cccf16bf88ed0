//! Why a run went as it did, as text.

pub mod file;
pub(crate) mod loads;
pub mod probe;
pub mod verdict;

use std::fmt::Write as _;

use loadline_explain::{
    Advice, BottleneckFinding, BottleneckPart, Evidence, EvidenceGrade, EvidenceUnit, Explanation,
    ExplanationAnswer, FindingRole, HeavyStatement, LogLine, Prediction, RuleId, StatementOrigin,
    TimeBreakdown, TimePart, TimeShare,
};
use loadline_record::signals::{Label, SourceError, SourceNote, SourceStatus};
use loadline_text::{
    Catalog, Message, counted, explain, grouped, latency, millis, observe, percent, significant,
};
use unicode_width::UnicodeWidthStr as _;

/// So much of a statement is repeated where it was named whole, bytes.
const REPEATED_BYTES_MAX: usize = 60;

/// The explanation as text: the answer in one line, findings, what is not known.
#[must_use]
pub fn text(
    run: &str,
    explanation: &Explanation,
    sources: &[SourceStatus],
    catalog: &Catalog,
) -> String {
    let page = Page { catalog };
    let say = |message: Message| catalog.text(&message);
    let (from, to) = explanation.window;
    let mut text = format!("{}\n\n", say(explain::title(run)));
    let _ = writeln!(text, "{}", answer(explanation, catalog));
    let looked = if explanation.rate > 0.0 {
        explain::looked_at(
            grouped(from, 0),
            grouped(to, 0),
            significant(explanation.rate),
            latency(explanation.mean_ms),
            latency(explanation.p95_ms),
        )
    } else if to > from {
        explain::looked_at_none(grouped(from, 0), grouped(to, 0))
    } else {
        explain::looked_at_nothing()
    };
    let _ = writeln!(text, "{}", say(looked));
    let goals = (
        explain::row_objective(),
        loads::objectives(explanation, catalog),
    );
    text.push_str(&page.rows(&[goals], 0));
    if let Some(time) = &explanation.time {
        text.push_str(&page.time(time));
    }
    for (number, finding) in explanation.findings.iter().enumerate() {
        text.push('\n');
        text.push_str(&page.finding(number + 1, finding));
    }
    let ceilings = explanation.ceilings.iter().map(|ceiling| {
        let part = part(ceiling.part, catalog);
        say(explain::ceiling_is(part, significant(ceiling.rate)))
    });
    let missing = explanation.missing.iter().map(|missing| {
        let turned_on = missing.settings.iter();
        let turned_on: Vec<String> = turned_on.map(|s| say(explain::turned_on_by(s))).collect();
        let mut lines = vec![catalog.text(&missing.text)];
        lines.extend(turned_on.into_iter().map(|line| format!("  {line}")));
        lines.join("\n")
    });
    let rows = [
        (explain::row_levels(), loads::levels(explanation, catalog)),
        (
            explain::row_endpoints(),
            loads::endpoints(explanation, catalog),
        ),
        (
            explain::row_statements(),
            statements_apart(explanation, catalog),
        ),
        (explain::row_ceilings(), ceilings.collect()),
        (
            explain::row_what_if(),
            explanation
                .predictions
                .iter()
                .map(|one| prediction(one, catalog))
                .collect(),
        ),
        (explain::row_missing(), missing.collect()),
        (explain::row_sources(), self::sources(sources, catalog)),
    ];
    text.push('\n');
    text.push_str(&page.rows(&rows, 0));
    text
}

/// What an assumption gives, in words.
fn prediction(prediction: &Prediction, catalog: &Catalog) -> String {
    let assumed = &prediction.assumed;
    catalog.text(&match (prediction.rate, prediction.then) {
        (Some(rate), Some(then)) => {
            explain::what_if(assumed, significant(rate), part(then, catalog))
        }
        _ => explain::what_if_unknown(assumed),
    })
}

/// The answer in one line.
#[must_use]
pub fn answer(explanation: &Explanation, catalog: &Catalog) -> String {
    let rate = || significant(explanation.rate);
    let carried = || significant(explanation.carried);
    let message = match (explanation.answer, explanation.findings.first()) {
        (ExplanationAnswer::Limited, Some(first)) => {
            explain::answer_limited(limited_part(first, catalog), first.grade.letter())
        }
        (ExplanationAnswer::Slow, Some(first))
            if first.rule == RuleId::Stalls && first.part == BottleneckPart::Unknown =>
        {
            explain::answer_stood_still(first.grade.letter())
        }
        (ExplanationAnswer::Slow, Some(first)) if first.part == BottleneckPart::Unknown => {
            explain::answer_slow_unseen(first.grade.letter())
        }
        (ExplanationAnswer::Slow, Some(first)) => {
            explain::answer_slow(limited_part(first, catalog), first.grade.letter())
        }
        (ExplanationAnswer::Failing, Some(first)) => failing(first),
        (ExplanationAnswer::UnknownLimit, first) => match first.map(|first| first.rule) {
            // What is seen to be full is named, though not why.
            Some(RuleId::PoolExhausted) => explain::answer_unknown_pool(rate()),
            Some(RuleId::RowLock) => explain::answer_unknown_lock(rate()),
            Some(RuleId::AcceptQueue) => explain::answer_unknown_accept(rate()),
            _ => first
                .and_then(limited_kinds)
                .unwrap_or_else(|| explain::answer_unknown(rate())),
        },
        (ExplanationAnswer::NoSign, _) => explain::answer_no_sign(carried()),
        (ExplanationAnswer::TooLittle, _) => explain::answer_too_little(),
        (ExplanationAnswer::NotValid, _) => explain::answer_not_valid(),
        (
            ExplanationAnswer::NoBottleneck
            | ExplanationAnswer::Limited
            | ExplanationAnswer::Slow
            | ExplanationAnswer::Failing,
            _,
        ) => explain::answer_none(carried()),
    };
    let text = catalog.text(&message);
    let is_said = explanation.answer == ExplanationAnswer::NotValid
        || explanation
            .cause()
            .is_some_and(|first| first.rule == RuleId::Generator);
    if explanation.is_not_valid && !is_said {
        return catalog.text(&explain::answer_beside_not_valid(text));
    }
    text
}

/// The answer where only some kinds of requests are limited.
fn limited_kinds(first: &BottleneckFinding) -> Option<Message> {
    let names = first.entity.get(Label::Operation)?;
    let rate = first.evidence.iter().find(|one| one.name == "rate")?;
    Some(explain::answer_unknown_of(significant(rate.value), names))
}

/// The answer where requests fail and no limit is why.
fn failing(first: &BottleneckFinding) -> Message {
    let grade = first.grade.letter();
    match first.rule {
        RuleId::FailingInLoops => explain::answer_failing_in_loops(grade),
        RuleId::FailingAfterWork => explain::answer_failing_after_work(grade),
        RuleId::FailingUnclear => explain::answer_failing_unclear(grade),
        RuleId::FailingSince => explain::answer_failing_since(grade),
        RuleId::FailingAtAnyLoad => explain::answer_failing_at_any_load(grade),
        RuleId::WrongRequests => explain::answer_wrong_requests(grade),
        RuleId::WrongAnswers => explain::answer_wrong_answers(grade),
        _ => explain::answer_failing(grade),
    }
}

/// What limits a run that goes on, in one line; `None` while too little is known.
#[must_use]
pub fn so_far(explanation: &Explanation, catalog: &Catalog) -> Option<String> {
    let first = explanation.findings.first();
    let text = match (explanation.answer, first) {
        (
            ExplanationAnswer::TooLittle | ExplanationAnswer::NoSign | ExplanationAnswer::NotValid,
            _,
        ) => return None,
        (ExplanationAnswer::Limited | ExplanationAnswer::Slow, Some(first)) => {
            limit(first, catalog)
        }
        _ => answer(explanation, catalog),
    };
    Some(catalog.text(&explain::so_far(text)))
}

/// The answer with the finding that it rests on, in one line.
#[must_use]
pub fn cause(explanation: &Explanation, catalog: &Catalog) -> String {
    let answer = answer(explanation, catalog);
    match explanation.cause() {
        Some(finding) => {
            let statement = catalog.text(&finding.statement);
            catalog.text(&explain::cause_is(answer, statement))
        }
        None => answer,
    }
}

/// A finding in one line, with its part and grade.
#[must_use]
pub fn limit(finding: &BottleneckFinding, catalog: &Catalog) -> String {
    let part = limited_part(finding, catalog);
    let statement = catalog.text(&finding.statement);
    catalog.text(&explain::limit_is(part, finding.grade.letter(), statement))
}

/// What limits, where a sentence names it: a target that stopped has no part that is known.
fn limited_part(finding: &BottleneckFinding, catalog: &Catalog) -> String {
    match finding.rule {
        RuleId::Stopped | RuleId::Down => catalog.text(&explain::part_stopped()),
        RuleId::Refused if finding.grade == EvidenceGrade::A => {
            catalog.text(&explain::part_on_purpose())
        }
        _ => part(finding.part, catalog),
    }
}

/// The name of a part of a request's time.
pub(crate) fn time_part(part: TimePart) -> Message {
    match part {
        TimePart::Before => explain::time_before(),
        TimePart::PoolWait => explain::time_pool_wait(),
        TimePart::Held => explain::time_held(),
        TimePart::Sql => explain::time_sql(),
        TimePart::Outside => explain::time_outside(),
        TimePart::Message => explain::time_message(),
        TimePart::Cpu => explain::time_cpu(),
        TimePart::CoreWait => explain::time_core_wait(),
        TimePart::Collection => explain::time_collection(),
        TimePart::Unexplained => explain::time_unexplained(),
    }
}

/// The name of a part.
pub(crate) fn part(part: BottleneckPart, catalog: &Catalog) -> String {
    catalog.text(&match part {
        BottleneckPart::TestBed => explain::part_test_bed(),
        BottleneckPart::Network => explain::part_network(),
        BottleneckPart::Cpu => explain::part_cpu(),
        BottleneckPart::Memory => explain::part_memory(),
        BottleneckPart::Code => explain::part_code(),
        BottleneckPart::Threads => explain::part_threads(),
        BottleneckPart::Files => explain::part_files(),
        BottleneckPart::Pool => explain::part_pool(),
        BottleneckPart::Database => explain::part_database(),
        BottleneckPart::Outside => explain::part_outside(),
        BottleneckPart::Cache => explain::part_cache(),
        BottleneckPart::Storage => explain::part_storage(),
        BottleneckPart::Unknown => explain::part_unknown(),
    })
}

/// A number with its unit, the same in both languages.
fn number(evidence: &Evidence) -> String {
    evidence_number(evidence.value, evidence.unit)
}

/// A number in the unit of evidence.
pub(crate) fn evidence_number(value: f64, unit: EvidenceUnit) -> String {
    match unit {
        EvidenceUnit::Count | EvidenceUnit::Cores => counted(value),
        EvidenceUnit::PerSecond => format!("{}/s", significant(value)),
        // "0.000 ms" reads as if it were measured to the microsecond.
        EvidenceUnit::Millis if value == 0.0 => "0 ms".to_owned(),
        EvidenceUnit::Millis => millis(value),
        EvidenceUnit::Share => percent(value),
        EvidenceUnit::BytesPerSecond => format!("{} MB/s", significant(value / 1e6)),
    }
}

/// A finding in words.
pub(crate) struct FindingText {
    /// Role and grade.
    pub(crate) head: String,
    /// The statement.
    pub(crate) statement: String,
    /// Where it is, evidence, statements, lines of logs, contradictions, advice.
    pub(crate) rows: [(Message, Vec<String>); 6],
}

impl FindingText {
    pub(crate) fn new(finding: &BottleneckFinding, catalog: &Catalog) -> Self {
        let page = Page { catalog };
        let grade = finding.grade.letter();
        let head = match finding.role {
            FindingRole::Limit => explain::head_now(grade),
            FindingRole::Next => explain::head_next(grade),
            FindingRole::Slow => explain::head_slow(grade),
            FindingRole::Notice => explain::head_notice(grade),
        };
        let evidence = finding.evidence.iter();
        let evidence = evidence.map(|e| format!("{} {}", page.text(&e.label), number(e)));
        let place = finding.entity.to_string();
        let place = if place.is_empty() {
            Vec::new()
        } else {
            vec![place]
        };
        let statements = finding.statements.iter().map(|s| page.statement(s));
        let logged = finding.logged.iter().map(|line| page.logged(line));
        let against = finding.contradictions.iter().map(|m| page.text(m));
        let advice = finding
            .advice
            .iter()
            .map(|a| page.advice(a, &finding.statements));
        Self {
            head: page.text(&head),
            statement: page.text(&finding.statement),
            rows: [
                (explain::row_where(), place),
                (explain::row_evidence(), evidence.collect()),
                (explain::row_statements(), statements.collect()),
                (explain::row_logged(), logged.collect()),
                (explain::row_against(), against.collect()),
                (explain::row_try(), advice.collect()),
            ],
        }
    }
}

/// The heaviest statements, when no finding names any.
pub(crate) fn statements_apart(explanation: &Explanation, catalog: &Catalog) -> Vec<String> {
    let mut findings = explanation.findings.iter();
    if findings.any(|finding| !finding.statements.is_empty()) {
        return Vec::new();
    }
    let page = Page { catalog };
    let statements = explanation.statements.iter();
    statements.map(|s| page.statement(s)).collect()
}

/// What became of the sources, a line each.
pub(crate) fn sources(sources: &[SourceStatus], catalog: &Catalog) -> Vec<String> {
    if sources.is_empty() {
        return vec![catalog.text(&explain::source_none())];
    }
    let lines = sources.iter().map(|source| match source.failures.first() {
        None => explain::source_answered(&source.name, source.answered),
        Some(first) => {
            let failed: u64 = source.failures.iter().map(|failure| failure.attempts).sum();
            let error = SourceError::of_code(&first.error);
            let error = crate::sources::error(&error, catalog);
            explain::source_failed(&source.name, source.answered, failed, error)
        }
    });
    let lines = lines.map(|line| catalog.text(&line));
    // What is not used matters to who sets sources up, not to who reads what limits a target.
    let is_of_figures = |note: &&SourceNote| !matches!(note, SourceNote::UnusedMetric(..));
    let notes = sources.iter().flat_map(|source| {
        let notes = source.notes.iter().filter(is_of_figures);
        notes.map(|note| {
            let text = crate::sources::note(note, catalog);
            catalog.text(&observe::source_remark_of(&source.name, text))
        })
    });
    lines.chain(notes).collect()
}

struct Page<'a> {
    catalog: &'a Catalog,
}

impl Page<'_> {
    fn text(&self, message: &Message) -> String {
        self.catalog.text(message)
    }

    fn finding(&self, number_of: usize, finding: &BottleneckFinding) -> String {
        let said = FindingText::new(finding, self.catalog);
        let mut text = format!("{number_of}. [{}] {}\n", said.head, said.statement);
        text.push_str(&self.rows(&said.rows, 3));
        text
    }

    fn logged(&self, line: &LogLine) -> String {
        let times = explain::logged(
            counted(line.count),
            grouped(line.from_s, 0),
            grouped(line.to_s, 0),
        );
        format!("{}\n  {}", line.text, self.text(&times))
    }

    /// Where the time of a request goes: a line for each part.
    fn time(&self, time: &TimeBreakdown) -> String {
        let head = match time.traced {
            traced if traced > 0.0 => explain::time_of_traces(grouped(traced, 0)),
            _ => explain::time_of_metrics(),
        };
        let whole: f64 = time.parts.iter().map(|part| part.mean_ms).sum();
        let line = |part: &TimeShare| {
            let share = percent(part.mean_ms / whole.max(f64::MIN_POSITIVE));
            let line = match part.slowest_ms {
                Some(slowest) => {
                    explain::time_part_slowest(millis(part.mean_ms), share, millis(slowest))
                }
                None => explain::time_part(millis(part.mean_ms), share),
            };
            (time_part(part.part), vec![self.text(&line)])
        };
        let rows: Vec<(Message, Vec<String>)> = time.parts.iter().map(line).collect();
        format!("\n{}\n{}", self.text(&head), self.rows(&rows, 3))
    }

    fn statement(&self, statement: &HeavyStatement) -> String {
        let share = percent(statement.share);
        let mean = millis(statement.mean_ms);
        let calls = significant(statement.calls_of_request);
        let said = match statement.counted_by {
            StatementOrigin::Database => explain::statement_counted(share, mean, calls),
            StatementOrigin::Traces => explain::statement_traced(share, mean, calls),
        };
        format!("{}\n  {}", self.text(&said), statement.text)
    }

    /// Statements that were named already are not repeated whole.
    fn advice(&self, advice: &Advice, named: &[HeavyStatement]) -> String {
        let mut text = self.text(&advice.action);
        if let Some(setting) = &advice.setting {
            let is_named = named.iter().any(|statement| statement.text == *setting);
            let end = if is_named && setting.len() > REPEATED_BYTES_MAX {
                setting.floor_char_boundary(REPEATED_BYTES_MAX)
            } else {
                setting.len()
            };
            let cut = if end < setting.len() { " …" } else { "" };
            let _ = write!(text, "\n  {}{cut}", setting[..end].trim_end());
        }
        if advice.is_stack_unknown {
            let _ = write!(text, "\n  {}", self.text(&explain::unknown_stack()));
        }
        let predicted = advice.predicted.map(|rate| match advice.then {
            Some(then) => explain::predicted_then(significant(rate), part(then, self.catalog)),
            None => explain::predicted(significant(rate)),
        });
        if let Some(predicted) = predicted {
            let _ = write!(text, "\n  {}", self.text(&predicted));
        }
        text
    }

    /// Rows with their labels in one column; those without lines are left out.
    fn rows(&self, rows: &[(Message, Vec<String>)], indent: usize) -> String {
        let labels: Vec<String> = rows.iter().map(|(label, _)| self.text(label)).collect();
        let widest = labels.iter().map(|label| label.width()).max().unwrap_or(0);
        let mut text = String::new();
        for (label, (_, lines)) in labels.iter().zip(rows) {
            let mut shown = label.as_str();
            for line in lines.iter().flat_map(|line| line.lines()) {
                let gap = " ".repeat(widest - shown.width() + 2);
                let _ = writeln!(text, "{}{shown}{gap}{line}", " ".repeat(indent));
                shown = "";
            }
        }
        text
    }
}
