//! Words of texts and their fingerprints.
//!
//! A fingerprint tells two words apart and is too short to tell which word it is of.

use std::collections::BTreeSet;

use crate::redact::looks_secret;

/// Words of one text that are looked at.
const WORDS_MAX: usize = 400;
/// The longest text of a field that may be always the same, in bytes.
const SAME_TEXT_BYTES_MAX: usize = 200;
/// Words that change with the day.
const CALENDAR: [&str; 46] = [
    "mon",
    "tue",
    "wed",
    "thu",
    "fri",
    "sat",
    "sun",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "jan",
    "feb",
    "mar",
    "apr",
    "may",
    "jun",
    "jul",
    "aug",
    "sep",
    "sept",
    "oct",
    "nov",
    "dec",
    "january",
    "february",
    "march",
    "april",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "am",
    "pm",
    "오전",
    "오후",
    "utc",
    "gmt",
    "kst",
    "today",
];

fn hash(text: &str) -> u32 {
    // FNV-1a: the same in every program, which the standard library's is not.
    text.bytes().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

/// A word of letters; what holds a digit is a number, a time or an id.
fn is_word(word: &str) -> bool {
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    letters >= 2
        && !word.chars().any(char::is_numeric)
        && !CALENDAR.contains(&word)
        && !looks_secret(word)
}

/// Fingerprints of the words of a text.
pub(super) fn words(text: &str) -> BTreeSet<u16> {
    let all = text.split(|c: char| !(c.is_alphanumeric() || "_-.@".contains(c)));
    let words = all.map(str::to_lowercase).filter(|word| is_word(word));
    words
        .take(WORDS_MAX)
        .map(|word| short(hash(&word)))
        .collect()
}

/// The fingerprint of a text that may be the same in all bodies, such as `ok`; `None` of one with digits, a day's name or the looks
/// of a secret, which differs from run to run for no reason.
pub(super) fn print(text: &str) -> Option<u16> {
    let text = text.trim();
    let is_plain = text.len() <= SAME_TEXT_BYTES_MAX
        && !text.chars().any(char::is_numeric)
        && !looks_secret(text);
    let lower = text.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphabetic());
    let is_dated = words.any(|word| CALENDAR.contains(&word));
    (is_plain && !is_dated).then(|| short(hash(text)))
}

/// Names of elements of a page or of XML, and the text that is left without them.
pub(super) fn of_page(page: &str) -> (BTreeSet<u16>, String) {
    let (mut elements, mut text) = (BTreeSet::new(), String::new());
    let mut rest = page;
    while let Some((before, tag)) = rest.split_once('<') {
        text.push_str(before);
        text.push(' ');
        let name: String = tag
            .chars()
            .take_while(|c| c.is_alphanumeric() || ":_-".contains(*c))
            .flat_map(char::to_lowercase)
            .collect();
        let is_unread = name == "script" || name == "style";
        let end = if is_unread {
            let closing = format!("</{name}");
            tag.find(&closing).unwrap_or(tag.len())
        } else {
            tag.find('>').map_or(tag.len(), |at| at + 1)
        };
        if !name.is_empty() && !name.chars().any(char::is_numeric) && elements.len() < WORDS_MAX {
            elements.insert(short(hash(&name)));
        }
        rest = &tag[end..];
    }
    text.push_str(rest);
    (elements, text)
}

const fn short(hash: u32) -> u16 {
    let [a, b, c, d] = hash.to_be_bytes();
    u16::from_be_bytes([a ^ c, b ^ d])
}
