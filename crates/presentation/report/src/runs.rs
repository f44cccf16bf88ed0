//! Stored runs: the list, the table of experiments, and the head of one run.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use loadline_record::{LowerBounds, SEARCH_VERDICT, Shortfall};
use loadline_text::{Catalog, Message, latency, percent, records, significant};
use loadline_units::duration::go_string;

use crate::grid::{Grid, Side};
use crate::table::Table;

/// A stored run as lists show it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RunLine {
    /// Its number in the store.
    pub number: i64,
    /// Its name.
    pub name: String,
    /// When it started, ready to be read.
    pub started: String,
    /// The test as named.
    pub test: String,
    /// The verdict in one word; empty while the run is running.
    pub verdict: String,
    /// How load and answers fell short, whatever the word says.
    pub shortfalls: Vec<Shortfall>,
    /// Goals that it was judged by are missed.
    pub misses_goals: bool,
    /// How long it measured, in seconds.
    pub seconds: f64,
    /// The most virtual users.
    pub vus: u64,
    /// Requests per second.
    pub rate: f64,
    /// Mean duration of a request.
    pub mean_ms: Option<f64>,
    /// 95th percentile of it.
    pub p95_ms: Option<f64>,
    /// Which of the two are only lower bounds.
    pub lower_bounds: LowerBounds,
    /// The share of requests that failed.
    pub errors: Option<f64>,
    /// Settings given by the user.
    pub settings: BTreeMap<String, String>,
    /// Tags.
    pub tags: Vec<String>,
    /// A note by the user.
    pub note: String,
}

/// The verdict of a row that is no stored run.
pub const ELSEWHERE: &str = "elsewhere";

/// The verdict's word in the reader's language.
#[must_use]
pub fn word(verdict: &str, catalog: &Catalog) -> String {
    let message = match verdict {
        "" => records::word_running(),
        "passed" => records::word_passed(),
        "no-goals" => records::word_no_goals(),
        "not-judged" => records::word_not_judged(),
        "failed" => records::word_failed(),
        "stopped" => records::word_stopped(),
        "interrupted" => records::word_interrupted(),
        "disk-full" => records::word_disk_full(),
        "not-valid" => records::word_not_valid(),
        "no-answer" => records::word_no_answer(),
        "nothing-sent" => records::word_nothing_sent(),
        "error" => records::word_error(),
        SEARCH_VERDICT => records::word_capacity(),
        ELSEWHERE => records::word_elsewhere(),
        other => return other.to_owned(),
    };
    catalog.text(&message)
}

/// The word with what fell short: `failed (load, errors)`.
#[must_use]
pub fn verdict(run: &RunLine, catalog: &Catalog) -> String {
    let word = word(&run.verdict, catalog);
    let goals = (run.misses_goals && run.verdict == "failed").then(records::short_word_goals);
    let short = run.shortfalls.iter().map(|short| match short {
        Shortfall::Load { .. } => records::short_word_load(),
        Shortfall::Cut { .. } => records::short_word_cut(),
        Shortfall::Errors { .. } => records::short_word_errors(),
        Shortfall::Calls { .. } => records::short_word_calls(),
        Shortfall::Redirects { .. } => records::short_word_redirects(),
        Shortfall::Checks { .. } => records::short_word_checks(),
        Shortfall::Exceptions { .. } => records::short_word_exceptions(),
        Shortfall::Answers { .. } => records::short_word_answers(),
        Shortfall::Users { .. } => records::short_word_users(),
    });
    let all = goals.into_iter().chain(short);
    let all: Vec<String> = all.map(|one| catalog.text(&one)).collect();
    if all.is_empty() {
        return word;
    }
    format!("{word} ({})", all.join(", "))
}

/// A time; one that is only known to be at least so long says so.
fn time(value: Option<f64>, at_least: bool) -> String {
    let written = value.map_or_else(String::new, latency);
    if at_least {
        return format!("≥ {written}");
    }
    written
}

/// One line a run.
#[must_use]
pub fn list(runs: &[RunLine], catalog: &Catalog) -> String {
    if runs.is_empty() {
        return format!("{}\n", catalog.text(&records::runs_none()));
    }
    let columns: [(Message, Side); 10] = [
        (records::runs_column_number(), Side::Right),
        (records::runs_column_run(), Side::Left),
        (records::runs_column_started(), Side::Left),
        (records::runs_column_test(), Side::Left),
        (records::runs_column_verdict(), Side::Left),
        (records::runs_column_length(), Side::Right),
        (records::runs_column_rate(), Side::Right),
        (records::runs_column_p95(), Side::Right),
        (records::runs_column_errors(), Side::Right),
        (records::runs_column_note(), Side::Left),
    ];
    let mut grid = Grid::default();
    for (head, side) in &columns {
        grid.column(catalog.text(head), *side);
    }
    for run in runs {
        grid.row(vec![
            run.number.to_string(),
            run.name.clone(),
            run.started.clone(),
            shortened(&run.test, 40),
            verdict(run, catalog),
            length(run.seconds),
            rate(run),
            time(run.p95_ms, run.lower_bounds.p95),
            run.errors.map_or_else(String::new, percent),
            notes(run),
        ]);
    }
    grid.render()
}

/// How a table is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TableFormat {
    /// For a terminal.
    #[default]
    Text,
    /// For spreadsheets: plain numbers.
    Csv,
    /// For issues and wikis.
    Markdown,
}

/// One line a run, with a column for each setting that any of them has: the table people
/// fill in by hand when they try settings.
#[must_use]
pub fn table(runs: &[RunLine], form: TableFormat, catalog: &Catalog) -> String {
    if form == TableFormat::Csv {
        return csv(runs);
    }
    if runs.is_empty() {
        return format!("{}\n", catalog.text(&records::runs_none()));
    }
    let settings = setting_names(runs);
    let mut grid = Grid::default();
    let mut column = |head: &Message, side| grid.column(catalog.text(head), side);
    column(&records::runs_column_run(), Side::Left);
    for name in &settings {
        grid.column((*name).to_owned(), Side::Right);
    }
    for head in [
        records::runs_column_vus(),
        records::runs_column_rate(),
        records::runs_column_mean(),
        records::runs_column_p95(),
        records::runs_column_errors(),
    ] {
        grid.column(catalog.text(&head), Side::Right);
    }
    for head in [records::runs_column_verdict(), records::runs_column_note()] {
        grid.column(catalog.text(&head), Side::Left);
    }
    for run in runs {
        let mut cells = vec![run.name.clone()];
        let of_run = |name: &&str| run.settings.get(*name).cloned().unwrap_or_default();
        cells.extend(settings.iter().map(of_run));
        cells.extend([
            run.vus.to_string(),
            rate(run),
            time(run.mean_ms, run.lower_bounds.mean),
            time(run.p95_ms, run.lower_bounds.p95),
            run.errors.map_or_else(String::new, percent),
            verdict(run, catalog),
            notes(run),
        ]);
        grid.row(cells);
    }
    match form {
        TableFormat::Markdown => grid.markdown(),
        TableFormat::Text | TableFormat::Csv => grid.render(),
    }
}

/// The settings that any of the runs has, by name.
fn setting_names(runs: &[RunLine]) -> BTreeSet<&str> {
    let names = runs.iter().flat_map(|run| run.settings.keys());
    names.map(String::as_str).collect()
}

/// For spreadsheets and programs: plain numbers, times in milliseconds, errors as a share.
fn csv(runs: &[RunLine]) -> String {
    let settings = setting_names(runs);
    let mut heads = vec!["run", "started", "test"];
    heads.extend(&settings);
    heads.extend([
        "vus", "rps", "mean_ms", "p95_ms", "errors", "verdict", "tags", "note",
    ]);
    let line = |cells: Vec<String>| {
        let cells: Vec<String> = cells.iter().map(|cell| csv_cell(cell)).collect();
        format!("{}\n", cells.join(","))
    };
    let mut text = line(heads.iter().map(|head| (*head).to_owned()).collect());
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    for run in runs {
        let mut cells = vec![run.name.clone(), run.started.clone(), run.test.clone()];
        let of_run = |name: &&str| run.settings.get(*name).cloned().unwrap_or_default();
        cells.extend(settings.iter().map(of_run));
        cells.extend([
            run.vus.to_string(),
            run.rate.to_string(),
            number(run.mean_ms),
            number(run.p95_ms),
            number(run.errors),
            run.verdict.clone(),
            run.tags.join(" "),
            run.note.clone(),
        ]);
        text.push_str(&line(cells));
    }
    text
}

/// A cell of CSV that may hold anything. Spreadsheets take what begins like a formula for one,
/// also behind a tab or a return; what is a number stays one.
#[must_use]
pub fn csv_cell(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let text = if is_formula && text.parse::<f64>().is_err() {
        format!("'{text}")
    } else {
        text.to_owned()
    };
    if text.contains([',', '"', '\n', '\r']) {
        return format!("\"{}\"", text.replace('"', "\"\""));
    }
    text
}

/// Rows with a label; empty rows are left out.
#[must_use]
pub fn facts(title: &str, rows: &[(Message, String)], catalog: &Catalog) -> String {
    let mut table = Table::default();
    for (label, value) in rows.iter().filter(|(_, value)| !value.is_empty()) {
        let lines = value.lines().map(str::to_owned).collect();
        table.list(catalog.text(label), lines);
    }
    format!("{title}\n{}", table.render())
}

fn notes(run: &RunLine) -> String {
    let tags = run.tags.iter().map(|tag| format!("#{tag}"));
    let mut parts: Vec<String> = tags.collect();
    parts.extend(run.note.lines().next().map(str::to_owned));
    shortened(&parts.join(" "), 60)
}

fn length(seconds: f64) -> String {
    if seconds > 0.0 && seconds < 1.0 {
        return go_string(Duration::from_millis(whole(seconds * 1_000.0)));
    }
    go_string(Duration::from_secs(whole(seconds)))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped before"
)]
fn whole(seconds: f64) -> u64 {
    seconds.round().clamp(0.0, 1e15) as u64
}

/// Keeps the end of a long name, because it says more than the beginning.
fn shortened(text: &str, most: usize) -> String {
    let count = text.chars().count();
    if count <= most {
        return text.to_owned();
    }
    let rest: String = text.chars().skip(count - most + 1).collect();
    format!("…{rest}")
}

/// Requests per second; one request has no rate, nor have the levels of a search one together.
fn rate(run: &RunLine) -> String {
    let is_one = (run.rate * run.seconds - 1.0).abs() < 0.5 || run.verdict == SEARCH_VERDICT;
    if is_one {
        String::new()
    } else {
        significant(run.rate)
    }
}

#[cfg(test)]
mod tests {
    use loadline_text::Lang;

    use super::*;

    fn run(number: i64, threads: &str, rate: f64) -> RunLine {
        RunLine {
            number,
            name: format!("run{number}abc"),
            started: "2026-11-22 10:00".to_owned(),
            test: "places.js".to_owned(),
            verdict: "passed".to_owned(),
            shortfalls: Vec::new(),
            misses_goals: false,
            lower_bounds: LowerBounds::default(),
            seconds: 60.2,
            vus: 200,
            rate,
            mean_ms: Some(51.6),
            p95_ms: Some(480.0),
            errors: Some(0.0),
            settings: BTreeMap::from([("threads.max".to_owned(), threads.to_owned())]),
            tags: vec!["base".to_owned()],
            note: "larger heap".to_owned(),
        }
    }

    /// Seen: "FAILED (checks)" of a run of which two of two thresholds did not hold, and none was about checks.
    #[test]
    fn what_decided_comes_before_what_else_fell_short() {
        let mut failed = run(1, "10", 20.0);
        failed.verdict = "failed".to_owned();
        failed.shortfalls = vec![Shortfall::Checks {
            all: 100,
            failed: 20,
        }];
        let told = |run: &RunLine| verdict(run, &Catalog::new(Lang::En));
        assert_eq!(told(&failed), "FAILED (checks)");
        failed.misses_goals = true;
        assert_eq!(told(&failed), "FAILED (goals, checks)");
        // Goals of a run that says nothing of its target were not what decided.
        failed.verdict = "not-valid".to_owned();
        assert_eq!(told(&failed), "NOT VALID (checks)");
    }

    #[test]
    fn the_table_has_a_column_for_each_setting() {
        let mut other = run(2, "20", 133.0);
        other.settings.insert("pool".to_owned(), "10".to_owned());
        let runs = [run(1, "200", 98.6), other];
        let catalog = Catalog::new(Lang::En);
        let text = table(&runs, TableFormat::Text, &catalog);
        insta::assert_snapshot!(text, @r"
        run      pool  threads.max  VUs   TPS     mean     p95  errors  verdict  notes
        run1abc                200  200  98.6  51.6 ms  480 ms     0 %  passed   #base larger heap
        run2abc    10           20  200   133  51.6 ms  480 ms     0 %  passed   #base larger heap
        ");
    }

    #[test]
    fn a_table_for_spreadsheets_has_plain_numbers_and_no_formulas() {
        let mut run = run(1, "200", 98.6);
        run.note = "=1+1, \"x\"".to_owned();
        let runs = [run];
        let text = table(&runs, TableFormat::Csv, &Catalog::new(Lang::Ko));
        insta::assert_snapshot!(text, @r#"
        run,started,test,threads.max,vus,rps,mean_ms,p95_ms,errors,verdict,tags,note
        run1abc,2026-11-22 10:00,places.js,200,200,98.6,51.6,480,0,passed,base,"'=1+1, ""x"""
        "#);
        for (cell, written) in [
            ("a,b", "\"a,b\""),
            ("=cmd()", "'=cmd()"),
            ("\t=cmd()", "'\t=cmd()"),
            ("\r=cmd()", "\"'\r=cmd()\""),
            ("name=/a", "name=/a"),
            ("-5.2", "-5.2"),
        ] {
            assert_eq!(csv_cell(cell), written);
        }
    }

    #[test]
    fn the_list_says_what_a_run_came_to() {
        let text = list(&[run(1, "200", 98.6)], &Catalog::new(Lang::En));
        insta::assert_snapshot!(text, @r"
        no.  run      started           test       verdict  length   TPS     p95  errors  notes
          1  run1abc  2026-11-22 10:00  places.js  passed     1m0s  98.6  480 ms     0 %  #base larger heap
        ");
    }
}
