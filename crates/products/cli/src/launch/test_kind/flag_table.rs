//! The flags of a dialect as far as reading a line needs them: which of them take a value, and how.

use clap::ArgAction;
use loadline_k6_options::flags::FlagSpec;

/// The flags of a dialect.
#[derive(Debug, Default)]
pub(crate) struct FlagTable {
    pub(super) flags: Vec<Flag>,
}

/// A flag.
#[derive(Debug)]
pub(super) struct Flag {
    /// Its name without dashes, then its other names.
    pub(super) names: Vec<String>,
    pub(super) short: Option<char>,
    pub(super) value: ValueRule,
}

impl Flag {
    fn is_named(&self, name: &str) -> bool {
        self.names.iter().any(|known| known == name)
    }

    fn needs_value(&self) -> bool {
        matches!(self.value, ValueRule::NextWord | ValueRule::NextPlainWord)
    }

    /// Whether its value is the word after `arg`, which it is.
    fn takes_next_after(&self, arg: &str) -> bool {
        let is_alone = match arg.strip_prefix("--") {
            Some(long) => !long.contains('='),
            None => arg.chars().count() == 2,
        };
        is_alone && self.needs_value()
    }
}

/// How a flag takes its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueRule {
    /// It has none.
    None,
    /// After `=` only; it may stand alone.
    Attached,
    /// After `=`, or as the next word whatever that looks like.
    NextWord,
    /// After `=`, or as the next word if that does not look like a flag.
    NextPlainWord,
}

/// A line in two parts.
#[derive(Debug, Default)]
pub(crate) struct PartedLine {
    /// Flags of a table, with their values.
    pub(crate) own: Vec<String>,
    pub(crate) others: Vec<String>,
}

/// A line with its words apart.
#[derive(Debug, Default)]
pub(crate) struct SplitLine {
    /// What is neither a flag nor the value of one.
    pub(crate) words: Vec<String>,
    /// Flags with their values.
    pub(crate) flags: Vec<String>,
}

/// A line as one dialect reads it.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// What is neither a flag nor the value of one.
    pub(super) words: Vec<String>,
    pub(super) flags: Vec<TypedFlag>,
    pub(super) asks_help: bool,
    /// How many flags are unknown, lack a value or have one too many.
    pub(super) mistakes: usize,
}

/// A flag as it was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TypedFlag {
    /// Its name without dashes.
    pub(super) name: String,
    pub(super) value: Option<String>,
}

impl FlagTable {
    /// The flags of a command of ours.
    pub(crate) fn from_command(command: &clap::Command) -> Self {
        let flags = command.get_arguments().filter(|arg| !arg.is_positional());
        let flags = flags.map(|arg| {
            let others = arg.get_all_aliases().unwrap_or_default();
            let names = arg.get_long().into_iter().chain(others);
            Flag {
                names: names.map(str::to_owned).collect(),
                short: arg.get_short(),
                value: clap_rule(arg),
            }
        });
        Self {
            flags: flags.collect(),
        }
    }

    /// The flags that k6's own library reads.
    pub(crate) fn from_specs<'a>(specs: impl IntoIterator<Item = &'a FlagSpec>) -> Self {
        let flags = specs.into_iter().map(|spec| Flag {
            names: vec![spec.name.to_owned()],
            short: spec.short,
            value: if spec.bare.is_some() {
                ValueRule::Attached
            } else {
                ValueRule::NextWord
            },
        });
        Self {
            flags: flags.collect(),
        }
    }

    /// Every flag in every spelling, those that take a value with `value`.
    #[cfg(test)]
    pub(crate) fn spellings(&self, value: &str) -> Vec<Vec<String>> {
        let mut all = Vec::new();
        for flag in &self.flags {
            let longs = flag.names.iter().map(|name| format!("--{name}"));
            let shorts = flag.short.map(|short| format!("-{short}"));
            for typed in longs.chain(shorts) {
                if !flag.needs_value() {
                    all.push(vec![typed.clone()]);
                }
                if flag.value != ValueRule::None {
                    all.push(vec![format!("{typed}={value}")]);
                }
                if flag.needs_value() {
                    all.push(vec![typed.clone(), value.to_owned()]);
                }
                if flag.needs_value() && !typed.starts_with("--") {
                    all.push(vec![format!("{typed}{value}")]);
                }
            }
        }
        all
    }

    /// Takes the flags of this table out of a line in which flags of `others` stand, too.
    pub(crate) fn part(&self, args: &[String], others: &Self) -> PartedLine {
        let mut parted = PartedLine::default();
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let is_help = arg == "--help" || arg == "-h";
            let own = self.find(arg);
            let to = if own.is_some() || is_help {
                &mut parted.own
            } else {
                &mut parted.others
            };
            to.push(arg.clone());
            let flag = own.or_else(|| others.find(arg));
            if flag.is_some_and(|flag| flag.takes_next_after(arg)) {
                to.extend(args.next().cloned());
            }
        }
        parted
    }

    /// Parts a line into the flags of this table with their values, and words that are neither.
    pub(crate) fn split(&self, args: &[String]) -> SplitLine {
        let mut split = SplitLine::default();
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            if !looks_like_flag(arg) {
                split.words.push(arg.clone());
                continue;
            }
            split.flags.push(arg.clone());
            if self
                .find(arg)
                .is_some_and(|flag| flag.takes_next_after(arg))
            {
                split.flags.extend(args.next().cloned());
            }
        }
        split
    }

    /// The flag that a word is, with or without its value.
    fn find(&self, arg: &str) -> Option<&Flag> {
        if let Some(long) = arg.strip_prefix("--") {
            let name = long.split('=').next().unwrap_or_default();
            return self.flags.iter().find(|flag| flag.is_named(name));
        }
        let short = arg.strip_prefix('-')?.chars().next()?;
        self.flags.iter().find(|flag| flag.short == Some(short))
    }

    pub(super) fn read(&self, args: &[String]) -> Reading {
        let mut reader = LineReader {
            table: self,
            args,
            next: 0,
            reading: Reading::default(),
        };
        while let Some(arg) = reader.take() {
            if arg == "--" {
                let rest = &args[reader.next..];
                reader.reading.words.extend_from_slice(rest);
                break;
            } else if let Some(long) = arg.strip_prefix("--") {
                reader.read_long(long);
            } else if looks_like_flag(arg) {
                reader.read_shorts(&arg[1..]);
            } else {
                reader.reading.words.push(arg.clone());
            }
        }
        reader.reading
    }
}

fn clap_rule(arg: &clap::Arg) -> ValueRule {
    if matches!(arg.get_action(), ArgAction::Help | ArgAction::HelpLong) {
        return ValueRule::None;
    }
    if !arg.get_action().takes_values() {
        ValueRule::None
    } else if arg.is_allow_hyphen_values_set() {
        ValueRule::NextWord
    } else {
        ValueRule::NextPlainWord
    }
}

fn looks_like_flag(word: &str) -> bool {
    word.len() > 1 && word.starts_with('-')
}

struct LineReader<'a> {
    table: &'a FlagTable,
    args: &'a [String],
    next: usize,
    reading: Reading,
}

impl<'a> LineReader<'a> {
    fn take(&mut self) -> Option<&'a String> {
        let arg = self.args.get(self.next)?;
        self.next += 1;
        Some(arg)
    }

    fn read_long(&mut self, typed: &str) {
        let (name, value) = match typed.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (typed, None),
        };
        let table = self.table;
        let known = table.flags.iter().find(|flag| flag.is_named(name));
        match known {
            Some(flag) => self.add(flag, value),
            None if name == "help" => self.reading.asks_help = true,
            None => self.reading.mistakes += 1,
        }
    }

    /// Letters behind one dash: switches, and at last perhaps one with a value.
    fn read_shorts(&mut self, letters: &str) {
        let table = self.table;
        let mut rest = letters;
        while let Some(short) = rest.chars().next() {
            let after = &rest[short.len_utf8()..];
            let Some(flag) = table.flags.iter().find(|flag| flag.short == Some(short)) else {
                if short == 'h' {
                    self.reading.asks_help = true;
                } else {
                    self.reading.mistakes += 1;
                }
                return;
            };
            if let Some(value) = after.strip_prefix('=') {
                return self.add(flag, Some(value.to_owned()));
            }
            let is_switch = matches!(flag.value, ValueRule::None | ValueRule::Attached);
            if !is_switch && !after.is_empty() {
                return self.add(flag, Some(after.to_owned()));
            }
            self.add(flag, None);
            rest = after;
        }
    }

    /// Notes a flag; one that needs a value and has none takes the next word.
    fn add(&mut self, flag: &Flag, attached: Option<String>) {
        let needs_value = flag.needs_value();
        let has_one_too_many = flag.value == ValueRule::None && attached.is_some();
        let value = if needs_value && attached.is_none() {
            let may_be_any = flag.value == ValueRule::NextWord;
            let next = self.args.get(self.next);
            let next = next.filter(|word| may_be_any || !looks_like_flag(word));
            self.next += usize::from(next.is_some());
            next.cloned()
        } else {
            attached
        };
        if has_one_too_many || (needs_value && value.is_none()) {
            self.reading.mistakes += 1;
        }
        self.reading.flags.push(TypedFlag {
            name: flag.names.first().cloned().unwrap_or_default(),
            value,
        });
    }
}
