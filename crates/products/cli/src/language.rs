//! The language of messages, as a command line asks for it.

use loadline_text::Lang;

/// Reads the value of `--lang`. The command line's library asks for a text; what people read is
/// made from the flag's name, in `launch::problems`.
pub(crate) fn parse(text: &str) -> Result<Lang, String> {
    Lang::of_tag(text).ok_or_else(|| "en, ko".to_owned())
}

/// The language of `--lang` anywhere in a command line, which may be wrong elsewhere.
pub(crate) fn typed(args: &[String]) -> Option<Lang> {
    let value = |(place, arg): (usize, &String)| match arg.strip_prefix("--lang") {
        Some("") => args.get(place + 1).cloned(),
        Some(rest) => rest.strip_prefix('=').map(str::to_owned),
        None => None,
    };
    let typed = args.iter().enumerate().find_map(value)?;
    Lang::of_tag(&typed)
}

/// Takes `--lang` off the front of a command line, where it stands before the command. One that
/// is wrong stays, for the command line's library to refuse.
pub(crate) fn take_leading(args: &mut Vec<String>) -> Option<Lang> {
    let words = match args.first()?.strip_prefix("--lang")? {
        "" => 2,
        value if value.starts_with('=') => 1,
        _ => return None,
    };
    let lang = typed(args.get(..words)?)?;
    args.drain(..words);
    Some(lang)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn a_language_before_the_command_is_taken_off() {
        for line in ["--lang ko run x.js", "--lang=ko run x.js"] {
            let mut args = words(line);
            assert_eq!(take_leading(&mut args), Some(Lang::Ko));
            assert_eq!(args, ["run", "x.js"]);
        }
    }

    #[test]
    fn a_wrong_language_and_one_that_follows_the_command_stay() {
        for line in [
            "--lang xx run",
            "--lang",
            "--language=ko run",
            "run --lang ko",
        ] {
            let mut args = words(line);
            assert_eq!(take_leading(&mut args), None);
            assert_eq!(args, words(line));
        }
    }
}
