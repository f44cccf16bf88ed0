//! Parses arguments into flags and values, by the rules of k6's flag library.

use super::csv;
use super::error::FlagError;
use super::spec::{FlagKind, FlagSpec};
use crate::go::{parse_bool, parse_duration, parse_int_any_base};

/// Flags as given, each value checked against its flag's kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ParsedFlags {
    /// Names and values in the order given; values between commas are apart.
    values: Vec<(&'static str, Vec<String>)>,
    /// What is no flag.
    pub positionals: Vec<String>,
    /// Whether help is asked for.
    pub help: bool,
}

impl ParsedFlags {
    /// Whether a flag is given.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.values.iter().any(|(given, _)| *given == name)
    }

    /// All values of a flag.
    pub fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        let of_name = self.values.iter().filter(move |(given, _)| *given == name);
        of_name.flat_map(|(_, values)| values).map(String::as_str)
    }

    /// The value that counts of a flag with one value.
    #[must_use]
    pub fn last(&self, name: &str) -> Option<&str> {
        self.all(name).last()
    }

    /// Names and values in the order given.
    pub fn in_order(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let values = self.values.iter();
        values.flat_map(|(name, values)| values.iter().map(|value| (*name, value.as_str())))
    }
}

/// Reads arguments (without the program's name and subcommand).
///
/// # Errors
/// [`FlagError`] about the first argument that is wrong.
pub fn given(specs: &[FlagSpec], arguments: &[String]) -> Result<ParsedFlags, FlagError> {
    let mut reading = FlagParser {
        specs,
        arguments,
        next: 0,
        given: ParsedFlags::default(),
    };
    while let Some(argument) = reading.take() {
        if argument == "--" {
            let rest = &arguments[reading.next..];
            reading.given.positionals.extend_from_slice(rest);
            break;
        } else if let Some(long) = argument.strip_prefix("--") {
            reading.long(long)?;
        } else if argument.len() > 1 && argument.starts_with('-') {
            reading.shorts(&argument[1..])?;
        } else {
            reading.given.positionals.push(argument.clone());
        }
        if reading.given.help {
            break;
        }
    }
    Ok(reading.given)
}

struct FlagParser<'a> {
    specs: &'a [FlagSpec],
    arguments: &'a [String],
    next: usize,
    given: ParsedFlags,
}

impl<'a> FlagParser<'a> {
    fn take(&mut self) -> Option<&'a String> {
        let argument = self.arguments.get(self.next);
        self.next += 1;
        argument
    }

    fn long(&mut self, argument: &str) -> Result<(), FlagError> {
        if argument.starts_with(['-', '=']) {
            return Err(FlagError::Syntax {
                argument: format!("--{argument}"),
            });
        }
        let (name, value) = match argument.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (argument, None),
        };
        let specs = self.specs;
        let Some(spec) = specs.iter().find(|spec| spec.name == name) else {
            if name == "help" {
                self.given.help = true;
                return Ok(());
            }
            return Err(FlagError::Unknown { name: name.into() });
        };
        let value = match (value, spec.bare) {
            (Some(value), _) | (None, Some(value)) => value,
            (None, None) => match self.take() {
                Some(value) => value,
                None => return Err(FlagError::MissingValue { flag: name.into() }),
            },
        };
        self.set(spec, value)
    }

    /// Letters behind one dash: switches, and at last perhaps one with a value.
    fn shorts(&mut self, letters: &str) -> Result<(), FlagError> {
        let specs = self.specs;
        let mut rest = letters;
        while let Some(short) = rest.chars().next() {
            let after = &rest[short.len_utf8()..];
            let Some(spec) = specs.iter().find(|spec| spec.short == Some(short)) else {
                if short == 'h' {
                    self.given.help = true;
                    return Ok(());
                }
                let rest = rest.to_owned();
                return Err(FlagError::UnknownShort { short, rest });
            };
            // A lone `=` behind a letter is no value.
            if let Some(value) = after.strip_prefix('=').filter(|value| !value.is_empty()) {
                return self.set(spec, value);
            }
            if let Some(bare) = spec.bare {
                self.set(spec, bare)?;
                rest = after;
                continue;
            }
            if !after.is_empty() {
                return self.set(spec, after);
            }
            let Some(value) = self.take() else {
                let rest = rest.to_owned();
                return Err(FlagError::MissingShortValue { short, rest });
            };
            return self.set(spec, value);
        }
        Ok(())
    }

    fn set(&mut self, spec: &FlagSpec, value: &str) -> Result<(), FlagError> {
        let checked = match spec.kind {
            FlagKind::Switch => parse_bool(value).map(|on| vec![on.to_string()]),
            FlagKind::Int => parse_int_any_base(value).map(|number| vec![number.to_string()]),
            FlagKind::Duration => parse_duration(value).map(|_| vec![value.to_owned()]),
            FlagKind::Text | FlagKind::Repeated => Ok(vec![value.to_owned()]),
            FlagKind::List => csv::parse(value),
        };
        let values = checked.map_err(|text| FlagError::Kind {
            flag: spec.shown(),
            value: value.to_owned(),
            text,
        })?;
        self.given.values.push((spec.name, values));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::TABLE;
    use super::*;
    use proptest::prelude::*;

    fn read(arguments: &[&str]) -> Result<ParsedFlags, String> {
        let arguments: Vec<String> = arguments.iter().map(|a| (*a).to_owned()).collect();
        given(&TABLE, &arguments).map_err(|error| error.to_string())
    }

    #[test]
    fn values_follow_in_every_way_there_is() {
        for arguments in [
            &["--vus=5"][..],
            &["--vus", "5"],
            &["-u5"],
            &["-u=5"],
            &["-u", "5"],
            &["-qwu5"],
            &["-qwu", "5"],
            &["-u", "4", "-u5"],
        ] {
            let given = read(arguments).unwrap();
            assert_eq!(given.last("vus"), Some("5"), "{arguments:?}");
        }
        let given = read(&["-qw=false", "s.js", "--http-debug", "-", "--", "-u"]).unwrap();
        assert_eq!(given.last("quiet"), Some("true"));
        assert_eq!(given.last("throw"), Some("false"));
        assert_eq!(given.last("http-debug"), Some("headers"));
        assert_eq!(given.positionals, ["s.js", "-", "-u"]);
    }

    #[test]
    fn a_value_may_look_like_a_flag() {
        let given = read(&["--duration", "-1s", "--user-agent", "--vus"]).unwrap();
        assert_eq!(given.last("duration"), Some("-1s"));
        assert_eq!(given.last("user-agent"), Some("--vus"));
        assert!(!given.has("vus"));
    }

    #[test]
    fn lists_are_split_and_repeated_texts_are_not() {
        let given = read(&["--system-tags", "a,b", "--system-tags=c", "--tag", "x=1,2"]).unwrap();
        assert_eq!(
            given.all("system-tags").collect::<Vec<_>>(),
            ["a", "b", "c"]
        );
        assert_eq!(given.all("tag").collect::<Vec<_>>(), ["x=1,2"]);
        let given = read(&["--system-tags", ""]).unwrap();
        assert!(given.has("system-tags"));
        assert_eq!(given.last("system-tags"), None);
    }

    #[test]
    fn mistakes_name_the_flag() {
        for (arguments, message) in [
            (&["--vus"][..], "flag needs an argument: --vus"),
            (&["-qu"], "flag needs an argument: 'u' in -u"),
            (&["-qz"], "unknown shorthand flag: 'z' in -z"),
            (&["--nope=1"], "unknown flag: --nope"),
            (&["---x"], "bad flag syntax: ---x"),
        ] {
            assert_eq!(read(arguments), Err(message.to_owned()));
        }
    }

    #[test]
    fn help_ends_the_reading() {
        assert!(read(&["-h", "--nope"]).unwrap().help);
        assert!(read(&["--help"]).unwrap().help);
    }

    proptest! {
        #[test]
        fn any_arguments_are_read_or_refused_without_a_panic(
            arguments in prop::collection::vec("(-{0,3}[a-z=é]{0,8}(=.{0,4})?|.{0,6})", 0..5)
        ) {
            let _ = given(&TABLE, &arguments);
        }
    }
}
