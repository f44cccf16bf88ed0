//! Artillery's flags of `run` and `quick`, and ours beside them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use loadline_outputs::OutputConfig;
use loadline_session::WarmUpSetting;
use loadline_testplan::ArrivalSpacing;
use loadline_text::{Catalog, Lang, arguments, problem};
use loadline_units::parse_duration;
use serde_json::json;

use super::Stop;
use super::dotenv;
use super::record_args::RecordArgs;
use crate::context::Context;
use crate::launch::fail_on::FailOn;
use crate::launch::launch_flags::{self, Arrivals};
use crate::refusal::Refusal;
use crate::zone;

/// Flags of `run` for an Artillery file.
#[derive(Debug, Clone, Default, clap::Parser)]
#[command(
    name = "loadline run",
    about = "Run an Artillery file",
    override_usage = "loadline run [OPTIONS] <FILE.yml|FILE.yaml|FILE.json>"
)]
pub(crate) struct ArtilleryArgs {
    /// The file.
    script: String,
    /// More files, merged over the first
    #[arg(value_name = "FILE")]
    further: Vec<String>,
    /// Where to send the load, in place of config.target
    #[arg(short, long)]
    pub(super) target: Option<String>,
    /// A file merged over the script; processors are found beside it
    #[arg(short, long)]
    pub(super) config: Option<String>,
    /// One of config.environments
    #[arg(short, long)]
    pub(super) environment: Option<String>,
    /// Where to write the result (JSON): a file, or a folder
    #[arg(short, long)]
    output: Option<String>,
    /// Take any certificate
    #[arg(short = 'k', long)]
    pub(super) insecure: bool,
    /// Print nothing but errors
    #[arg(short, long)]
    pub(super) quiet: bool,
    /// More files, merged over the script
    #[arg(short, long)]
    input: Vec<String>,
    /// One virtual user
    #[arg(short, long)]
    pub(super) solo: bool,
    /// The file of config.payload
    #[arg(short, long)]
    pub(super) payload: Option<String>,
    /// Variables, as JSON
    #[arg(short, long)]
    pub(super) variables: Option<String>,
    /// What replaces parts of the script, as JSON
    #[arg(long)]
    pub(super) overrides: Option<String>,
    /// A file with variables of the environment (also --env-file)
    #[arg(long, alias = "env-file")]
    dotenv: Option<String>,
    /// The only scenario to run: its name, or a pattern that fits one
    #[arg(long)]
    pub(super) scenario_name: Option<String>,
    /// Look at the file and send nothing
    #[arg(long)]
    pub(super) check: bool,
    /// Warnings are errors
    #[arg(long)]
    pub(super) strict: bool,
    /// artillery, or artillery-strict for upstream's quirks too
    #[arg(long)]
    compat: Option<String>,
    /// How long the phases must add up to
    #[arg(long)]
    expect_duration: Option<String>,
    /// Worker threads; one a core unless given
    #[arg(long)]
    pub(super) threads: Option<usize>,
    /// How arrivals are spaced, in place of what the phases say
    #[arg(long, value_parser = arrivals, value_name = "poisson|even")]
    arrivals: Option<Arrivals>,
    /// Seed of random arrivals [default: another each time]
    #[arg(long, value_name = "N")]
    arrivals_seed: Option<u32>,
    /// Also fail on errors, load, cut, checks, exceptions (exit code 3), invalid (exit code 4)
    #[arg(long, value_parser = fail_on, value_name = "REASONS")]
    pub(super) fail_on: Option<FailOn>,
    /// Run although open files may not be enough
    #[arg(long)]
    pub(super) force: bool,
    /// One iteration of each scenario, every exchange printed
    #[arg(long, conflicts_with_all = ["repeat", "warmup"])]
    pub(super) once: bool,
    /// Run it so many times, and say how much the runs differ
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeat: Option<u32>,
    /// Measured first and not counted: a time such as 30s, or auto
    #[arg(long, value_name = "TIME|auto", value_parser = launch_flags::typed_warm_up)]
    pub(super) warmup: Option<WarmUpSetting>,
    /// Compare the load with a plan of loadline plan --write
    #[arg(long, value_name = "FILE")]
    pub(super) plan: Option<String>,
    /// Where samples go, repeatable: json=FILE, csv=FILE, influxdb=URL, ... (-o is Artillery's own result)
    #[arg(long = "out", value_name = "KIND[=VALUE]")]
    pub(super) outs: Vec<String>,
    #[arg(long, hide = true, value_name = "FROM:TO")]
    execution_segment: Option<String>,
    #[arg(long, hide = true, value_name = "LIST")]
    execution_segment_sequence: Option<String>,
    /// Language of loadline's own texts
    #[arg(long, value_parser = crate::language::parse)]
    pub(super) lang: Option<Lang>,
    #[arg(long, hide = true)]
    platform: Option<String>,
    #[arg(long, hide = true)]
    platform_opt: Vec<String>,
    #[arg(long, hide = true)]
    count: Option<String>,
    #[arg(long, hide = true)]
    name: Option<String>,
    #[arg(long, hide = true)]
    tags: Option<String>,
    /// Words to keep with the run
    #[arg(long)]
    pub(super) note: Option<String>,
    #[command(flatten)]
    pub(super) kept: RecordArgs,
    #[arg(long, hide = true)]
    record: bool,
    #[arg(long, hide = true)]
    key: Option<String>,
}

impl ArtilleryArgs {
    /// All files, the script first.
    pub(super) fn files(&self) -> Vec<String> {
        let more = self.further.iter().chain(&self.input).chain(&self.config);
        let more = more.cloned();
        std::iter::once(self.script.clone()).chain(more).collect()
    }

    /// Looks at what can be wrong by itself.
    pub(super) fn check(&self, catalog: &Catalog) -> Result<(), Stop> {
        if let Some(platform) = self.platform.as_deref().filter(|p| *p != "local") {
            let refusal = Refusal::config(problem::unsupported(
                format!("--platform {platform}"),
                "local",
            ));
            return Err(refusal.into());
        }
        if self.execution_segment.is_some() || self.execution_segment_sequence.is_some() {
            return Err(Refusal::config(problem::segment_of_phases()).into());
        }
        if let Some(mode) = self.compat.as_deref()
            && !matches!(mode, "artillery" | "artillery-strict")
        {
            let expected = arguments::expected_compat();
            return Err(Refusal::flag("--compat", mode, &expected, catalog).into());
        }
        Ok(())
    }

    /// How arrivals are spaced, if not as the phases say.
    pub(super) fn spacing(&self) -> Result<Option<ArrivalSpacing>, Refusal> {
        launch_flags::spacing(self.arrivals, self.arrivals_seed)
    }

    /// How many times the file is run.
    pub(super) fn repetitions(&self) -> u32 {
        self.repeat.unwrap_or(1)
    }

    pub(super) fn strict_compat(&self) -> bool {
        self.compat.as_deref() == Some("artillery-strict")
    }

    pub(super) fn expected_length(&self, catalog: &Catalog) -> Result<Option<Duration>, Stop> {
        let Some(text) = &self.expect_duration else {
            return Ok(None);
        };
        parse_duration(text).map(Some).map_err(|_| {
            Refusal::flag(
                "--expect-duration",
                text,
                &arguments::expected_duration(),
                catalog,
            )
            .into()
        })
    }

    /// The process's environment with what `--dotenv` adds; what is set already stays.
    pub(super) fn environment_of(
        &self,
        context: &mut Context,
    ) -> Result<BTreeMap<String, String>, Stop> {
        let mut environment = context.env.clone();
        if let Some(path) = &self.dotenv {
            match context.read_text(path) {
                Ok(text) => {
                    for (name, value) in dotenv::variables(&text) {
                        environment.entry(name).or_insert(value);
                    }
                }
                Err(_) => context.err(&format!("WARNING: could not read dotenv file: {path}\n")),
            }
        }
        Ok(environment)
    }

    /// Where the result goes.
    pub(super) fn output_path(
        &self,
        context: &Context,
        catalog: &Catalog,
    ) -> Result<Option<PathBuf>, Stop> {
        let Some(text) = &self.output else {
            return Ok(None);
        };
        if text.contains('=') && OutputConfig::read(text, &context.env).is_ok() {
            let expected = arguments::expected_result_file(text);
            return Err(Refusal::flag("--output", text, &expected, catalog).into());
        }
        let path = context.working_dir.join(text);
        if path.is_dir() {
            let now = zone::now()
                .strftime("artillery_report_%Y%m%d_%H%M%S.json")
                .to_string();
            return Ok(Some(path.join(now)));
        }
        let folder = path.parent().unwrap_or(Path::new("."));
        let has_place = if path.extension().is_some() {
            folder.is_dir()
        } else {
            path.exists()
        };
        if !has_place {
            return Err(
                Refusal::flag("--output", text, &arguments::expected_folder(), catalog).into(),
            );
        }
        Ok(Some(path))
    }
}

fn fail_on(text: &str) -> Result<FailOn, String> {
    FailOn::parse(text).ok_or_else(|| "no reasons".to_owned())
}

fn arrivals(text: &str) -> Result<Arrivals, String> {
    Arrivals::parse(text).ok_or_else(|| "poisson, even".to_owned())
}

/// Send requests to a URL without writing a file, as `artillery quick` does
#[derive(Debug, clap::Args)]
pub(crate) struct QuickArgs {
    /// http(s):// or ws(s):// URL
    pub(super) target: String,
    /// Virtual users
    #[arg(short, long, default_value_t = 10)]
    count: u32,
    /// Requests (or messages) of each
    #[arg(short, long, default_value_t = 10)]
    num: u32,
    /// Where to write the result (JSON)
    #[arg(short, long)]
    output: Option<String>,
    /// Take any certificate
    #[arg(short = 'k', long)]
    insecure: bool,
    /// Print nothing but errors
    #[arg(short, long)]
    quiet: bool,
}

impl QuickArgs {
    /// The file that does the same; `None` for a URL of another kind.
    pub(super) fn script(&self) -> Option<String> {
        let (scheme, rest) = self.target.split_once("://")?;
        let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let step = match scheme {
            "http" | "https" => json!({"get": {"url": self.target}}),
            "ws" | "wss" => json!({"send": "hello from Artillery!"}),
            _ => return None,
        };
        let step = if self.num > 1 {
            json!({"loop": [step], "count": self.num})
        } else {
            step
        };
        let mut scenario = json!({"flow": [step]});
        if scheme.starts_with("ws") {
            scenario["engine"] = json!("ws");
        }
        let target = if scheme.starts_with("ws") {
            self.target.clone()
        } else {
            format!("{scheme}://{host}")
        };
        let whole = json!({
            "config": {"target": target, "phases": [{"duration": 1, "arrivalCount": self.count}]},
            "scenarios": [scenario],
        });
        Some(whole.to_string())
    }

    pub(super) fn as_run(&self) -> ArtilleryArgs {
        ArtilleryArgs {
            script: "quick".to_owned(),
            output: self.output.clone(),
            insecure: self.insecure,
            quiet: self.quiet,
            ..ArtilleryArgs::default()
        }
    }
}
