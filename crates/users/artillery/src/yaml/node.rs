//! A document's values and their positions.

use crate::phrase::Phrase;
use std::fmt;

use serde_json::Value;

/// A position in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash)]
pub struct Mark {
    /// The file's number.
    pub file: u16,
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
}

impl Mark {
    /// Makes a position from a parser's: `line` counts from 1, `column` from 0.
    #[must_use]
    pub fn new(file: u16, line: usize, column: usize) -> Self {
        Self {
            file,
            line: u32::try_from(line.max(1)).unwrap_or(u32::MAX),
            column: u32::try_from(column + 1).unwrap_or(u32::MAX),
        }
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// A value and its position.
#[derive(Debug, Clone, PartialEq)]
pub struct YamlNode {
    /// Where it begins.
    pub mark: Mark,
    /// The value.
    pub value: Yaml,
}

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub enum Yaml {
    /// `null`, `~` or empty.
    Null,
    /// `true`, `false`.
    Bool(bool),
    /// A number; JavaScript has one kind.
    Number(f64),
    /// A text.
    Text(String),
    /// A date or a time in UTC, as JSON has it.
    Date(String),
    /// A list.
    List(Vec<YamlNode>),
    /// A map; its keys are texts.
    Map(YamlMap),
}

/// A key with its position, and its value.
#[derive(Debug, Clone, PartialEq)]
pub struct YamlEntry {
    /// The key.
    pub key: String,
    /// The key's position.
    pub key_mark: Mark,
    /// The value.
    pub value: YamlNode,
}

/// Entries in the order they are written.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct YamlMap {
    entries: Vec<YamlEntry>,
    /// The index of each key, once there are many.
    places: rustc_hash::FxHashMap<String, usize>,
}

/// Up to this many entries are searched one by one.
const LINEAR_SEARCH_ENTRIES_MAX: usize = 16;

impl YamlMap {
    /// The entries in order.
    #[must_use]
    pub fn entries(&self) -> &[YamlEntry] {
        &self.entries
    }

    /// The entries in order, to change their values.
    pub fn entries_mut(&mut self) -> impl Iterator<Item = &mut YamlEntry> {
        self.entries.iter_mut()
    }

    /// The entries in order.
    #[must_use]
    pub fn into_entries(self) -> Vec<YamlEntry> {
        self.entries
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    fn place(&self, key: &str) -> Option<usize> {
        if self.entries.len() <= LINEAR_SEARCH_ENTRIES_MAX {
            return self.entries.iter().position(|entry| entry.key == key);
        }
        self.places.get(key).copied()
    }

    /// The entry of a key.
    #[must_use]
    pub fn entry(&self, key: &str) -> Option<&YamlEntry> {
        self.place(key).map(|at| &self.entries[at])
    }

    /// The value of a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&YamlNode> {
        self.entry(key).map(|entry| &entry.value)
    }

    /// The value of a key, to change.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut YamlNode> {
        let at = self.place(key)?;
        Some(&mut self.entries[at].value)
    }

    /// Adds a key unless it exists; returns whether it was added.
    pub fn insert_new(&mut self, key: String, key_mark: Mark, value: YamlNode) -> bool {
        if self.place(&key).is_some() {
            return false;
        }
        self.entries.push(YamlEntry {
            key,
            key_mark,
            value,
        });
        let count = self.entries.len();
        if count > LINEAR_SEARCH_ENTRIES_MAX {
            // The first time it indexes all entries, later only the new one.
            let first = if count == LINEAR_SEARCH_ENTRIES_MAX + 1 {
                0
            } else {
                count - 1
            };
            for (at, entry) in self.entries.iter().enumerate().skip(first) {
                self.places.insert(entry.key.clone(), at);
            }
        }
        true
    }

    /// Sets a key; replaces its value if it exists.
    pub fn set(&mut self, key: &str, value: YamlNode) {
        match self.place(key) {
            Some(at) => self.entries[at].value = value,
            None => {
                let mark = value.mark;
                self.insert_new(key.to_owned(), mark, value);
            }
        }
    }
}

impl YamlNode {
    /// Converts a JSON value; all nodes get the same position.
    #[must_use]
    pub fn of_json(value: &Value, mark: Mark) -> Self {
        let value = match value {
            Value::Null => Yaml::Null,
            Value::Bool(flag) => Yaml::Bool(*flag),
            Value::Number(number) => Yaml::Number(number.as_f64().unwrap_or(f64::NAN)),
            Value::String(text) => Yaml::Text(text.clone()),
            Value::Array(items) => {
                Yaml::List(items.iter().map(|item| Self::of_json(item, mark)).collect())
            }
            Value::Object(entries) => {
                let mut map = YamlMap::default();
                for (key, value) in entries {
                    map.insert_new(key.clone(), mark, Self::of_json(value, mark));
                }
                Yaml::Map(map)
            }
        };
        Self { mark, value }
    }

    /// The value as JSON. A number that JSON cannot represent becomes null.
    #[must_use]
    pub fn to_json(&self) -> Value {
        match &self.value {
            Yaml::Null => Value::Null,
            Yaml::Bool(flag) => Value::Bool(*flag),
            Yaml::Number(number) => crate::text::json_number(*number),
            Yaml::Text(text) | Yaml::Date(text) => Value::String(text.clone()),
            Yaml::List(items) => Value::Array(items.iter().map(Self::to_json).collect()),
            Yaml::Map(map) => Value::Object(
                map.entries()
                    .iter()
                    .map(|entry| (entry.key.clone(), entry.value.to_json()))
                    .collect(),
            ),
        }
    }

    /// Its map, if it is one.
    #[must_use]
    pub fn as_map(&self) -> Option<&YamlMap> {
        match &self.value {
            Yaml::Map(map) => Some(map),
            _ => None,
        }
    }

    /// Its list, if it is one.
    #[must_use]
    pub fn as_list(&self) -> Option<&[YamlNode]> {
        match &self.value {
            Yaml::List(items) => Some(items),
            _ => None,
        }
    }

    /// Its text, if it is one.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match &self.value {
            Yaml::Text(text) | Yaml::Date(text) => Some(text),
            _ => None,
        }
    }

    /// The value of a key, if it is a map that has it.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&YamlNode> {
        self.as_map()?.get(key)
    }

    /// Its type, for errors.
    #[must_use]
    pub const fn kind(&self) -> Phrase {
        match &self.value {
            Yaml::Null => Phrase::Nothing,
            Yaml::Bool(_) => Phrase::Boolean,
            Yaml::Number(_) => Phrase::Number,
            Yaml::Text(_) | Yaml::Date(_) => Phrase::Text,
            Yaml::List(_) => Phrase::List,
            Yaml::Map(_) => Phrase::Map,
        }
    }
}
