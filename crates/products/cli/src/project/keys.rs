//! Keys of `loadline.yaml` that mean nothing, with the line in which they stand.

use loadline_units::{nearest, nearest_beginning};

/// Keys of the file.
const KEYS: [&str; 3] = ["shared", "notify", "observe"];
/// Keys of an entry of `shared`.
const KEYS_OF_SHARED: [&str; 4] = ["host", "hours", "days", "note"];
/// Keys that begin so are anybody's, as in other YAML files.
const OWN: &str = "x-";

/// A key that means nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UnknownKey {
    /// Its line, from 1.
    pub(crate) line: usize,
    /// As written.
    pub(crate) key: String,
    /// The one that was probably meant.
    pub(crate) similar: Option<&'static str>,
    /// What there is in that place.
    pub(crate) known: String,
}

/// The first key that means nothing, of those that stand on lines of their own.
pub(super) fn unknown(text: &str) -> Option<UnknownKey> {
    let mut top = "";
    for (line, number) in text.lines().zip(1..) {
        let Some(key) = key_of(line) else {
            continue;
        };
        let is_top = line.starts_with(key);
        if is_top {
            top = key;
        }
        let known: &[&'static str] = match top {
            _ if is_top => &KEYS,
            "shared" => &KEYS_OF_SHARED,
            _ => continue,
        };
        if known.contains(&key) || key.starts_with(OWN) {
            continue;
        }
        let similar = nearest(key, known.iter().copied());
        return Some(UnknownKey {
            line: number,
            key: key.to_owned(),
            similar: similar.or_else(|| nearest_beginning(key, known.iter().copied())),
            known: known.join(", "),
        });
    }
    None
}

/// The word before the colon of a line; none of comments, flows and texts.
fn key_of(line: &str) -> Option<&str> {
    let entry = line.trim_start();
    let entry = entry.strip_prefix("- ").unwrap_or(entry).trim_start();
    let (key, value) = entry.split_once(':')?;
    let is_word = !key.is_empty()
        && key
            .chars()
            .all(|sign| sign.is_alphanumeric() || matches!(sign, '-' | '_'));
    let is_key = value.is_empty() || value.starts_with([' ', '\t', '\r']);
    (is_word && is_key).then_some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seen: `shred:` was left out without a word, and its hosts were loaded.
    #[test]
    fn a_key_that_means_nothing_is_told_with_its_line_and_the_nearest_one() {
        let told = |text: &str| unknown(text).map(|one| (one.line, one.key, one.similar));
        let key = |line, key: &str, similar| Some((line, key.to_owned(), similar));
        assert_eq!(
            told("# a\nshred:\n  - host: a\n"),
            key(2, "shred", Some("shared"))
        );
        assert_eq!(
            told("shared:\n  - host: a\n    hour: 22:00-06:00\n"),
            key(3, "hour", Some("hours"))
        );
        assert_eq!(told("duration: 10s\n"), key(1, "duration", None));
        for fine in [
            "",
            "shared:\n  - host: a:80\n    note: team: search\nnotify: https://h/x\n",
            "observe:\n  - http://127.0.0.1:8080/metrics\n  - pid:1\n",
            "shared: [{ host: a }]\n",
            "x-team: search\n",
        ] {
            assert_eq!(told(fine), None, "{fine}");
        }
    }
}
