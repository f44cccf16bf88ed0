//! Reads the members of a map, and finds the names that mean nothing.

use std::time::Duration;

use loadline_text::{Message, tune};
use loadline_units::{halfwidth, nearest, parse_duration};

use super::StudyMistake;
use super::tree::{Node, NodeValue, Place};
use super::words::words;

/// All mistakes found so far.
#[derive(Debug, Default)]
pub(super) struct Mistakes {
    pub(super) all: Vec<StudyMistake>,
    /// Names that mean nothing, with the name that was probably meant, by their places.
    pub(super) misspelt: Vec<(Place, &'static str)>,
}

impl Mistakes {
    pub(super) fn add(&mut self, (line, column): Place, what: Message) {
        self.all.push(StudyMistake { line, column, what });
    }
}

/// The members of one map.
pub(super) struct Fields<'n> {
    place: Place,
    entries: &'n [(String, Place, Node)],
    known: Vec<&'static str>,
}

impl<'n> Fields<'n> {
    /// The members of `node`, which must be a map.
    pub(super) fn from_map(node: &'n Node, mistakes: &mut Mistakes) -> Option<Self> {
        match &node.value {
            NodeValue::Map(entries) => Some(Self {
                place: node.place,
                entries,
                known: Vec::new(),
            }),
            _ => {
                mistakes.add(node.place, tune::mistake_no_map());
                None
            }
        }
    }

    pub(super) const fn place(&self) -> Place {
        self.place
    }

    /// Where a member stands; the map's own place if it is not there.
    pub(super) fn place_of(&self, key: &str) -> Place {
        let entry = self.entries.iter().find(|(name, _, _)| name == key);
        entry.map_or(self.place, |(_, _, node)| node.place)
    }

    /// A member, if it is there and not empty.
    pub(super) fn get(&mut self, key: &'static str) -> Option<&'n Node> {
        self.known.push(key);
        let entry = self.entries.iter().find(|(name, _, _)| name == key);
        entry
            .map(|(_, _, node)| node)
            .filter(|node| node.value != NodeValue::Null)
    }

    /// A member that must be there.
    pub(super) fn required(
        &mut self,
        key: &'static str,
        mistakes: &mut Mistakes,
    ) -> Option<&'n Node> {
        let node = self.get(key);
        if node.is_none() {
            mistakes.add(self.place, tune::mistake_missing(key));
        }
        node
    }

    pub(super) fn text(&mut self, key: &'static str, mistakes: &mut Mistakes) -> Option<&'n str> {
        let node = self.get(key)?;
        scalar(key, node, mistakes)
    }

    pub(super) fn flag(&mut self, key: &'static str, mistakes: &mut Mistakes) -> Option<bool> {
        let node = self.get(key)?;
        match scalar(key, node, mistakes)? {
            "true" => Some(true),
            "false" => Some(false),
            other => {
                mistakes.add(node.place, tune::mistake_choice(key, other, "true, false"));
                None
            }
        }
    }

    pub(super) fn time(
        &mut self,
        key: &'static str,
        usual: Duration,
        mistakes: &mut Mistakes,
    ) -> Duration {
        let Some(node) = self.get(key) else {
            return usual;
        };
        let Some(text) = scalar(key, node, mistakes) else {
            return usual;
        };
        let text = &*halfwidth(text);
        let has_unit = text.bytes().any(|byte| byte.is_ascii_alphabetic()) || text == "0";
        match parse_duration(text).ok().filter(|_| has_unit) {
            Some(time) => time,
            None => {
                mistakes.add(node.place, tune::mistake_time(key, text));
                usual
            }
        }
    }

    /// A time that may not be zero.
    pub(super) fn time_above_zero(
        &mut self,
        key: &'static str,
        usual: Duration,
        mistakes: &mut Mistakes,
    ) -> Duration {
        let time = self.time(key, usual, mistakes);
        if time.is_zero() {
            mistakes.add(self.place_of(key), tune::mistake_above(key, "0s", "0s"));
        }
        time
    }

    pub(super) fn number(&mut self, key: &'static str, mistakes: &mut Mistakes) -> Option<f64> {
        let node = self.get(key)?;
        let text = scalar(key, node, mistakes)?;
        let number = halfwidth(text)
            .replace('_', "")
            .parse::<f64>()
            .ok()
            .filter(|number| number.is_finite());
        if number.is_none() {
            mistakes.add(node.place, tune::mistake_number(key, text));
        }
        number
    }

    /// A command: a text of words, or a list of them.
    pub(super) fn command(
        &mut self,
        key: &'static str,
        mistakes: &mut Mistakes,
    ) -> Option<Vec<String>> {
        let node = self.get(key)?;
        command(key, node, mistakes)
    }

    /// Tells the names that mean nothing.
    pub(super) fn finish(self, mistakes: &mut Mistakes) {
        for (name, place, _) in self.entries {
            if self.known.contains(&name.as_str()) {
                continue;
            }
            let similar = nearest(name, self.known.iter().copied());
            mistakes
                .misspelt
                .extend(similar.map(|similar| (*place, similar)));
            mistakes.add(
                *place,
                match similar {
                    Some(similar) => tune::mistake_key_misspelt(name, similar),
                    None => tune::mistake_key(name, self.known.join(", ")),
                },
            );
        }
    }
}

pub(super) fn scalar<'n>(key: &str, node: &'n Node, mistakes: &mut Mistakes) -> Option<&'n str> {
    match &node.value {
        NodeValue::Scalar(text) => Some(text),
        _ => {
            mistakes.add(node.place, tune::mistake_no_text(key));
            None
        }
    }
}

pub(super) fn command(key: &str, node: &Node, mistakes: &mut Mistakes) -> Option<Vec<String>> {
    let found = command_words(node);
    if found.is_none() {
        mistakes.add(node.place, tune::mistake_command(key));
    }
    found
}

/// The words of a command, written as a text or as a list; there is at least one.
pub(super) fn command_words(node: &Node) -> Option<Vec<String>> {
    let found: Option<Vec<String>> = match &node.value {
        NodeValue::Scalar(text) => words(text),
        NodeValue::List(items) => {
            let word = |item: &Node| match &item.value {
                NodeValue::Scalar(text) => Some(text.clone()),
                _ => None,
            };
            items.iter().map(word).collect()
        }
        _ => None,
    };
    found.filter(|words| !words.is_empty())
}

pub(super) fn is_url(text: &str) -> bool {
    text.starts_with("http://") || text.starts_with("https://")
}
