//! Words for messages.

use std::borrow::Cow;
use std::sync::LazyLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use unic_langid::LanguageIdentifier;

use crate::foreign;
use crate::lang::Lang;
use crate::message::Message;
use crate::problem::Problem;

/// The files of a language.
const fn sources(lang: Lang) -> [&'static str; 22] {
    match lang {
        Lang::En => [
            include_str!("../locales/en/messages.ftl"),
            include_str!("../locales/en/matrix.ftl"),
            include_str!("../locales/en/errors.ftl"),
            include_str!("../locales/en/answers.ftl"),
            include_str!("../locales/en/plan.ftl"),
            include_str!("../locales/en/capacity.ftl"),
            include_str!("../locales/en/explain.ftl"),
            include_str!("../locales/en/gate.ftl"),
            include_str!("../locales/en/glossary.ftl"),
            include_str!("../locales/en/lint.ftl"),
            include_str!("../locales/en/modules.ftl"),
            include_str!("../locales/en/ngrinder.ftl"),
            include_str!("../locales/en/observe.ftl"),
            include_str!("../locales/en/pages.ftl"),
            include_str!("../locales/en/phrase.ftl"),
            include_str!("../locales/en/records.ftl"),
            include_str!("../locales/en/report.ftl"),
            include_str!("../locales/en/rounds.ftl"),
            include_str!("../locales/en/screen.ftl"),
            include_str!("../locales/en/testbed.ftl"),
            include_str!("../locales/en/tracing.ftl"),
            include_str!("../locales/en/tune.ftl"),
        ],
        Lang::Ko => [
            include_str!("../locales/ko/messages.ftl"),
            include_str!("../locales/ko/matrix.ftl"),
            include_str!("../locales/ko/errors.ftl"),
            include_str!("../locales/ko/answers.ftl"),
            include_str!("../locales/ko/plan.ftl"),
            include_str!("../locales/ko/capacity.ftl"),
            include_str!("../locales/ko/explain.ftl"),
            include_str!("../locales/ko/gate.ftl"),
            include_str!("../locales/ko/glossary.ftl"),
            include_str!("../locales/ko/lint.ftl"),
            include_str!("../locales/ko/modules.ftl"),
            include_str!("../locales/ko/ngrinder.ftl"),
            include_str!("../locales/ko/observe.ftl"),
            include_str!("../locales/ko/pages.ftl"),
            include_str!("../locales/ko/phrase.ftl"),
            include_str!("../locales/ko/records.ftl"),
            include_str!("../locales/ko/report.ftl"),
            include_str!("../locales/ko/rounds.ftl"),
            include_str!("../locales/ko/screen.ftl"),
            include_str!("../locales/ko/testbed.ftl"),
            include_str!("../locales/ko/tracing.ftl"),
            include_str!("../locales/ko/tune.ftl"),
        ],
    }
}

/// Arguments that hold the words of others.
const CAUSES: [&str; 6] = ["reason", "why", "message", "cause", "error", "mistakes"];

/// Reads the files of a language, some milliseconds' work.
fn bundle(lang: Lang) -> FluentBundle<FluentResource> {
    let id: LanguageIdentifier = lang.tag().parse().unwrap_or_default();
    let mut bundle = FluentBundle::new_concurrent(vec![id]);
    // Marks around arguments would show up in terminals and files.
    bundle.set_use_isolating(false);
    for source in sources(lang) {
        // A faulty file is found by the tests; what can be read of it is used.
        let resource = FluentResource::try_new(source.to_owned());
        let resource = resource.unwrap_or_else(|(readable, _)| readable);
        bundle.add_resource_overriding(resource);
    }
    bundle
}

/// All words of one language.
pub struct Catalog {
    lang: Lang,
    bundle: &'static FluentBundle<FluentResource>,
    /// The command whose `--help` an error names.
    command: String,
}

impl Catalog {
    /// The words of `lang`. Their files are read once in a process.
    #[must_use]
    pub fn new(lang: Lang) -> Self {
        static ENGLISH: LazyLock<FluentBundle<FluentResource>> = LazyLock::new(|| bundle(Lang::En));
        static KOREAN: LazyLock<FluentBundle<FluentResource>> = LazyLock::new(|| bundle(Lang::Ko));
        let bundle = match lang {
            Lang::En => &*ENGLISH,
            Lang::Ko => &*KOREAN,
        };
        Self {
            lang,
            bundle,
            command: "loadline".to_owned(),
        }
    }

    /// The same words, for errors of a command such as `loadline compare`.
    #[must_use]
    pub fn of_command(mut self, command: impl Into<String>) -> Self {
        self.command = command.into();
        self
    }

    /// The language.
    #[must_use]
    pub fn lang(&self) -> Lang {
        self.lang
    }

    /// A length such as `1m30s`, as a sentence of this language has it.
    #[must_use]
    pub fn length(&self, length: &str) -> String {
        match self.lang {
            Lang::En => length.to_owned(),
            Lang::Ko => crate::number::korean_length(length),
        }
    }

    /// A message's words.
    #[must_use]
    pub fn text(&self, message: &Message) -> String {
        let quoted = |(name, value): &(&'static str, String)| {
            let original = self.original(&[(name, value.clone())]);
            (
                *name,
                original.map_or_else(|| value.clone(), |text| self.quoted(&text)),
            )
        };
        let args: Vec<_> = message.args.iter().map(quoted).collect();
        self.find(message.key, None, &args)
            .unwrap_or_else(|| message.key.to_owned())
    }

    /// An error's words, over two or three lines: what and where, why, what to do.
    #[must_use]
    pub fn problem(&self, problem: &Problem) -> String {
        let key = problem.code.key();
        let label = |name| self.find("labels", Some(name), &[]).unwrap_or_default();
        let mut args = problem.args.clone();
        args.push(("command", self.command.clone()));
        let original = self.original(&args);
        if original.is_some() {
            let here = self.find("labels", Some("see-original"), &[]);
            let here = here.unwrap_or_default();
            let shown = |(name, value): &(&'static str, String)| {
                let is_it =
                    CAUSES.contains(name) && self.original(&[(name, value.clone())]).is_some();
                (*name, if is_it { here.clone() } else { value.clone() })
            };
            args = args.iter().map(shown).collect();
        }
        let part = |name: Option<&str>| self.find(key, name, &args);
        let place = problem.place.as_ref().map(|place| format!("{place}: "));
        let what = part(None).unwrap_or_else(|| key.to_owned());
        let mut text = format!("{} {}{what}", label("error"), place.unwrap_or_default());
        let labels = ["cause", "expected", "original", "help"].map(|name| (name, label(name)));
        let is_alone = |words: &String| *words == label("see-original");
        let words = |name: &str| match name {
            "original" => original.clone(),
            // The original's line says it all.
            _ => part(Some(name)).filter(|words| !is_alone(words)),
        };
        let is_wide = |name: &str| match name {
            "original" | "expected" => words(name).is_some(),
            _ => true,
        };
        let widest = labels.iter().filter(|(name, _)| is_wide(name));
        let widest = widest.map(|(_, label)| columns(label)).max().unwrap_or(0);
        for (name, label) in &labels {
            // An error that others lead to has a cause only if theirs has one.
            if let Some(words) = words(name).filter(|words| !words.is_empty()) {
                let gap = " ".repeat(widest - columns(label).min(widest));
                text.push_str(&format!("\n  {label}{gap} {words}"));
            }
        }
        text
    }

    /// What is wrong, in one line without the word "error", for an error that has it as its cause.
    #[must_use]
    pub fn what(&self, problem: &Problem) -> String {
        let place = problem.place.as_ref().map(|place| format!("{place}: "));
        let what = self.find(problem.code.key(), None, &problem.args);
        let what = what.unwrap_or_else(|| problem.code.key().to_owned());
        format!("{}{what}", place.unwrap_or_default())
    }

    /// Why it is wrong, in one line; empty where that is clear from what is wrong.
    #[must_use]
    pub fn why(&self, problem: &Problem) -> String {
        let part = |name| self.find(problem.code.key(), Some(name), &problem.args);
        let expected = || {
            let label = self.find("labels", Some("expected"), &[])?;
            Some(format!("{label} {}", part("expected")?))
        };
        part("cause").or_else(expected).unwrap_or_default()
    }

    /// The first lines of errors, and what to do about them once, after the last.
    #[must_use]
    pub fn mistakes(&self, problems: &[Problem]) -> String {
        let Some((last, before)) = problems.split_last() else {
            return String::new();
        };
        let label = self.find("labels", Some("error"), &[]).unwrap_or_default();
        let lines = before
            .iter()
            .map(|one| format!("{label} {}\n", self.what(one)));
        lines.collect::<String>() + &self.problem(last) + "\n"
    }

    /// Several errors and the exit code they end with.
    #[must_use]
    pub fn problems(&self, problems: &[Problem], exit_code: u8) -> String {
        let mut text = String::new();
        for problem in problems {
            text.push_str(&self.problem(problem));
            text.push('\n');
        }
        let code = [("code", exit_code.to_string())];
        let code = self.find("labels", Some("exit-code"), &code);
        text.push_str(&code.unwrap_or_default());
        text
    }

    /// Words of others within a sentence of ours.
    fn quoted(&self, original: &str) -> String {
        let text = [("text", original.to_owned())];
        let quoted = self.find("labels", Some("quoted-original"), &text);
        quoted.unwrap_or_else(|| original.to_owned())
    }

    /// What of the arguments is in words of others that we cannot tell in the reader's language.
    fn original(&self, args: &[(&'static str, String)]) -> Option<String> {
        let causes = args.iter().filter(|(name, _)| CAUSES.contains(name));
        let mut told = causes.map(|(name, value)| self.cause(name, value));
        told.find(|text| self.lang == Lang::Ko && foreign::is_original(text))
            .map(Cow::into_owned)
    }

    /// Words of the system or of a library that stand by themselves, as the causes within sentences.
    #[must_use]
    pub fn words_of_others(&self, original: &str) -> String {
        match self.lang {
            Lang::En => original.to_owned(),
            Lang::Ko => foreign::in_korean(original),
        }
    }

    /// An argument's text. What a cause says is the system's, or a library's.
    fn cause<'a>(&self, name: &str, value: &'a str) -> Cow<'a, str> {
        if !CAUSES.contains(&name) {
            return value.into();
        }
        let value = value.strip_prefix("error: ").unwrap_or(value);
        match self.lang {
            Lang::En => value.into(),
            Lang::Ko => foreign::in_korean(value).into(),
        }
    }

    fn find(
        &self,
        key: &str,
        attribute: Option<&str>,
        args: &[(&'static str, String)],
    ) -> Option<String> {
        let message = self.bundle.get_message(key)?;
        let pattern = match attribute {
            Some(name) => message.get_attribute(name)?.value(),
            None => message.value()?,
        };
        let args: FluentArgs<'_> = args
            .iter()
            .map(|(name, value)| (*name, counted(self.cause(name, value))))
            .collect();
        let mut errors = Vec::new();
        let text = self
            .bundle
            .format_pattern(pattern, Some(&args), &mut errors);
        debug_assert!(errors.is_empty(), "{key}: {errors:?}");
        Some(text.into_owned())
    }
}

/// An argument as Fluent takes it: the number one is a number, so that a sentence can have a singular. All others stay
/// as they are written.
fn counted(text: Cow<'_, str>) -> FluentValue<'_> {
    match text.as_ref() {
        "1" => FluentValue::from(1),
        _ => FluentValue::from(text),
    }
}

/// How many columns of a terminal a label takes: Korean letters take two.
fn columns(label: &str) -> usize {
    label
        .chars()
        .map(|c| if c.is_ascii() { 1 } else { 2 })
        .sum()
}

#[cfg(test)]
mod tests;
