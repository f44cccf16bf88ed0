//! The store behind the chained pair: each deer id may be used once.

use serde::Deserialize;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// An id as tests send it: a number, or text of at most 64 bytes.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Deserialize)]
#[serde(try_from = "Written")]
pub(crate) struct Id(String);

#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Number(u64),
    Text(String),
}

impl TryFrom<Written> for Id {
    type Error = &'static str;

    fn try_from(written: Written) -> Result<Self, Self::Error> {
        let text = match written {
            Written::Number(number) => number.to_string(),
            Written::Text(text) => text,
        };
        if (1..=64).contains(&text.len()) {
            Ok(Self(text))
        } else {
            Err("an id has 1 to 64 bytes")
        }
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What `POST /deers` takes.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Deer {
    pub(crate) user_id: Id,
    pub(crate) deer_id: Id,
    /// Any JSON value: the teams' files send numbers, texts and objects.
    #[serde(default)]
    pub(crate) data: serde_json::Value,
}

/// What became of a deer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stored {
    Added,
    Duplicate,
    Full,
}

/// All deers, by id.
#[derive(Debug, Default)]
pub(crate) struct Deers {
    by_id: Mutex<HashMap<Id, (Id, serde_json::Value)>>,
}

impl Deers {
    pub(crate) fn add(&self, deer: Deer, kept_max: usize) -> Stored {
        let mut by_id = self.locked();
        let full = by_id.len() >= kept_max;
        match by_id.entry(deer.deer_id) {
            Entry::Occupied(_) => Stored::Duplicate,
            Entry::Vacant(_) if full => Stored::Full,
            Entry::Vacant(place) => {
                place.insert((deer.user_id, deer.data));
                Stored::Added
            }
        }
    }

    /// The data of `deer`, if it belongs to `user`.
    pub(crate) fn data(&self, user: &Id, deer: &Id) -> Option<serde_json::Value> {
        let by_id = self.locked();
        let (owner, data) = by_id.get(deer)?;
        (owner == user).then(|| data.clone())
    }

    pub(crate) fn count(&self) -> usize {
        self.locked().len()
    }

    pub(crate) fn clear(&self) {
        *self.locked() = HashMap::new();
    }

    fn locked(&self) -> MutexGuard<'_, HashMap<Id, (Id, serde_json::Value)>> {
        // Each change is one call on the map, so it is whole even after a panic elsewhere.
        self.by_id.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::{Deer, Deers, Id, Stored};
    use serde_json::json;

    fn id(text: &str) -> Id {
        serde_json::from_value(json!(text)).unwrap()
    }

    fn deer(user: &str, deer: &str) -> Deer {
        Deer {
            user_id: id(user),
            deer_id: id(deer),
            data: json!(format!("of {user}")),
        }
    }

    /// The teams' files send numbers as data.
    #[test]
    fn data_is_any_json_value() {
        for data in [json!(17), json!("text"), json!({"a": [1]}), json!(null)] {
            let body = json!({"userId": 1, "deerId": "7", "data": data});
            let deer: Deer = serde_json::from_value(body).unwrap();
            let deers = Deers::default();
            deers.add(deer, 10);
            assert_eq!(deers.data(&id("1"), &id("7")), Some(data));
        }
    }

    #[test]
    fn a_deer_id_is_used_once_and_belongs_to_its_user() {
        let deers = Deers::default();

        assert_eq!(deers.add(deer("1", "7"), 10), Stored::Added);
        assert_eq!(deers.add(deer("2", "7"), 10), Stored::Duplicate);

        assert_eq!(deers.data(&id("1"), &id("7")), Some(json!("of 1")));
        assert_eq!(deers.data(&id("2"), &id("7")), None);
        assert_eq!(deers.data(&id("1"), &id("8")), None);
    }

    #[test]
    fn a_full_store_takes_no_more_but_still_knows_duplicates() {
        let deers = Deers::default();
        deers.add(deer("1", "7"), 1);

        assert_eq!(deers.add(deer("1", "8"), 1), Stored::Full);
        assert_eq!(deers.add(deer("1", "7"), 1), Stored::Duplicate);
        assert_eq!(deers.count(), 1);
        deers.clear();
        assert_eq!(deers.add(deer("1", "8"), 1), Stored::Added);
    }

    #[test]
    fn numbers_and_text_name_the_same_id() {
        let number: Id = serde_json::from_value(json!(42)).unwrap();
        assert_eq!(number, id("42"));
        for wrong in [json!(""), json!("x".repeat(65)), json!(-1), json!(null)] {
            assert!(serde_json::from_value::<Id>(wrong).is_err());
        }
    }
}
