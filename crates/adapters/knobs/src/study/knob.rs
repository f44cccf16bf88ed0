//! What may be changed, and how.

use std::path::PathBuf;

/// One knob.
#[derive(Debug, Clone, PartialEq)]
pub struct Knob {
    /// Its name.
    pub name: String,
    /// Line and column of it, from 1.
    pub place: (u32, u32),
    /// The values it may have, as texts.
    pub values: Vec<String>,
    /// The level it has before the study.
    pub now: usize,
    /// Line and column of that, from 1.
    pub now_place: (u32, u32),
    /// What each level costs, 0 to 1.
    pub costs: Vec<f64>,
    /// Whether the target must be restarted for it.
    pub restart: bool,
    /// How it is set.
    pub method: KnobMethod,
    /// How it is read back.
    pub read: Option<ReadMethod>,
    /// What to write where.
    pub paste: Option<PasteText>,
}

impl Knob {
    /// Whether its values are more and more of something, or less and less.
    #[must_use]
    pub fn has_order(&self) -> bool {
        are_in_order(&self.values)
    }
}

/// Whether values are numbers of one unit that rise, or fall.
fn are_in_order(values: &[String]) -> bool {
    let split = |value: &String| {
        let is_of_number = |c: char| c.is_ascii_digit() || c == '.';
        let end = value.find(|c| !is_of_number(c)).unwrap_or(value.len());
        let (number, unit) = value.split_at(end);
        Some((number.parse::<f64>().ok()?, unit.to_owned()))
    };
    let Some(numbers) = values.iter().map(split).collect::<Option<Vec<_>>>() else {
        return false;
    };
    let mut steps = numbers.windows(2).map(|two| (&two[0], &two[1]));
    let rise = steps.clone().all(|(one, next)| one.0 < next.0);
    let fall = steps.clone().all(|(one, next)| one.0 > next.0);
    (rise || fall) && steps.all(|(one, next)| one.1 == next.1)
}

/// How a knob is set. `{value}` stands for the value.
#[derive(Debug, Clone, PartialEq)]
pub enum KnobMethod {
    /// A variable of the start command.
    Env(String),
    /// An argument of the start command: in place of `{name}` there, or at its end.
    Argument(String),
    /// A line `key=value` or `key: value` of a file.
    Property {
        /// The file.
        file: PathBuf,
        /// The key.
        key: String,
    },
    /// A file written from a template in which `{name}` stands for values.
    Template {
        /// The file.
        file: PathBuf,
        /// The template.
        from: PathBuf,
    },
    /// A request.
    Http {
        /// The method.
        method: String,
        /// The URL.
        url: String,
        /// The body.
        body: Option<String>,
    },
    /// A command, such as `kubectl patch` or `ssh`.
    Command(Vec<String>),
    /// A person sets it: what to tell them.
    Manual(String),
}

/// How a knob is read back.
#[derive(Debug, Clone, PartialEq)]
pub enum ReadMethod {
    /// A member of a JSON answer.
    Json {
        /// The URL.
        url: String,
        /// The member, as a JSON pointer.
        pointer: String,
    },
    /// A metric of a page in Prometheus' format.
    Metric {
        /// The URL.
        url: String,
        /// The metric's name, with labels in braces if there are several series.
        name: String,
    },
    /// What a command prints.
    Command(Vec<String>),
}

/// What to write where in the end.
#[derive(Debug, Clone, PartialEq)]
pub struct PasteText {
    /// The place: a file, a manifest.
    pub place: String,
    /// The text, with `{value}`.
    pub text: String,
}

impl ReadMethod {
    /// What is asked: a URL or a command.
    #[must_use]
    pub fn source(&self) -> String {
        match self {
            Self::Json { url, pointer } => format!("{url} {pointer}"),
            Self::Metric { url, name } => format!("{url} {name}"),
            Self::Command(words) => words.join(" "),
        }
    }
}

impl Knob {
    /// What to write where for a value, if the file says or it can be derived.
    #[must_use]
    pub fn pasted(&self, value: &str) -> (String, String) {
        let with = |text: &str| text.replace("{value}", value);
        if let Some(paste) = &self.paste {
            return (paste.place.clone(), with(&paste.text));
        }
        match &self.method {
            KnobMethod::Env(name) => ("environment".to_owned(), format!("{name}={value}")),
            KnobMethod::Argument(text) => ("start command".to_owned(), with(text)),
            KnobMethod::Property { file, key } => {
                (file.display().to_string(), format!("{key}={value}"))
            }
            KnobMethod::Template { file, .. } => (
                file.display().to_string(),
                format!("{}: {value}", self.name),
            ),
            KnobMethod::Http { method, url, body } => {
                let body = body.as_deref().map(with).unwrap_or_default();
                (format!("{method} {}", with(url)), body)
            }
            KnobMethod::Command(words) => ("command".to_owned(), with(&words.join(" "))),
            KnobMethod::Manual(text) => ("manual".to_owned(), with(text)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::are_in_order;

    #[test]
    fn numbers_of_one_unit_that_rise_or_fall_have_an_order() {
        let ordered = |values: &[&str]| {
            let values: Vec<String> = values.iter().map(|one| (*one).to_owned()).collect();
            are_in_order(&values)
        };
        assert!(ordered(&["5", "10", "20"]) && ordered(&["20", "10", "5"]));
        assert!(ordered(&["256m", "512m", "1024m"]) && ordered(&["0.5", "1.5"]));
        // Names, what goes up and down, and units that differ: nothing is known of them.
        assert!(!ordered(&["G1", "ZGC", "Parallel"]) && !ordered(&["on", "off"]));
        assert!(!ordered(&["5", "20", "10"]) && !ordered(&["512m", "1g"]));
    }
}
