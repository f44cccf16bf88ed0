//! What limits the target, as `explain` says of each trial, and which setting that is a reason to try first.

use loadline_knobs::study::{Knob, KnobMethod, StudyFile};
use loadline_record::LimitVerdict;

use crate::context::Context;
use crate::stored::Stored;

/// A setting that is tried because of what limits changes it by this factor, as near as its values allow.
const GUESS_FACTOR: f64 = 2.0;
/// Words in the names of settings, by the part of a target that they set. A pool of threads is threads: they come first.
const PARTS: [(&str, &[&str]); 4] = [
    (
        "threads",
        &["thread", "threads", "worker", "workers", "executor"],
    ),
    (
        "pool",
        &["pool", "connection", "connections", "hikari", "datasource"],
    ),
    ("memory", &["heap", "memory", "mem", "xmx", "ram"]),
    ("cpu", &["cpu", "cpus", "core", "cores"]),
];

/// Explains a stored run; `None` without one: where nothing is stored there is nothing to explain, which is no mistake.
pub(super) fn found(context: &Context, store: Option<&str>, run: &str) -> Option<LimitVerdict> {
    Stored::open(context, store).ok()?.limit(run).ok()
}

/// The part of the target that a knob sets, as its name tells; `None` where that is not known.
pub(super) fn part(knob: &Knob) -> Option<&'static str> {
    let mut names = vec![knob.name.as_str()];
    match &knob.method {
        KnobMethod::Property { key, .. } => names.push(key),
        KnobMethod::Env(name) | KnobMethod::Argument(name) => names.push(name),
        _ => {}
    }
    let words: Vec<String> = names.iter().flat_map(|name| words(name)).collect();
    let is_of = |(_, known): &&(&str, &[&str])| words.iter().any(|word| known.contains(&&**word));
    PARTS.iter().find(is_of).map(|(part, _)| *part)
}

/// The words of a name: `maxPoolSize`, `max-pool-size` and `MAX_POOL_SIZE` have the same.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for letter in name.chars() {
        let is_new = letter.is_uppercase() && was_lower;
        if (is_new || !letter.is_alphanumeric()) && words.last().is_some_and(|w| !w.is_empty()) {
            words.push(String::new());
        }
        if letter.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
        was_lower = letter.is_lowercase() || letter.is_numeric();
    }
    words
}

/// The setting that is to be tried first: the target's own with more of what limits, or of what decides where two
/// causes fit.
pub(super) fn guess(file: &StudyFile, limit: &LimitVerdict) -> Option<Vec<usize>> {
    let seen = limit.part.as_deref();
    let seen = seen.filter(|_| limit.is_unknown() || limit.cause_part().is_some());
    let wanted = limit.decides.as_deref().or(seen)?;
    let place = file
        .knobs
        .iter()
        .position(|knob| part(knob) == Some(wanted))?;
    let knob = &file.knobs[place];
    let mut setting = file.start();
    setting[place] = more(&knob.values, knob.now)?;
    file.allows(&setting).then_some(setting)
}

/// The level nearest to twice the value of now, above it.
fn more(values: &[String], now: usize) -> Option<usize> {
    let number = |text: &String| {
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.');
        text[..end.unwrap_or(text.len())].parse::<f64>().ok()
    };
    let current = number(values.get(now)?)?;
    let wanted = GUESS_FACTOR * current;
    let above = values.iter().enumerate();
    let above = above.filter_map(|(level, text)| Some((level, number(text)?)));
    let above = above.filter(|(_, value)| *value > current);
    let off = |value: f64| (value / wanted).ln().abs();
    let nearest = above.min_by(|(_, a), (_, b)| off(*a).total_cmp(&off(*b)));
    nearest.map(|(level, _)| level)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn study(knobs: &str) -> StudyFile {
        let text = format!(
            "test: http://127.0.0.1:1/ --duration 1s\ngoal: throughput max\nknobs:\n{knobs}"
        );
        let found = loadline_knobs::study::read(&text, "study", std::path::Path::new("/"));
        found.unwrap_or_else(|mistakes| panic!("{mistakes:?}"))
    }

    fn knob(name: &str, values: &str, now: &str) -> String {
        format!(
            "  - {{name: {name}, values: [{values}], now: {now}, http: {{method: PUT, url: 'http://127.0.0.1:1/', body: '{{value}}'}}}}\n"
        )
    }

    fn limit(part: &str) -> LimitVerdict {
        LimitVerdict {
            answer: "limited".to_owned(),
            part: Some(part.to_owned()),
            ..LimitVerdict::default()
        }
    }

    #[test]
    fn names_of_settings_tell_the_part_that_they_set() {
        let part_of = |name: &str| part(&study(&knob(name, "1, 2", "1")).knobs[0]);
        assert_eq!(part_of("pool"), Some("pool"));
        assert_eq!(part_of("maximumPoolSize"), Some("pool"));
        assert_eq!(part_of("thread-pool-size"), Some("threads"));
        assert_eq!(part_of("server.tomcat.threads.max"), Some("threads"));
        assert_eq!(part_of("MAX_HEAP_SIZE"), Some("memory"));
        assert_eq!(part_of("batch"), None);
    }

    #[test]
    fn more_of_what_limits_is_tried_first_or_of_what_decides() {
        let file = study(&(knob("pool", "2, 5, 9, 40", "5") + &knob("threads", "10, 20", "10")));
        assert_eq!(guess(&file, &limit("pool")), Some(vec![2, 0]));
        let two_fit = LimitVerdict {
            decides: Some("threads".to_owned()),
            ..limit("pool")
        };
        assert_eq!(guess(&file, &two_fit), Some(vec![1, 1]));
        assert_eq!(guess(&file, &limit("database")), None);
        let free = LimitVerdict {
            answer: "no-bottleneck".to_owned(),
            ..LimitVerdict::default()
        };
        assert_eq!(guess(&file, &free), None);
    }

    #[test]
    fn sizes_with_units_are_doubled_and_the_largest_has_no_more() {
        let texts = |all: &[&str]| all.iter().map(|one| (*one).to_owned()).collect::<Vec<_>>();
        assert_eq!(more(&texts(&["256m", "512m", "1024m"]), 0), Some(1));
        assert_eq!(more(&texts(&["2", "8", "40"]), 2), None);
        assert_eq!(more(&texts(&["on", "off"]), 0), None);
    }
}
