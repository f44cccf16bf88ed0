//! Settings that a running target shows in its command, its variables and its metrics.

use std::collections::BTreeSet;
use std::path::Path;

use crate::inspect::{self, AnsweredPages, RunningProcess};

/// Parts of names that settings of size have.
const SIZES: [&str; 10] = [
    "THREAD",
    "POOL",
    "WORKER",
    "CONNECTION",
    "CONCURREN",
    "PROCESSES",
    "CACHE_SIZE",
    "BATCH",
    "PARALLEL",
    "BACKLOG",
];
/// The metric of the pool's size, of Micrometer.
const POOL: &str = "hikaricp_connections_max";
/// The metric of the most threads of Tomcat.
const THREADS: &str = "tomcat_threads_config_max_threads";
/// The most knobs that a draft has.
const DRAFT_KNOBS_MAX: usize = 8;

/// How a knob of a draft is set.
#[derive(Debug, Clone, PartialEq, Eq)]
enum DraftPlace {
    /// A variable.
    Variable(String),
    /// A word of the command, or two: the option and its value.
    Word {
        at: usize,
        text: String,
        is_two: bool,
    },
    /// A new option of the machine, before the program.
    Before(String),
    /// A new argument, at the end.
    Last(String),
    /// A person.
    Manual(String),
}

/// A knob of a draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DraftKnob {
    pub(super) name: String,
    pub(super) values: Vec<String>,
    pub(super) now: String,
    /// The metric that shows it.
    pub(super) metric: Option<String>,
    place: DraftPlace,
}

/// Values to try, and the one of now.
struct DraftValues {
    all: Vec<String>,
    now: String,
}

impl DraftKnob {
    fn new(name: &str, values: DraftValues, place: DraftPlace) -> Self {
        Self {
            name: name.to_owned(),
            values: values.all,
            now: values.now,
            metric: None,
            place,
        }
    }

    /// What stands where nothing was found.
    pub(super) fn example(is_started: bool) -> Self {
        let place = if is_started {
            DraftPlace::Variable("WORKERS".to_owned())
        } else {
            DraftPlace::Manual("set workers to {value}".to_owned())
        };
        let mut knob = Self::new("workers", around(1), place);
        knob.metric = (!is_started).then(|| "workers_max".to_owned());
        knob
    }

    pub(super) fn is_variable(&self, name: &str) -> bool {
        matches!(&self.place, DraftPlace::Variable(known) if known == name)
    }

    pub(super) const fn is_added_before(&self) -> bool {
        matches!(self.place, DraftPlace::Before(_))
    }

    pub(super) const fn stands_at(&self, place: usize) -> bool {
        matches!(self.place, DraftPlace::Word { at, .. } if at == place)
    }

    /// Whether a word is the value that follows its option.
    pub(super) fn stands_at_two(&self, place: usize) -> bool {
        matches!(self.place, DraftPlace::Word { at, is_two: true, .. } if at + 1 == place)
    }

    /// The line that says how it is set.
    pub(super) fn method(&self) -> String {
        match &self.place {
            DraftPlace::Variable(name) => format!("env: {name}"),
            DraftPlace::Word { text, .. } | DraftPlace::Before(text) | DraftPlace::Last(text) => {
                format!("argument: {}", super::quoted(text))
            }
            DraftPlace::Manual(text) => format!("manual: {}", super::quoted(text)),
        }
    }
}

/// The knobs that a target shows.
pub(super) fn find(process: Option<&RunningProcess>, pages: &AnsweredPages) -> Vec<DraftKnob> {
    let page = pages.metrics.as_ref().map(|(_, text)| text.as_str());
    let mut found = match process {
        None => by_hand(page),
        Some(process) => {
            let program = process.words.first().map_or("", String::as_str);
            let program = Path::new(program).file_name().unwrap_or_default();
            let mut found = match program.to_string_lossy().as_ref() {
                "java" => of_java(process, page),
                "node" | "nodejs" => of_node(process),
                _ => Vec::new(),
            };
            found.extend(of_variables(process, page, &found));
            found.extend(of_options(process));
            found
        }
    };
    let mut names = BTreeSet::new();
    found.retain(|knob| names.insert(knob.name.clone()));
    found.truncate(DRAFT_KNOBS_MAX);
    found
}

/// What a target elsewhere shows: a person sets it.
fn by_hand(page: Option<&str>) -> Vec<DraftKnob> {
    let knob = |name: &str, metric: &str, what: &str| {
        let now = whole(inspect::metric(page?, metric)?)?;
        let place = DraftPlace::Manual(format!("set {what} to {{value}} and restart"));
        let mut knob = DraftKnob::new(name, around(now), place);
        knob.metric = Some(metric.to_owned());
        Some(knob)
    };
    let pool = knob("pool", POOL, "spring.datasource.hikari.maximum-pool-size");
    let threads = knob("threads", THREADS, "server.tomcat.threads.max");
    pool.into_iter().chain(threads).collect()
}

fn of_java(process: &RunningProcess, page: Option<&str>) -> Vec<DraftKnob> {
    let mut found = Vec::new();
    let given = process.words.iter().enumerate();
    let mut given =
        given.filter_map(|(at, word)| Some((at, mebibytes(word.strip_prefix("-Xmx")?)?)));
    let text = "-Xmx{value}".to_owned();
    if let Some((at, now)) = given.next_back() {
        let place = DraftPlace::Word {
            at,
            text,
            is_two: false,
        };
        found.push(DraftKnob::new("heap", heaps(now), place));
    } else if process.words.iter().any(|word| word == "-jar") {
        let most = page.map(heap_of);
        if let Some(now) = most.filter(|most| *most > 0) {
            found.push(DraftKnob::new("heap", heaps(now), DraftPlace::Before(text)));
        }
    }
    let spring = [
        ("pool", POOL, "--spring.datasource.hikari.maximum-pool-size"),
        ("threads", THREADS, "--server.tomcat.threads.max"),
    ];
    for (name, metric, option) in spring {
        let shown = page.and_then(|page| whole(inspect::metric(page, metric)?));
        // One that a variable sets is found among the variables.
        let by_variable = shown.is_some_and(|now| !variables_of(process, name, now).is_empty());
        let Some(now) = shown.filter(|_| !by_variable) else {
            continue;
        };
        let text = format!("{option}={{value}}");
        let given = process
            .words
            .iter()
            .position(|word| word.starts_with(&format!("{option}=")));
        let place = match given {
            Some(at) => DraftPlace::Word {
                at,
                text,
                is_two: false,
            },
            None => DraftPlace::Last(text),
        };
        let mut knob = DraftKnob::new(name, around(now), place);
        knob.metric = Some(metric.to_owned());
        found.push(knob);
    }
    found
}

/// The most heap that metrics of a Java machine show, MiB.
fn heap_of(page: &str) -> u64 {
    let series = page
        .lines()
        .filter(|line| line.starts_with("jvm_memory_max_bytes{") && line.contains("area=\"heap\""));
    let bytes = series.filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok());
    whole(bytes.filter(|bytes| *bytes > 0.0).sum::<f64>() / f64::from(1 << 20)).unwrap_or(0)
}

fn of_node(process: &RunningProcess) -> Vec<DraftKnob> {
    let mut found = Vec::new();
    let option = "--max-old-space-size=";
    let given = process.words.iter().enumerate();
    let given = given.filter_map(|(at, word)| Some((at, word.strip_prefix(option)?.parse().ok()?)));
    for (at, now) in given {
        let now: u64 = now;
        let text = format!("{option}{{value}}");
        let place = DraftPlace::Word {
            at,
            text,
            is_two: false,
        };
        found.push(DraftKnob::new("heap", steps(now, ""), place));
    }
    // What Node takes without it.
    let threads = process.variable("UV_THREADPOOL_SIZE");
    let threads = threads.and_then(|text| text.parse().ok()).unwrap_or(4);
    let place = DraftPlace::Variable("UV_THREADPOOL_SIZE".to_owned());
    found.push(DraftKnob::new("io_threads", around(threads), place));
    found
}

/// Variables whose names say that they are what a metric shows.
fn variables_of(process: &RunningProcess, name: &str, now: u64) -> Vec<String> {
    let part = match name {
        "pool" => "POOL",
        _ => "THREAD",
    };
    let all = process.variables.iter();
    all.filter(|(name, value)| name.to_ascii_uppercase().contains(part) && value.parse() == Ok(now))
        .map(|(name, _)| name.clone())
        .collect()
}

fn of_variables(
    process: &RunningProcess,
    page: Option<&str>,
    known: &[DraftKnob],
) -> Vec<DraftKnob> {
    let shown = |metric: &str| page.and_then(|page| whole(inspect::metric(page, metric)?));
    let mut found = Vec::new();
    for (name, value) in &process.variables {
        let upper = name.to_ascii_uppercase();
        let is_size = SIZES.iter().any(|part| upper.contains(part));
        let is_time = ["TIMEOUT", "_MS", "SECONDS", "PORT"]
            .iter()
            .any(|part| upper.contains(part));
        let Ok(now) = value.parse::<u64>() else {
            continue;
        };
        if !is_size || is_time || now == 0 || known.iter().any(|knob| knob.is_variable(name)) {
            continue;
        }
        let metric = [("POOL", POOL), ("THREAD", THREADS)]
            .into_iter()
            .find(|(part, metric)| upper.contains(part) && shown(metric) == Some(now));
        let place = DraftPlace::Variable(name.clone());
        let mut knob = DraftKnob::new(&name.to_ascii_lowercase(), around(now), place);
        knob.metric = metric.map(|(_, metric)| metric.to_owned());
        found.push(knob);
    }
    found
}

/// Options such as `--workers=4` and `--workers 4`.
fn of_options(process: &RunningProcess) -> Vec<DraftKnob> {
    let mut found = Vec::new();
    for (at, word) in process.words.iter().enumerate().skip(1) {
        let Some(option) = word.strip_prefix("--") else {
            continue;
        };
        let (name, value, is_two) = match option.split_once('=') {
            Some((name, value)) => (name, Some(value), false),
            None => (option, process.words.get(at + 1).map(String::as_str), true),
        };
        let upper = name.to_ascii_uppercase().replace('-', "_");
        let is_size = SIZES.iter().any(|part| upper.contains(part));
        let is_known = name.starts_with("spring.") || name.starts_with("server.");
        let Some(now) = value
            .and_then(|value| value.parse().ok())
            .filter(|now| *now > 0)
        else {
            continue;
        };
        if !is_size || is_known {
            continue;
        }
        // Two words cannot stand in one place; nearly all programs take the form with `=`.
        let text = format!("--{name}={{value}}");
        let place = DraftPlace::Word { at, text, is_two };
        found.push(DraftKnob::new(
            &upper.to_ascii_lowercase(),
            around(now),
            place,
        ));
    }
    found
}

fn whole(number: f64) -> Option<u64> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked to be a small positive number"
    )]
    (1.0..1e15)
        .contains(&number)
        .then_some(number.round() as u64)
}

/// `512m`, `2g`, in MiB.
fn mebibytes(text: &str) -> Option<u64> {
    let text = text.to_ascii_lowercase();
    let (number, unit) = text.split_at(text.find(|letter: char| !letter.is_ascii_digit())?);
    let number: u64 = number.parse().ok()?;
    match unit {
        "g" => Some(number * 1024),
        "m" => Some(number),
        "k" => Some(number / 1024),
        _ => None,
    }
}

/// Values around the one of now.
fn around(now: u64) -> DraftValues {
    let all = BTreeSet::from([(now / 4).max(1), (now / 2).max(1), now, now * 2, now * 4]);
    DraftValues {
        all: all.iter().map(ToString::to_string).collect(),
        now: now.to_string(),
    }
}

fn heaps(now: u64) -> DraftValues {
    steps(now, "m")
}

fn steps(now: u64, unit: &str) -> DraftValues {
    let all = BTreeSet::from([now / 2, now * 3 / 4, now, now * 3 / 2, now * 2]);
    let all = all.iter().filter(|value| **value > 0);
    DraftValues {
        all: all.map(|value| format!("{value}{unit}")).collect(),
        now: format!("{now}{unit}"),
    }
}
