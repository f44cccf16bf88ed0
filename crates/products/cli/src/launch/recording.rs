//! As what a run is kept, and what is said about it.

use std::collections::BTreeMap;

use loadline_observe::SourceAddress;
use loadline_record::Redactor;
use loadline_record::redact::{is_plain, is_secret_name, looks_secret};
use loadline_session::answers::AnswerOptions;
use loadline_session::environment;
use loadline_store::{
    DataLoss, LossCause, ModuleInfo, QUEUE_BYTES_MAX, RecorderConfig, RecordingResult, RunInfo,
    SegmentInfo, Store, StoreError,
};
use loadline_text::{Catalog, Message, problem, records, shell_word};
use loadline_web::control::SOCKET_VARIABLE;

use super::answers::AnswerFlags;
use crate::context::Context;
use crate::refusal::Refusal;
use crate::stored::written_report::ReportFormat;
use crate::stored::{Stored, store_path};

/// What is typed about the record of a run.
#[derive(Debug, Clone, Default)]
pub(crate) struct RecordingFlags {
    /// The store's file, if named.
    pub(crate) store: Option<String>,
    /// Nothing is kept.
    pub(crate) off: bool,
    /// Variables whose values are kept.
    pub(crate) keep_env: Vec<String>,
    /// Settings of the target.
    pub(crate) settings: BTreeMap<String, String>,
    /// A person's words.
    pub(crate) note: String,
    /// Where signals of the target come from.
    pub(crate) observe: Vec<SourceAddress>,
    /// They are not watched after the load.
    pub(crate) no_observe_after: bool,
    /// Names that the run gets.
    pub(crate) tags: Vec<String>,
    /// Where a report of the run is written.
    pub(crate) report: Option<String>,
    /// What becomes of its answers.
    pub(crate) answers: AnswerFlags,
}

impl RecordingFlags {
    /// A flag that is typed and of no use for a run that is not kept.
    fn needing_a_record(&self) -> Option<&'static str> {
        let tag = (!self.tags.is_empty()).then_some("--tag");
        let saved = self.answers.are_saved.then_some("--save-answers");
        self.report.as_ref().map(|_| "--report").or(tag).or(saved)
    }

    /// What the run does with answers.
    ///
    /// # Errors
    /// There are no answers that it could be held to.
    pub(crate) fn answer_options(&self, context: &Context) -> Result<AnswerOptions, Refusal> {
        self.answers.options(context, self.store.as_deref())
    }

    /// Refuses a report in a form that none is written in, before any load is sent.
    fn refuse_other_form(&self) -> Result<(), Refusal> {
        let asked = self.report.as_deref().map(ReportFormat::asked);
        asked.transpose().map(|_| ())
    }

    /// Refuses what cannot be done with a run of which nothing is kept.
    fn refuse_without_record(&self) -> Result<(), Refusal> {
        let problem = match self.needing_a_record() {
            None => return Ok(()),
            Some(flag) if self.off => problem::option_conflict(flag, "--no-store"),
            Some(_) => problem::no_store(),
        };
        Err(Refusal::config(problem))
    }
}

/// What a run's record says of its test.
pub(crate) struct TestFacts {
    pub(crate) kind: &'static str,
    pub(crate) name: String,
    pub(crate) hash: String,
    pub(crate) source: Option<String>,
    /// The modules it imports from the web.
    pub(crate) modules: Vec<ModuleInfo>,
    pub(crate) options: serde_json::Value,
    /// The part of the test it is.
    pub(crate) segment: Option<SegmentInfo>,
    /// The plan it was made from.
    pub(crate) plan: Option<serde_json::Value>,
    /// Variables the test is given or reads, with their values.
    pub(crate) secrets: Vec<(String, String)>,
}

/// `threads.max=20`.
pub(crate) fn setting(text: &str) -> Option<(String, String)> {
    let (name, value) = text.split_once('=')?;
    let name = name.trim();
    (!name.is_empty()).then(|| (name.to_owned(), value.trim().to_owned()))
}

/// As what a run of this test is kept. As `k6` nothing is kept unless a store is named:
/// k6 leaves nothing behind.
///
/// # Errors
/// A store that was named cannot be written; a flag needs a record, and there is none; a report
/// is asked for in a form that none is written in.
pub(crate) fn config(
    context: &Context,
    flags: &RecordingFlags,
    test: TestFacts,
) -> Result<Option<Box<RecorderConfig>>, Refusal> {
    flags.refuse_other_form()?;
    let is_named = flags.store.is_some() || context.env.contains_key("LOADLINE_STORE");
    if flags.off || (context.is_k6() && !is_named) {
        flags.refuse_without_record()?;
        return Ok(None);
    }
    let Some(path) = store_path(context, flags.store.as_deref()) else {
        flags.refuse_without_record()?;
        if !is_named {
            let said = context.catalog(None).text(&records::no_place());
            Context::print_err(&format!("loadline: {said}\n"));
        }
        return Ok(None);
    };
    // A store that was asked for must be there before minutes of load, not only after.
    if is_named {
        Store::prepare(&path).map_err(|error| {
            let path = path.display();
            Refusal::config(match error {
                StoreError::Newer { .. } => problem::store_newer(path),
                StoreError::NotAStore { .. } => problem::not_a_store(path),
                _ => problem::store_not_writable(path),
            })
        })?;
    }
    let mut environment = environment();
    environment.arguments = arguments(&context.args);
    environment.variables = context.env.keys().cloned().collect();
    let kept = flags.keep_env.iter().filter_map(|name| {
        let of_test = test.secrets.iter().find(|(known, _)| known == name);
        let value = of_test.map(|(_, value)| value);
        Some((
            name.clone(),
            value.or_else(|| context.env.get(name))?.clone(),
        ))
    });
    environment.kept = kept.collect();
    Ok(Some(Box::new(RecorderConfig {
        path,
        name: context.next_run_name.take().unwrap_or_else(run_name),
        redactor: redactor(&context.env, &test.secrets, &flags.keep_env),
        about: RunInfo {
            kind: test.kind.to_owned(),
            test: test.name,
            hash: test.hash,
            source: test.source,
            modules: test.modules,
            options: test.options,
            segment: test.segment,
            plan: test.plan,
            environment,
            settings: flags.settings.clone(),
            note: flags.note.clone(),
            control_socket: context.env.get(SOCKET_VARIABLE).cloned(),
            ..RunInfo::default()
        },
        fold_limit: loadline_session::SERIES_MAX,
        wall_clock: context.wall_clock,
        queue: QUEUE_BYTES_MAX,
    })))
}

/// k6's variables that hold one of a few words.
const CHOICE_VARIABLES: [&str; 6] = [
    "K6_COMPATIBILITY_MODE",
    "K6_LOG_FORMAT",
    "K6_OTEL_EXPORTER_PROTOCOL",
    "K6_OTEL_EXPORTER_TYPE",
    "K6_SUMMARY_MODE",
    "K6_TYPE",
];

/// What shells call the folders one is and was in: no passwords, whatever else `pwd` means.
const FOLDER_VARIABLES: [&str; 2] = ["PWD", "OLDPWD"];

/// Knows the values of k6's own variables and of those that are secrets by their name or their look.
/// Variables asked to be kept are none.
pub(crate) fn redactor(
    env: &BTreeMap<String, String>,
    of_test: &[(String, String)],
    keep: &[String],
) -> Redactor {
    let of_test = of_test.iter().map(|(name, value)| (name, value));
    let secret = env.iter().chain(of_test).filter(|(name, value)| {
        let is_known =
            FOLDER_VARIABLES.contains(&name.as_str()) || CHOICE_VARIABLES.contains(&name.as_str());
        let may_be = !is_known && !keep.contains(name);
        // What k6's own variables hold is seldom worth reading and may be anything.
        may_be && (name.starts_with("K6_") || is_secret_name(name) || looks_secret(value))
    });
    Redactor::knowing(secret.map(|(_, value)| value.as_str()))
}

/// What was typed, without values of headers, bodies and variables that may be secrets.
fn arguments(args: &[String]) -> Vec<String> {
    let mut masked = Vec::new();
    let mut hides: Option<fn(&str) -> String> = None;
    for arg in args {
        if let Some(hide) = hides.take() {
            masked.push(hide(arg));
            continue;
        }
        let (flag, value) = arg
            .split_once('=')
            .map_or((arg.as_str(), None), |(f, v)| (f, Some(v)));
        if let Some(hide) = hiding(flag) {
            match value {
                Some(value) => masked.push(format!("{flag}={}", hide(value))),
                None => {
                    masked.push(arg.clone());
                    hides = Some(hide);
                }
            }
        } else if let Some((flag, hide, value)) = joined(arg) {
            masked.push(format!("{flag}{}", hide(value)));
        } else {
            masked.push(arg.clone());
        }
    }
    masked
}

/// What of a value is shown.
type Hide = fn(&str) -> String;

/// How the value of a flag is hidden, if it is.
fn hiding(flag: &str) -> Option<Hide> {
    Some(match flag {
        "-e" | "--env" => name_of_variable,
        "-H" | "--header" => name_of_header,
        "-b" | "--body" | "--secret-source" | "--notify" | "--variables" | "--overrides" => {
            |_| "...".to_owned()
        }
        _ => return None,
    })
}

/// A short flag with its value right behind it, `-bX`.
fn joined(arg: &str) -> Option<(&str, Hide, &str)> {
    let (flag, value) = arg.split_at_checked(2)?;
    let hide = hiding(flag)?;
    (!value.is_empty()).then_some((flag, hide, value))
}

/// A variable with its value where that is plainly no secret; else its name, which takes the value of the environment.
fn name_of_variable(text: &str) -> String {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    let is_known = is_plain(value) && !is_secret_name(name) && !name.starts_with("K6_");
    if is_known { text } else { name }.to_owned()
}

fn name_of_header(text: &str) -> String {
    let name = text.split(':').next().unwrap_or_default();
    format!("{name}: ...")
}

/// Names of the variables a script reads, as far as its text tells.
pub(crate) fn variables_read(source: &str) -> impl Iterator<Item = &str> {
    source.split("__ENV").skip(1).filter_map(|rest| {
        let rest = rest.trim_start();
        let name = if let Some(rest) = rest.strip_prefix('.') {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            &rest[..end.unwrap_or(rest.len())]
        } else {
            let rest = rest.strip_prefix('[')?.trim_start();
            let rest = rest.strip_prefix(['"', '\'', '`'])?;
            &rest[..rest.find(['"', '\'', '`'])?]
        };
        (!name.is_empty()).then_some(name)
    })
}

/// A name no other run has: 40 random bits from the system, in letters that are not mistaken
/// for each other.
pub(crate) fn run_name() -> String {
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let mut word = getrandom::u64().expect("the system's random numbers cannot be read");
    let mut name = String::new();
    for _ in 0..8 {
        name.push(char::from(LETTERS[(word % 32) as usize]));
        word /= 32;
    }
    // A name never reads as a number.
    if name.bytes().all(|b| b.is_ascii_digit()) {
        name.replace_range(..1, "r");
    }
    name
}

/// Prints where the run is, or what of it was lost.
pub(crate) fn print_place(
    context: &mut Context,
    flags: &RecordingFlags,
    kept: Option<&RecordingResult>,
    catalog: &Catalog,
    is_quiet: bool,
) {
    let Some(kept) = kept else {
        return;
    };
    let path = store_path(context, flags.store.as_deref());
    let path = path.map_or_else(String::new, |path| path.display().to_string());
    let mut lines = Vec::new();
    if let Some(loss) = &kept.loss {
        lines.push(loss_line(&kept.name, loss, &path, catalog));
    } else if !is_quiet {
        let mut command = format!("loadline show {}", kept.name);
        if let Some(store) = &flags.store {
            command = format!("{command} --store {}", shell_word(store));
        }
        lines.push(records::kept_as(&kept.name, command));
    }
    if kept.coarse > 0 {
        lines.push(records::kept_coarse(kept.coarse));
    }
    for line in lines {
        context.err(&format!("loadline: {}\n", catalog.text(&line)));
    }
}

/// Gives a run that is kept its tags.
///
/// # Errors
/// The store cannot be changed.
pub(crate) fn tag(
    context: &Context,
    flags: &RecordingFlags,
    kept: Option<&RecordingResult>,
) -> Result<(), Refusal> {
    let Some(kept) = kept.filter(|_| !flags.tags.is_empty()) else {
        return Ok(());
    };
    let stored = Stored::open_to_change(context, flags.store.as_deref())?;
    let row = stored.find(&kept.name)?;
    let done = stored.store.tag(&row, &flags.tags, &[]);
    done.map_err(|error| stored.refusal(error))
}

/// Which commands go on from a run that is kept. As `k6` nothing is said that k6 does not say.
pub(crate) fn next_commands(
    context: &Context,
    flags: &RecordingFlags,
    kept: Option<&RecordingResult>,
) -> Option<Message> {
    let is_there = |kept: &&RecordingResult| !kept.loss.as_ref().is_some_and(|l| l.everything);
    let kept = kept.filter(is_there).filter(|_| !context.is_k6())?;
    let with_store = |command: &str| command_of_run(command, flags, &kept.name);
    Some(records::next_commands(
        with_store("explain"),
        with_store("report"),
    ))
}

/// `loadline explain NAME`, with the store that was typed.
pub(crate) fn command_of_run(command: &str, flags: &RecordingFlags, name: &str) -> String {
    let store = flags.store.as_deref().map(|store| {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte);
        if store.bytes().all(is_plain) {
            return format!(" --store {store}");
        }
        format!(" --store '{}'", store.replace('\'', r"'\''"))
    });
    format!("loadline {command} {name}{}", store.unwrap_or_default())
}

fn loss_line(name: &str, loss: &DataLoss, path: &str, catalog: &Catalog) -> Message {
    let reason = match loss.cause {
        LossCause::Full => records::loss_full(),
        LossCause::ReadOnly => records::loss_read_only(),
        LossCause::Locked => records::loss_locked(),
        LossCause::Newer => records::loss_newer(),
        LossCause::Defect => records::loss_defect(&loss.reason),
        LossCause::Other => records::loss_other(&loss.reason),
    };
    let reason = catalog.text(&reason);
    if loss.everything {
        records::kept_nothing(path, reason)
    } else {
        records::kept_partly(name, path, reason)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_variables_headers_and_bodies_are_not_kept() {
        let typed = [
            "run",
            "a.js",
            "-e",
            "TOKEN=abc",
            "--env=X=y",
            "-H",
            "Cookie: a=b",
            "-b",
            "{}",
            "-bX",
            "-eFOO=bar",
            "-HA: b",
            "-e",
            "T=127.0.0.1:8080",
            "--env=BASE=http://localhost:8080/a",
            "-e",
            "PASSWORD=12",
        ];
        let kept = arguments(&typed.map(str::to_owned));
        let expected = [
            "run",
            "a.js",
            "-e",
            "TOKEN",
            "--env=X",
            "-H",
            "Cookie: ...",
            "-b",
            "...",
            "-b...",
            "-eFOO",
            "-HA: ...",
            "-e",
            "T=127.0.0.1:8080",
            "--env=BASE=http://localhost:8080/a",
            "-e",
            "PASSWORD",
        ];
        assert_eq!(kept, expected);
    }

    #[test]
    fn the_variables_a_script_reads_are_found() {
        let source = "const a = __ENV.BASE_URL + `${__ENV['MY_TOKEN']}`; if (__ENV[name]) {}";
        let names: Vec<&str> = variables_read(source).collect();
        assert_eq!(names, ["BASE_URL", "MY_TOKEN"]);
    }

    #[test]
    fn a_setting_is_a_name_and_a_value() {
        let pair = |a: &str, b: &str| Some((a.to_owned(), b.to_owned()));
        assert_eq!(setting("threads.max=20"), pair("threads.max", "20"));
        assert_eq!(setting("a=b=c"), pair("a", "b=c"));
        assert_eq!(setting("=1"), None);
        assert_eq!(setting("threads"), None);
    }
}
