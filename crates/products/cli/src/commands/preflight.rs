//! `preflight`: which part of the test bed gives way first, and does the planned load get there?

mod flight;
mod interrupts;

use std::time::Duration;

use loadline_analysis::bed::{PartRole, PartState, TestBed};
use loadline_bare::UrlRequest;
use loadline_observe::SourceAddress;
use loadline_report::preflight::{self as report, AnsweringSources, PreflightReport};
use loadline_report::sources;
use loadline_session::preflight::PartRunner;
use loadline_session::{network, observe};
use loadline_sizing::PlanFile;
use loadline_text::{Catalog, Dialect, Exit, Lang, arguments, problem, shell_word, testbed};
use loadline_units::Rate;

use super::run;
use crate::context::Context;
use crate::launch::problems;
use crate::launch::{observation, plan_comparison};
use crate::refusal::Refusal;
use crate::stored::written_report::{ReportFormat, Reported};
use flight::{Flight, OutsideServer};

/// Which part of the test bed gives way first: generator, outside servers, network, target
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  loadline preflight test.js --also http://127.0.0.1:9000/pay
  loadline preflight load.js --plan plan.json --also http://10.0.0.5:8000/rates@5/s
  loadline preflight http://127.0.0.1:8080/fast --rate 200/s
  loadline preflight test.js --observe http://127.0.0.1:8080/actuator/prometheus
  loadline preflight test.js --also http://127.0.0.1:9000/pay --target --report bed.html
  loadline preflight test.js --also http://127.0.0.1:9000/pay --write-mock pay.yaml

Each part alone, up to three times its planned rate: the generator against a built-in sink, each --also,
then one iteration through network and target. The weakest is in the first line. With -t the target gets
load, too, from a quarter of the planned rate up to it, unless another part gives way before.
")]
pub(crate) struct PreflightArgs {
    /// The test: a k6 script, an Artillery file or a URL
    #[arg(value_name = "TEST")]
    test: String,
    /// An outside server or stand-in that the target calls; after @ its own rate
    #[arg(long, value_name = "URL[@RATE]")]
    also: Vec<String>,
    /// A source of the target's signals, as in run [default: those of loadline.yaml]
    #[arg(long, value_name = "SOURCE", value_parser = observation::source)]
    observe: Vec<SourceAddress>,
    /// Look at the target under load, too: for some seconds each a quarter, half and all of the planned rate
    #[arg(short = 't', long)]
    target: bool,
    /// Planned requests per second [default: the plan's, else what the test starts per second]
    #[arg(long, value_name = "RATE")]
    rate: Option<Rate>,
    /// Take the planned rate from a plan of loadline plan --write
    #[arg(long, value_name = "FILE")]
    plan: Option<String>,
    /// How long each rate is tried, seconds
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u64).range(4..=600))]
    seconds: u64,
    /// As JSON (docs/schemas/preflight.schema.json)
    #[arg(long)]
    json: bool,
    /// Write a page, too; .md and .json are text
    #[arg(long, value_name = "FILE")]
    report: Option<String>,
    /// Write stand-ins for weak --also (for all if none is) as a file for loadline mock
    #[arg(long, value_name = "FILE", requires = "also")]
    write_mock: Option<String>,
    /// Variables of the script or file: NAME=VALUE
    #[arg(short, long = "env", value_name = "NAME=VALUE")]
    env: Vec<String>,
    /// Take any certificate
    #[arg(short = 'k', long)]
    insecure: bool,
    /// Language: en or ko [default: that of the locale]
    #[arg(long, value_parser = crate::language::parse, value_name = "LANG")]
    lang: Option<Lang>,
}

impl PreflightArgs {
    pub(crate) fn exec(self, context: &mut Context) -> u8 {
        let catalog = context.catalog(self.lang);
        let exit = match self.check_all(context, &catalog) {
            Ok(exit) => exit,
            Err(refusal) => {
                context.err(&format!("{}\n", catalog.problem(&refusal.problem)));
                refusal.exit
            }
        };
        exit.code(Dialect::Loadline)
    }

    fn check_all(&self, context: &mut Context, catalog: &Catalog) -> Result<Exit, Refusal> {
        let form = self
            .report
            .as_deref()
            .map(ReportFormat::asked)
            .transpose()?;
        for path in self.report.iter().chain(&self.write_mock) {
            run::check_writable(&context.working_dir.join(path), path)?;
        }
        let settings = network::plain(&context.env, self.insecure)
            .map_err(|error| Refusal::config(problem::start_failed("network", error)))?;
        let prepare = |context: &mut Context| {
            run::Once::prepare(context, &self.test, &self.env, self.lang, self.insecure)
        };
        let once = prepare(context)?;
        let to_load = self.target.then(|| prepare(context)).transpose()?;
        let offered = plan_comparison::offered(once.plan());
        let typed = self.typed_rate(context)?;
        let starts = (offered.starts_per_second > 0.0).then_some(offered.starts_per_second);
        let planned = typed
            .or(starts)
            .ok_or_else(|| Refusal::config(problem::preflight_no_rate()))?;
        let outside = self.also.iter().map(|text| outside(text, planned, catalog));
        let outside: Vec<OutsideServer> = outside.collect::<Result<_, _>>()?;
        let sources = self.sources(context, catalog)?;
        let is_seen = (sources.as_ref()).is_none_or(|seen| seen.answering == seen.all);
        let runner = PartRunner {
            settings,
            length: Duration::from_secs(self.seconds),
            wall_clock: context.wall_clock,
            interrupts: interrupts::watch()?,
        };
        let mut flight = Flight {
            context,
            catalog,
            runner,
            report: PreflightReport {
                test: self.test.clone(),
                bed: TestBed::new(planned),
                iteration: None,
                ceiling: None,
                reached_bytes: None,
                is_network_weak: false,
                sources,
            },
        };
        flight.generator()?;
        flight.outside(&outside, self.write_mock.is_some())?;
        flight.target(once, to_load, typed.is_some(), offered.closed_users)?;
        let found = flight.report;
        self.write(context, &found, form, catalog)?;
        Ok(match exit(&found.bed) {
            Exit::Success if !is_seen => Exit::NoAnswer,
            exit => exit,
        })
    }

    fn write(
        &self,
        context: &mut Context,
        found: &PreflightReport,
        form: Option<ReportFormat>,
        catalog: &Catalog,
    ) -> Result<(), Refusal> {
        let json = report::file::json(found);
        context.out(&if self.json {
            json.clone()
        } else {
            report::text(found, catalog)
        });
        if let Some(form) = form {
            let reported = Reported {
                name: "preflight".to_owned(),
                document: report::document(found, catalog),
                json,
                seconds: 0.0,
            };
            reported.write(context, form, self.report.as_deref(), catalog)?;
        }
        let Some(path) = &self.write_mock else {
            return Ok(());
        };
        let stand_ins = &found.bed.stand_ins;
        let said = if stand_ins.is_empty() {
            testbed::preflight_mock_not_written(path)
        } else {
            std::fs::write(
                context.working_dir.join(path),
                report::mock_file(stand_ins, catalog),
            )
            .map_err(|error| Refusal::other(problem::write_failed(path, error)))?;
            testbed::preflight_mock_written(shell_word(path))
        };
        context.err(&format!("loadline: {}\n", catalog.text(&said)));
        Ok(())
    }

    /// What each source of the target's signals gives; none where none is named.
    fn sources(
        &self,
        context: &mut Context,
        catalog: &Catalog,
    ) -> Result<Option<AnsweringSources>, Refusal> {
        let Some(request) = observation::request(context, &self.observe, catalog)? else {
            return Ok(None);
        };
        let all = observe(&request);
        let lines = sources::check(&all, catalog);
        Ok(Some(AnsweringSources {
            answering: all.iter().filter(|one| sources::is_answering(one)).count(),
            all: all.len(),
            lines: lines.lines().map(str::to_owned).collect(),
        }))
    }

    /// Requests per second planned with a flag.
    fn typed_rate(&self, context: &Context) -> Result<Option<f64>, Refusal> {
        if let Some(rate) = self.rate {
            return Ok(Some(rate.as_per_second()));
        }
        let Some(path) = &self.plan else {
            return Ok(None);
        };
        let text = context
            .read_text(path)
            .map_err(|error| Refusal::unread(path, &error))?;
        let plan = PlanFile::parse(&text)
            .map_err(|error| Refusal::config(problem::plan_file(path, error)))?;
        Ok(Some(plan.peak_rate))
    }
}

/// An outside server and its rate.
fn outside(text: &str, planned: f64, catalog: &Catalog) -> Result<OutsideServer, Refusal> {
    let (url, rate) = match text.rsplit_once('@') {
        Some((url, rate)) if is_rate(url, rate) => (url, Some(rate)),
        _ => (text, None),
    };
    let wrong = || Refusal::flag("--also", text, &arguments::expected_rate(), catalog);
    let rate = rate.map(|rate| rate.parse::<Rate>().map_err(|_| wrong()));
    let mut target =
        UrlRequest::get(url).map_err(|error| Refusal::config(problems::of_target(url, &error)))?;
    target.timeout = flight::OUTSIDE_TIMEOUT;
    let planned = rate.transpose()?.map_or(planned, Rate::as_per_second);
    if planned <= 0.0 {
        return Err(wrong());
    }
    Ok(OutsideServer { target, planned })
}

/// Whether what stands after an `@` is meant as a rate: users stand before the path, and names in
/// paths rarely begin with a number.
fn is_rate(url: &str, rate: &str) -> bool {
    let unsigned = rate.strip_prefix(['-', '+', '.']).unwrap_or(rate);
    let is_number = unsigned.starts_with(|c: char| c.is_ascii_digit());
    let host = url.split_once("://").map_or(url, |(_, rest)| rest);
    let is_behind_host = host.contains('/') || rate.parse::<Rate>().is_ok();
    rate.is_empty() || (is_number && is_behind_host)
}

/// The exit code that the weakest part gives.
fn exit(bed: &TestBed) -> Exit {
    if bed.is_interrupted {
        return Exit::Interrupted;
    }
    match bed.weakest().filter(|part| part.state.is_weak()) {
        None => Exit::Success,
        Some(part) if part.role == PartRole::Generator => Exit::GeneratorLimited,
        Some(part) if part.state == PartState::NoAnswer => Exit::NoAnswer,
        Some(_) => Exit::ThresholdsFailed,
    }
}

#[cfg(test)]
mod tests {
    use super::is_rate;

    /// Seen: `--also http://host/pay@` asked for the path `/pay@`.
    #[test]
    fn a_rate_is_told_from_names_and_users() {
        for (url, rate) in [
            ("http://h/pay", ""),
            ("http://h/pay", "5/s"),
            ("http://h:9000", "5/s"),
            ("http://h/pay", "5x"),
            ("http://h/pay", "-1/s"),
            ("http://h/pay", ".5/s"),
        ] {
            assert!(is_rate(url, rate), "{url}@{rate}");
        }
        for (url, rate) in [
            ("http://h/users/", "me"),
            ("http://user:secret", "10.0.0.5:8000/pay"),
        ] {
            assert!(!is_rate(url, rate), "{url}@{rate}");
        }
    }
}
