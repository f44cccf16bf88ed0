//! A run in words.

use std::collections::BTreeMap;

use loadline_record::{PLANNED_LATENCY, Summary, Verdict};
use loadline_text::{
    Catalog, Message, grouped, messages, percent, records, report, shell_word, significant,
};

use super::{ReportedRun, RunProgress, charts, tables};
use crate::document::{
    DocumentBlock, DocumentFigure, DocumentGoal, DocumentRow, DocumentSection, DocumentVerdict,
    ReportDocument, StatementClass, printable,
};
use crate::numbers::{Numbers, bounded, seconds};
use crate::{
    accounting, answers, arrivals, explanation, goals, health, runs, verdict as sentences, warm_up,
};

/// The longest source that is shown, in characters.
const SOURCE_CHARS_MAX: usize = 20_000;

/// What only the caller knows of a run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct VerdictFacts {
    /// When it started, as its reader's clock shows it, with the offset.
    pub started: String,
}

/// The run as a document.
#[must_use]
pub fn document(run: &ReportedRun, facts: &VerdictFacts, catalog: &Catalog) -> ReportDocument {
    let writer = Writer { run, catalog };
    let mut sections = Vec::new();
    if let Some((explanation, sources)) = run.shown_explanation() {
        sections.push(super::findings(explanation, sources, catalog));
    }
    sections.push(writer.over_time());
    sections.extend(writer.latency());
    sections.extend(super::target::section(run, catalog));
    sections.extend(tables::endpoints(run, catalog));
    sections.extend(tables::failures(run, catalog));
    sections.extend(tables::checks(&run.summary, catalog));
    let compared = run.summary.run.answers.as_ref();
    sections.extend(compared.map(|compared| answers::section(compared, catalog)));
    sections.push(writer.validity());
    sections.push(writer.tested());
    sections.extend(setup(&run.tested.target, catalog));
    sections.extend(tables::events(run, catalog));
    sections.extend(writer.source());
    ReportDocument {
        kind: "run",
        lang: catalog.lang().tag(),
        title: printable::line(&run.tested.test),
        facts: writer.facts(facts),
        verdict: verdict_now(verdict(&run.summary, run.progress, catalog), run, catalog),
        figures: writer.figures(),
        goals: writer.goals(),
        cause: run.cause(catalog),
        sections,
    }
}

/// The conclusion on a run that goes on, with its state and what limits it now.
fn verdict_now(
    mut verdict: DocumentVerdict,
    run: &ReportedRun,
    catalog: &Catalog,
) -> DocumentVerdict {
    if run.progress != RunProgress::Running {
        return verdict;
    }
    if run.is_warming() {
        verdict.word = catalog.text(&report::word_warming());
    }
    let summary = &run.summary.run;
    let limits = summary.generator_limits();
    if !limits.is_empty() {
        verdict.class = StatementClass::Doubtful;
        let said = report::generator_now(health::reasons(&limits, catalog));
        verdict.details.push(catalog.text(&said));
    }
    let found = run.explanation.as_ref().map(|(explanation, _)| explanation);
    if let Some(found) = found.filter(|found| found.cause().is_some()) {
        let said = explanation::cause(found, catalog);
        verdict.details.push(printable::line(&said));
    }
    verdict
}

/// The conclusion on a run.
#[must_use]
pub fn verdict(summary: &Summary, progress: RunProgress, catalog: &Catalog) -> DocumentVerdict {
    let of = summary.verdict();
    let text = match progress {
        RunProgress::Running => sentences::of_running(summary, catalog),
        RunProgress::CutOff => catalog.text(&report::verdict_cut_off()),
        RunProgress::Ended => sentences::sentence(summary, catalog),
    };
    let (class, word) = match progress {
        RunProgress::Running => (StatementClass::Neutral, runs::word("", catalog)),
        RunProgress::CutOff => (StatementClass::Doubtful, runs::word("interrupted", catalog)),
        RunProgress::Ended => (class(&of), runs::word(of.word(), catalog)),
    };
    let details = match progress {
        RunProgress::Ended => sentences::unsaid(summary, catalog),
        RunProgress::Running | RunProgress::CutOff => Vec::new(),
    };
    DocumentVerdict {
        class,
        text: printable::line(without_word(&text, &word)),
        word,
        details: details.iter().map(|line| printable::line(line)).collect(),
    }
}

/// A sentence without the verdict's word before it, which stands above the sentence.
fn without_word<'a>(text: &'a str, word: &str) -> &'a str {
    match text.split_once(": ") {
        Some((first, rest)) if first.to_lowercase() == word.to_lowercase() => rest,
        _ => text,
    }
}

const fn class(verdict: &Verdict) -> StatementClass {
    match verdict {
        Verdict::Passed => StatementClass::Good,
        Verdict::NoGoals => StatementClass::Neutral,
        Verdict::NotJudged | Verdict::GeneratorLimited(_) | Verdict::Interrupted => {
            StatementClass::Doubtful
        }
        Verdict::ThresholdsFailed
        | Verdict::FellShort(_)
        | Verdict::NoAnswer
        | Verdict::NothingSent
        | Verdict::Failed(_)
        | Verdict::Defect(_) => StatementClass::Bad,
    }
}

struct Writer<'a> {
    run: &'a ReportedRun,
    catalog: &'a Catalog,
}

impl Writer<'_> {
    fn text(&self, message: Message) -> String {
        self.catalog.text(&message)
    }

    fn facts(&self, facts: &VerdictFacts) -> Vec<String> {
        let run = &self.run.summary.run;
        let (length, vus) = (seconds(run.duration), grouped(run.most_vus as f64, 0));
        let length = match (self.run.progress, self.run.load_so_far()) {
            (RunProgress::Ended, _) => messages::run_length(length, vus, run.generator.workers),
            (RunProgress::Running, Some((passed, planned))) => {
                report::fact_of_planned(grouped(passed, 0), grouped(planned, 0), vus)
            }
            (RunProgress::Running | RunProgress::CutOff, _) => report::fact_so_far(length, vus),
        };
        let name = report::fact_run(&self.run.tested.name);
        let mut facts = vec![facts.started.clone(), self.text(length), self.text(name)];
        facts.retain(|fact| !fact.is_empty());
        facts
    }

    fn figures(&self) -> Vec<DocumentFigure> {
        let numbers = Numbers(&self.run.summary);
        let count = |name: &str| grouped(numbers.count_of(name), 0);
        let mut figures = Vec::new();
        let mut add = |label, value: String, unit: String, note: String| {
            figures.push(DocumentFigure {
                label: self.text(label),
                value,
                unit,
                note,
            });
        };
        if self.run.summary.statuses.is_empty() {
            let note = self.text(report::figure_of_iterations(count("iterations")));
            let rate = significant(numbers.rate_of("iterations"));
            add(report::figure_iterations(), rate, "/s".to_owned(), note);
            return figures;
        }
        let note = self.text(report::figure_of_requests(count("http_reqs")));
        let rate = significant(numbers.rate_of("http_reqs"));
        add(report::figure_rate(), rate, "/s".to_owned(), note);
        if let Some(latency) = self.run.summary.waited() {
            let shares = latency.percentiles(&[0.5, 0.95, 0.99]).unwrap_or_default();
            if let [p50, p95, p99] = shares.as_slice() {
                let mut note = format!("p50 {} · p99 {}", bounded(*p50), bounded(*p99));
                let apart = self.run.summary.waited_apart();
                if apart.is_some_and(|apart| !apart.good.all().is_empty()) {
                    note = self.text(messages::p95_good(note));
                }
                let open = if p95.is_known() { "" } else { "≥ " };
                let (value, unit) = if p95.at_least > 0.0 {
                    (format!("{open}{}", significant(p95.at_least)), "ms")
                } else {
                    ("–".to_owned(), "")
                };
                add(report::figure_p95(), value, unit.to_owned(), note);
            }
        }
        let (failed, all) = self.run.summary.failed_requests();
        let note = self.text(report::figure_of_failed(
            grouped(failed as f64, 0),
            grouped(all as f64, 0),
        ));
        let share = percent(numbers.errors());
        let share = share.trim_end_matches(" %").to_owned();
        add(report::figure_errors(), share, "%".to_owned(), note);
        let (planned, dropped) = self.run.starts();
        if planned > 0.0 {
            let note = self.text(messages::dropped_of(grouped(planned, 0)));
            let dropped = grouped(dropped, 0);
            add(report::figure_dropped(), dropped, String::new(), note);
        }
        figures
    }

    fn goals(&self) -> Vec<DocumentGoal> {
        let is_over = self.run.progress != RunProgress::Running;
        let metrics = self.run.summary.metrics.iter();
        let pairs = metrics.flat_map(|metric| metric.thresholds.iter().map(move |t| (metric, t)));
        let mut goals: Vec<DocumentGoal> = pairs
            .map(|(metric, threshold)| {
                let met = (is_over || threshold.observed.is_some()).then_some(threshold.ok);
                let is_of_starts = metric.name == PLANNED_LATENCY;
                let (goal, observed) = if is_of_starts {
                    let summary = &self.run.summary;
                    goals::goal_and_value(summary, threshold, self.catalog)
                } else {
                    let goal = goals::name(&metric.name, &threshold.source);
                    (goal, crate::url::observed(metric, threshold))
                };
                DocumentGoal {
                    goal: printable::line(&goal),
                    observed,
                    met,
                    word: self.text(match met {
                        Some(true) => report::word_met(),
                        Some(false) => report::word_missed(),
                        None => report::word_unknown(),
                    }),
                }
            })
            .collect();
        goals.extend(
            self.run
                .tested
                .unjudged
                .iter()
                .map(|threshold| DocumentGoal {
                    goal: printable::line(threshold),
                    observed: "–".to_owned(),
                    met: None,
                    word: self.text(report::word_unknown()),
                }),
        );
        let compared = self.run.summary.run.answers.as_ref();
        goals.extend(compared.map(|compared| answers::goal(compared, self.catalog)));
        // What failed must be seen first.
        goals.sort_by_key(|goal| goal.met.map_or(1, |met| 2 * u8::from(met)));
        goals
    }

    fn over_time(&self) -> DocumentSection {
        let charts = charts::over_time(self.run, self.catalog);
        let blocks = if charts.is_empty() {
            vec![DocumentBlock::Text {
                lines: vec![self.text(report::chart_none())],
            }]
        } else {
            charts.into_iter().map(DocumentBlock::Chart).collect()
        };
        DocumentSection {
            id: "time",
            title: self.text(report::section_time()),
            note: String::new(),
            blocks,
        }
    }

    fn latency(&self) -> Option<DocumentSection> {
        let table = tables::latency(&self.run.summary, self.catalog)?;
        let charts = charts::of_latency(self.run, self.catalog).into_iter();
        let mut blocks = vec![DocumentBlock::Table(table)];
        blocks.extend(charts.map(DocumentBlock::Chart));
        Some(DocumentSection {
            id: "latency",
            title: self.text(report::section_latency()),
            note: [
                crate::url::mixed_note(&self.run.summary),
                crate::url::bounds_note(&self.run.summary),
            ]
            .into_iter()
            .flatten()
            .map(|note| self.text(note))
            .collect::<Vec<_>>()
            .join(" "),
            blocks,
        })
    }

    /// Whether the numbers can be believed.
    fn validity(&self) -> DocumentSection {
        let run = &self.run.summary.run;
        let judged = |is_good: bool| {
            if is_good {
                StatementClass::Good
            } else {
                StatementClass::Doubtful
            }
        };
        let row =
            |label, class, lines: Vec<String>| DocumentRow::new(self.text(label), class, lines);
        let mut rows = Vec::new();
        // Of a run that goes on, it is stored every few seconds.
        if run.generator.workers > 0 {
            let limits = run.generator_limits();
            let mut lines = health::lines(run, self.catalog);
            if self.run.progress == RunProgress::Running && limits.is_empty() {
                lines[0] = self.text(report::generator_so_far());
            }
            rows.push(row(
                messages::row_generator(),
                judged(limits.is_empty()),
                lines,
            ));
        }
        let warm_up = self.run.warm_up.as_ref();
        let warm_up = warm_up.map(|found| warm_up::line(found, self.catalog));
        let is_warming = self.run.is_warming();
        let class = judged(warm_up.is_some() || is_warming);
        let warm_up = warm_up.unwrap_or_else(|| {
            self.text(if is_warming {
                report::warm_up_goes_on()
            } else {
                report::no_warm_up()
            })
        });
        rows.push(row(report::row_warm_up(), class, vec![warm_up]));
        if let Some((planned, dropped)) = run.starts() {
            let said = report::starts_kept(
                grouped(planned.saturating_sub(dropped) as f64, 0),
                grouped(planned as f64, 0),
            );
            let class = judged(dropped == 0);
            rows.push(row(report::row_starts(), class, vec![self.text(said)]));
        }
        let accounting = accounting::lines(&self.run.summary, self.catalog);
        if !accounting.is_empty() {
            rows.push(row(
                report::row_accounting(),
                StatementClass::Doubtful,
                accounting,
            ));
        }
        let (class, repeated) = match &self.run.tested.series {
            Some(series) => {
                let said = records::show_series_is(series.number, series.of, &series.id);
                (StatementClass::Good, self.text(said))
            }
            None => (StatementClass::Doubtful, self.text(report::no_repetition())),
        };
        rows.push(row(report::row_repetitions(), class, vec![repeated]));
        DocumentSection {
            id: "validity",
            title: self.text(report::section_validity()),
            note: self.text(report::note_validity()),
            blocks: vec![DocumentBlock::Rows { rows }],
        }
    }

    fn tested(&self) -> DocumentSection {
        let tested = &self.run.tested;
        let shown = |text: &str| vec![printable::line(text)];
        let pairs = tested.settings.iter();
        let settings: Vec<String> = pairs
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let machine =
            records::show_machine_is(&tested.host, &tested.kernel, tested.cpus.0, tested.cpus.1);
        let arrivals = self.run.summary.run.arrivals;
        let arrivals = arrivals.map(|process| arrivals::line(process, self.catalog));
        let plain = [
            (records::show_test(), shown(&tested.test)),
            (report::row_command(), shown(&typed_line(&tested.arguments))),
            (report::row_version(), shown(&tested.version)),
            (records::show_machine(), shown(&self.text(machine))),
            (records::show_hash(), shown(&tested.hash)),
            (records::show_settings(), shown(&settings.join(", "))),
            (records::show_segment(), shown(&tested.segment)),
            (messages::row_arrivals(), arrivals.into_iter().collect()),
            (records::show_tags(), shown(&tested.tags.join(", "))),
            (records::show_note(), shown(&tested.note)),
        ];
        let rows = plain
            .into_iter()
            .filter(|(_, values)| values.iter().any(|v| !v.is_empty()));
        let rows = rows.map(|(label, values)| DocumentRow::neutral(self.text(label), values));
        let mut blocks = vec![DocumentBlock::Rows {
            rows: rows.collect(),
        }];
        blocks.extend(tables::scenarios(tested, self.catalog).map(DocumentBlock::Table));
        DocumentSection {
            id: "tested",
            title: self.text(report::section_tested()),
            note: String::new(),
            blocks,
        }
    }

    fn source(&self) -> Option<DocumentSection> {
        let source = self.run.tested.source.as_deref();
        let source =
            source.filter(|source| !source.trim().is_empty() && self.run.tested.kind != "url")?;
        Some(DocumentSection {
            id: "source",
            title: self.text(report::section_source()),
            note: String::new(),
            blocks: vec![DocumentBlock::Source {
                text: printable::lines(source, SOURCE_CHARS_MAX),
            }],
        })
    }
}

/// How the target was set up; nothing of one that was not observed.
pub(crate) fn setup(
    target: &BTreeMap<String, String>,
    catalog: &Catalog,
) -> Option<DocumentSection> {
    let rows = target.iter().map(|(name, value)| {
        DocumentRow::neutral(printable::line(name), vec![printable::line(value)])
    });
    let rows: Vec<DocumentRow> = rows.collect();
    (!rows.is_empty()).then(|| DocumentSection {
        id: "setup",
        title: catalog.text(&report::section_setup()),
        note: String::new(),
        blocks: vec![DocumentBlock::Rows { rows }],
    })
}

/// The command line as it can be pasted into a shell again.
fn typed_line(arguments: &[String]) -> String {
    let words = arguments.iter().map(|word| shell_word(word));
    let words = std::iter::once("loadline".into()).chain(words);
    words.collect::<Vec<_>>().join(" ")
}
