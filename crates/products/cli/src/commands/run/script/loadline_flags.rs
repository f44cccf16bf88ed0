//! The flags of ours beside k6's.

use std::collections::BTreeMap;
use std::time::Duration;

use loadline_k6_options::flags::{
    FlagGroup, FlagKind, FlagSpec, FlagStatus, ParsedArguments, VERSION_FLAG,
};
use loadline_observe::SourceAddress;
use loadline_session::answers::AnswerOptions;
use loadline_session::{RunOptions, WarmUpSetting};
use loadline_text::{Catalog, arguments, problem};

use crate::launch::announcement::AnnounceFlags;
use crate::launch::answers::AnswerFlags;
use crate::launch::fail_on::{FailOn, REASONS};
use crate::launch::launch_flags::{Arrivals, LaunchFlags, REPETITIONS_MAX, spacing, warm_up};
use crate::launch::observation;
use crate::launch::outputs::{self, OutputFlags};
use crate::launch::recording::{RecordingFlags, setting};
use crate::launch::shared_targets::SharedTargetFlags;
use crate::live::LiveMode;
use crate::refusal::Refusal;

/// A flag of ours beside k6's.
pub(super) const fn flag(
    name: &'static str,
    kind: FlagKind,
    value_name: &'static str,
    help: &'static str,
) -> FlagSpec {
    FlagSpec {
        name,
        short: None,
        kind,
        value_name,
        default: "",
        bare: match kind {
            FlagKind::Switch => Some("true"),
            _ => None,
        },
        help,
        group: FlagGroup::Program,
        status: FlagStatus::Supported,
        deprecated: None,
        only: None,
    }
}

/// All of them.
pub(in super::super) fn loadline_flags() -> &'static [FlagSpec] {
    &LOADLINE_FLAGS
}

/// All of them.
pub(super) static LOADLINE_FLAGS: [FlagSpec; 28] = [
    VERSION_FLAG,
    flag(
        "offline",
        FlagKind::Switch,
        "",
        "fetch no modules: those stored beside the script or in the cache run",
    ),
    flag(
        "once",
        FlagKind::Switch,
        "",
        "one iteration of each scenario, everything printed, nothing judged",
    ),
    flag(
        "repeat",
        FlagKind::Int,
        "n",
        "run it n times one after another, and compare the runs",
    ),
    flag(
        "warmup",
        FlagKind::Text,
        "time|auto",
        "measure without counting for so long, or until steady",
    ),
    flag(
        "plan",
        FlagKind::Text,
        "file",
        "say how the load compares with a plan of loadline plan --write",
    ),
    flag(
        "arrivals",
        FlagKind::Text,
        "poisson|even",
        "how iterations of arrival-rate executors are spaced; evenly unless given, as in k6",
    ),
    flag(
        "arrivals-seed",
        FlagKind::Int,
        "n",
        "seed of random starts; another each time unless given",
    ),
    flag(
        "force",
        FlagKind::Switch,
        "",
        "run although open files may not be enough",
    ),
    flag(
        "fail-on-exception",
        FlagKind::Switch,
        "",
        "exit code 107 when any iteration threw an exception",
    ),
    flag(
        "fail-on",
        FlagKind::Text,
        "reasons",
        "also fail on errors, load, cut, checks, exceptions (exit code 3), invalid (exit code 4)",
    ),
    flag(
        "isolate",
        FlagKind::Switch,
        "",
        "a JavaScript runtime for each user, even where users could share one",
    ),
    flag(
        "threads",
        FlagKind::Int,
        "n",
        "worker threads; one a core unless given",
    ),
    flag(
        "spool-max",
        FlagKind::Text,
        "size",
        "most that waits for one output, in memory and on disk; 2GiB unless given",
    ),
    flag(
        "set",
        FlagKind::Repeated,
        "name=value",
        "setting of the target, written down with the run",
    ),
    flag("note", FlagKind::Text, "text", "words to keep with the run"),
    flag(
        "report",
        FlagKind::Text,
        "file",
        "write a report of the run to a file, as loadline report does",
    ),
    flag(
        "save-answers",
        FlagKind::Switch,
        "",
        "keep a sample of answers, by request, that later runs can be held to",
    ),
    flag(
        "same-answers-as",
        FlagKind::Text,
        "run",
        "fail (exit code 3) unless answers are as in a run that kept them, or in several (A,B)",
    ),
    flag("store", FlagKind::Text, "file", "where runs are kept"),
    flag("no-store", FlagKind::Switch, "", "keep nothing of this run"),
    flag(
        "keep-env",
        FlagKind::Repeated,
        "name",
        "environment variable whose value is kept with the run",
    ),
    flag(
        "observe",
        FlagKind::Repeated,
        "source",
        "where signals of the target come from: a page of metrics, port:8080, pid:1234, postgres://..., redis://..., otlp:4318, log:FILE, command:...",
    ),
    flag(
        "no-observe-after",
        FlagKind::Switch,
        "",
        "end with the load: sources are watched for 5 s after it otherwise, to tell the target's own work from that of others",
    ),
    flag(
        "notify",
        FlagKind::Text,
        "url",
        "post start, expected load, end and verdict to a URL",
    ),
    flag(
        "yes",
        FlagKind::Switch,
        "",
        "load targets that loadline.yaml lists as shared without being asked",
    ),
    flag(
        "live",
        FlagKind::Text,
        "screen|lines",
        "at a terminal, show the run on the whole screen, or in a few lines",
    ),
    flag(
        "lang",
        FlagKind::Text,
        "en|ko",
        "language of loadline's own texts",
    ),
];

/// What they say.
///
/// # Errors
/// A value that cannot be used, or two flags that contradict each other.
pub(super) fn read(parsed: &ParsedArguments, catalog: &Catalog) -> Result<LaunchFlags, Refusal> {
    let given = &parsed.given;
    let is_on = |name| given.last(name) == Some("true");
    let number = |name: &str, least: u32, most: u32| match given.last(name) {
        None => Ok(None),
        Some(text) => {
            let number = text.parse().ok().filter(|n| (least..=most).contains(n));
            let expected = arguments::expected_number(least, most);
            let refusal = || Refusal::flag(&format!("--{name}"), text, &expected, catalog);
            number.map(Some).ok_or_else(refusal)
        }
    };
    let repeat = number("repeat", 1, REPETITIONS_MAX)?.unwrap_or(1);
    let workers = number("threads", 1, 1024)?.and_then(|n| usize::try_from(n).ok());
    let warm_up = match given.last("warmup") {
        None => WarmUpSetting::None,
        Some(text) => warm_up(text).ok_or_else(|| {
            Refusal::flag("--warmup", text, &arguments::expected_warm_up(), catalog)
        })?,
    };
    let once = is_on("once");
    let recording = recording(parsed, once, catalog)?;
    let answers = recording.answers.typed();
    for (other, is_given) in [
        ("--repeat", repeat > 1),
        ("--warmup", warm_up != WarmUpSetting::None),
        (answers.unwrap_or_default(), answers.is_some()),
    ] {
        if once && is_given {
            return Err(Refusal::config(problem::option_conflict("--once", other)));
        }
    }
    let arrivals = arrivals(parsed, catalog)?;
    let arrivals = spacing(arrivals, number("arrivals-seed", 0, u32::MAX)?)?;
    let fail_on = fail_on(parsed, catalog)?;
    let spool_max = match given.last("spool-max") {
        None => None,
        Some(text) => Some(outputs::size(text).ok_or_else(|| {
            Refusal::flag("--spool-max", text, &arguments::expected_size(), catalog)
        })?),
    };
    Ok(LaunchFlags {
        announce: AnnounceFlags {
            notify: given.last("notify").map(str::to_owned),
            shared: SharedTargetFlags {
                yes: once || is_on("yes"),
                force: once || is_on("force"),
            },
        },
        recording,
        // Outputs are named where all settings are laid over each other.
        outputs: OutputFlags {
            spool_max,
            ..OutputFlags::default()
        },
        once,
        repeat,
        plan: given.last("plan").map(str::to_owned),
        live: live(parsed, catalog)?,
        fail_on,
        options: RunOptions {
            workers: if once { Some(1) } else { workers },
            drain: Duration::ZERO,
            warm_up,
            force: is_on("force"),
            series: None,
            keep: None,
            arrivals,
            paused: false,
            outputs: None,
            observe: None,
            answers: AnswerOptions::default(),
        },
    })
}

/// How the run is kept, and what else becomes of its record.
fn recording(
    parsed: &ParsedArguments,
    once: bool,
    catalog: &Catalog,
) -> Result<RecordingFlags, Refusal> {
    let given = &parsed.given;
    let is_on = |name| given.last(name) == Some("true");
    Ok(RecordingFlags {
        store: given.last("store").map(str::to_owned),
        off: once || is_on("no-store"),
        keep_env: given.all("keep-env").map(str::to_owned).collect(),
        settings: settings(parsed, catalog)?,
        note: given.last("note").unwrap_or_default().to_owned(),
        observe: if once {
            Vec::new()
        } else {
            observe(parsed, catalog)?
        },
        no_observe_after: is_on("no-observe-after"),
        // --tag of scripts is k6's: it tags samples.
        tags: Vec::new(),
        report: given.last("report").map(str::to_owned),
        answers: AnswerFlags {
            are_saved: is_on("save-answers"),
            same_as: given.last("same-answers-as").map(str::to_owned),
        },
    })
}

fn settings(
    parsed: &ParsedArguments,
    catalog: &Catalog,
) -> Result<BTreeMap<String, String>, Refusal> {
    let typed = parsed.given.all("set").map(|text| {
        let refusal = || Refusal::flag("--set", text, &arguments::expected_setting(), catalog);
        setting(text).ok_or_else(refusal)
    });
    typed.collect()
}

fn observe(parsed: &ParsedArguments, catalog: &Catalog) -> Result<Vec<SourceAddress>, Refusal> {
    let typed = parsed.given.all("observe").map(|text| {
        let expected = arguments::expected_source();
        let refused = |_| Refusal::flag("--observe", text, &expected, catalog);
        observation::source(text).map_err(refused)
    });
    typed.collect()
}

fn arrivals(parsed: &ParsedArguments, catalog: &Catalog) -> Result<Option<Arrivals>, Refusal> {
    let Some(text) = parsed.given.last("arrivals") else {
        return Ok(None);
    };
    let expected = arguments::expected_one_of("poisson, even");
    let refusal = || Refusal::flag("--arrivals", text, &expected, catalog);
    Arrivals::parse(text).map(Some).ok_or_else(refusal)
}

fn live(parsed: &ParsedArguments, catalog: &Catalog) -> Result<LiveMode, Refusal> {
    let Some(text) = parsed.given.last("live") else {
        return Ok(LiveMode::default());
    };
    let expected = arguments::expected_one_of("screen, lines");
    let refusal = || Refusal::flag("--live", text, &expected, catalog);
    LiveMode::parse(text).ok_or_else(refusal)
}

fn fail_on(parsed: &ParsedArguments, catalog: &Catalog) -> Result<FailOn, Refusal> {
    let Some(text) = parsed.given.last("fail-on") else {
        return Ok(FailOn::nothing());
    };
    let expected = arguments::expected_reasons(REASONS.join(", "));
    let refusal = || Refusal::flag("--fail-on", text, &expected, catalog);
    FailOn::parse(text).ok_or_else(refusal)
}
