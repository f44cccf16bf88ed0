//! The flags of `matrix`, taken out of those of `run`.

use std::time::Duration;

use clap::{Args as _, FromArgMatches as _};
use loadline_analysis::slo::{Statistic, Term};
use loadline_session::WarmUpSetting;
use loadline_testplan::ArrivalSpacing;
use loadline_text::{Catalog, arguments};
use loadline_units::Rate;

use super::super::run;
use crate::launch::launch_flags::{Arrivals, typed_warm_up};
use crate::launch::test_kind::{FlagTable, Place, SplitLine, TestKind};
use crate::refusal::Refusal;
use crate::typed_numbers::{positive_duration, rate};

/// Test each API alone and the user's flow: smoke, load, stress, break point, soak; one table by what breaks first
#[derive(Debug, Clone, Default, clap::Args)]
#[command(
    override_usage = "loadline matrix <TEST>... --slo TERM... [--rate [NAME=]RATE | --plan FILE] [OPTIONS] [OPTIONS OF RUN]",
    after_help = "\
Examples:
  loadline matrix script.js --slo 'p(95)<500ms' --rate 60/s --quick
  loadline matrix script.js --slo 'p(95)<500ms' --rate list=100/s --rate order=20/s --flow checkout
  loadline matrix script.js --slo 'p(95)<500ms' --observe http://127.0.0.1:8080/metrics --report matrix.html
  loadline matrix test.yml --slo 'p(95)<500ms'
  loadline matrix http://127.0.0.1:8080/fast http://127.0.0.1:8080/cpu --slo 'p(95)<300ms' --rate 50/s
  loadline matrix urls.txt --slo 'p(95)<300ms' --plan plan.json
  loadline matrix tests --budget 30m                  # a folder of loadline plan --write k6 tests

Rows are the scenarios of a k6 script, else the functions that it exports; the scenarios of an Artillery file;
URLs, or the lines of a file: METHOD URL [BODY]. All flags of run hold for the test."
)]
pub(crate) struct MatrixArgs {
    /// The test: a k6 script, an Artillery file, URLs, a file of them (.txt), or a folder of plan --write
    #[arg(value_name = "TEST")]
    pub(super) test: Vec<String>,
    /// A term of the objective, repeatable: 'p(95)<500ms' [default: that of the plan, else errors<1%]
    #[arg(long, value_name = "TERM", allow_hyphen_values = true)]
    pub(super) slo: Vec<String>,
    /// The planned rate of each row, iterations per second; of one row: NAME=RATE, repeatable [default: what the test's scenarios say]
    #[arg(long, value_name = "[NAME=]RATE", conflicts_with = "plan")]
    pub(super) rate: Vec<String>,
    /// Take planned rates from a plan of loadline plan --write
    #[arg(long, value_name = "FILE")]
    pub(super) plan: Option<String>,
    /// The row that is the user's flow [default: what runs all scenarios together]
    #[arg(long, value_name = "NAME")]
    pub(super) flow: Option<String>,
    /// Short tests and no soak: three minutes a row, or less
    #[arg(long)]
    pub(super) quick: bool,
    /// How long all rows together may take [default: 10m a row]
    #[arg(long, value_parser = positive_duration, value_name = "TIME")]
    pub(super) budget: Option<Duration>,
    /// How long each row may take, however little that is: for tests
    #[arg(long, hide = true, value_parser = positive_duration, value_name = "TIME", conflicts_with = "budget")]
    pub(super) row_budget: Option<Duration>,
    /// Warm the target up before the first load of each row, with 2 users in a loop, for so long or until it gets no faster: 30s, auto
    #[arg(long, value_parser = typed_warm_up, value_name = "TIME|auto")]
    pub(super) warmup: Option<WarmUpSetting>,
    /// The highest rate of a search, iterations per second [default: 10000/s]
    #[arg(long, value_name = "RATE", value_parser = rate, allow_hyphen_values = true)]
    pub(super) max_rate: Option<Rate>,
    /// Virtual users at most [default: 10000 for a URL, 2000 for a script]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) max_vus: Option<u32>,
    /// How starts are spaced: at random as people come, or evenly [default: poisson]
    #[arg(long, value_parser = arrivals, value_name = "poisson|even")]
    pub(super) arrivals: Option<Arrivals>,
    /// Seed of random starts [default: another each time]
    #[arg(long, value_name = "N")]
    pub(super) arrivals_seed: Option<u32>,
    /// Begin anew, though the same command was interrupted before
    #[arg(long)]
    pub(super) fresh: bool,
    /// How it is printed: text, markdown (to paste into a wiki) or json [default: text]
    #[arg(long, value_enum, value_name = "FORM")]
    pub(super) format: Option<MatrixFormat>,
    /// Write a page with table and picture, too; .md and .json are text
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<String>,
}

/// How a matrix is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(super) enum MatrixFormat {
    #[default]
    Text,
    #[value(alias = "md")]
    Markdown,
    Json,
}

fn arrivals(text: &str) -> Result<Arrivals, String> {
    Arrivals::parse(text).ok_or_else(|| "poisson | even".to_owned())
}

/// What was typed, in two parts.
#[derive(Debug)]
pub(super) struct MatrixLine {
    pub(super) own: MatrixArgs,
    /// The tests, and the flags of `run`.
    pub(super) rest: SplitLine,
    pub(super) kind: SourceKind,
}

/// What rows are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SourceKind {
    /// A k6 script.
    Script,
    Artillery,
    Urls,
    /// A file of URLs.
    List,
    /// A folder of tests that a plan wrote.
    Folder,
}

impl MatrixArgs {
    /// Its own flags, without those of a test.
    pub(in crate::commands) fn command() -> clap::Command {
        Self::augment_args(clap::Command::new("loadline matrix"))
    }

    /// The objective: what was typed, else `of_plan`, else that requests do not fail.
    pub(super) fn terms(
        &self,
        of_plan: Vec<Term>,
        catalog: &Catalog,
    ) -> Result<Vec<Term>, Refusal> {
        let terms = self.slo.iter().map(|text| {
            text.parse::<Term>()
                .map_err(|error| Refusal::goal("--slo", text, &error, catalog))
        });
        let typed: Vec<Term> = terms.collect::<Result<_, _>>()?;
        if !typed.is_empty() {
            return Ok(typed);
        }
        if !of_plan.is_empty() {
            return Ok(of_plan);
        }
        Ok(vec![Term {
            statistic: Statistic::Errors,
            scope: Vec::new(),
            inclusive: false,
            limit: 0.01,
        }])
    }

    /// How starts are spaced in all tests.
    pub(super) fn spacing(&self) -> ArrivalSpacing {
        let how = self.arrivals.unwrap_or(Arrivals::Poisson);
        how.spacing(self.arrivals_seed)
    }

    /// Planned rates that were typed: of one row, or of all of them.
    pub(super) fn rates(&self, catalog: &Catalog) -> Result<Vec<TypedRate>, Refusal> {
        let rates = self.rate.iter().map(|text| {
            let (name, value) = match text.rsplit_once('=') {
                Some((name, value)) => (Some(name.to_owned()), value),
                None => (None, text.as_str()),
            };
            let read = value.parse::<Rate>().ok().map(Rate::as_per_second);
            let read = read.filter(|rate| *rate > 0.0);
            let refused = || Refusal::flag("--rate", text, &arguments::expected_rate(), catalog);
            Ok(TypedRate {
                name,
                rate: read.ok_or_else(refused)?,
            })
        });
        rates.collect()
    }
}

/// A rate of `--rate`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TypedRate {
    /// The row; all of them without one.
    pub(super) name: Option<String>,
    pub(super) rate: f64,
}

impl MatrixLine {
    /// Takes the flags of ours out of what was typed; `place` is where the test is.
    pub(super) fn new(args: &[String], place: Place<'_>) -> Result<Self, clap::Error> {
        let command = MatrixArgs::command();
        let dialects = run::dialects();
        let table = FlagTable::from_command(&command);
        // Whose test it is says which further flags take a value, that may look like a flag of ours.
        let guessed = table.part(args, &FlagTable::default());
        let line = dialects.read(&guessed.others, place);
        let kind = source_kind(&guessed.others, line.kind, place);
        let dialect = match kind {
            SourceKind::Urls | SourceKind::List => TestKind::Url,
            SourceKind::Artillery => TestKind::Artillery,
            SourceKind::Folder | SourceKind::Script => TestKind::Script,
        };
        let parted = table.part(args, dialects.table(dialect));
        let own = std::iter::once("loadline matrix".to_owned()).chain(parted.own);
        let matches = command.try_get_matches_from(own)?;
        Ok(Self {
            own: MatrixArgs::from_arg_matches(&matches)?,
            rest: dialects.split(&parted.others, dialect),
            kind,
        })
    }

    /// Only flags of ours were typed.
    pub(super) fn plain(own: MatrixArgs, place: Place<'_>) -> Self {
        let line = run::dialects().read(&own.test, place);
        Self {
            kind: source_kind(&own.test, line.kind, place),
            rest: SplitLine {
                words: own.test.clone(),
                flags: Vec::new(),
            },
            own,
        }
    }
}

/// What rows are made of, by the words that may be a test.
fn source_kind(words: &[String], kind: TestKind, place: Place<'_>) -> SourceKind {
    let test = words.iter().find(|word| !word.starts_with('-'));
    if let Some(test) = test {
        let path = place.folder.join(test);
        if path.is_dir() {
            return SourceKind::Folder;
        }
        let is_list = path.extension().is_some_and(|ending| ending == "txt");
        if is_list {
            return SourceKind::List;
        }
    }
    match kind {
        TestKind::Url => SourceKind::Urls,
        TestKind::Artillery => SourceKind::Artillery,
        TestKind::Script | TestKind::Archive => SourceKind::Script,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(words: &str) -> MatrixLine {
        let args: Vec<String> = words.split(' ').map(str::to_owned).collect();
        let place = Place {
            folder: std::path::Path::new("/no/such/folder"),
            is_k6: false,
        };
        MatrixLine::new(&args, place).unwrap()
    }

    #[test]
    fn flags_of_the_matrix_are_parted_from_those_of_the_test() {
        let read = line(
            "s.js --quick -e BASE=http://h --rate order=20/s --slo p(95)<500ms --observe port:80",
        );
        assert_eq!(read.kind, SourceKind::Script);
        assert_eq!(read.rest.words, ["s.js"]);
        assert_eq!(
            read.rest.flags,
            ["-e", "BASE=http://h", "--observe", "port:80"]
        );
        assert!(read.own.quick);
        let rates = read
            .own
            .rates(&Catalog::new(loadline_text::Lang::En))
            .unwrap();
        assert_eq!(rates[0].name.as_deref(), Some("order"));
        assert!((rates[0].rate - 20.0).abs() < 1e-9);
    }

    #[test]
    fn several_urls_and_a_list_of_them_are_urls() {
        let read = line("http://h/a -H A:b http://h/b --rate 5/s");
        assert_eq!(read.kind, SourceKind::Urls);
        assert_eq!(read.rest.words, ["http://h/a", "http://h/b"]);
        assert_eq!(read.rest.flags, ["-H", "A:b"]);
        let read = line("urls.txt -H A:b");
        assert_eq!((read.kind, read.rest.words.len()), (SourceKind::List, 1));
        assert_eq!(line("t.yml -t http://h").kind, SourceKind::Artillery);
    }
}
