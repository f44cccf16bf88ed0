//! What bodies of answers have in common: which fields they have and of which kind, which words; never what stands in them.
//!
//! A sample of bodies shows that answers changed their content where status and size stay as they were: lists that are empty now,
//! numbers that are all zero, a text that tells of an error. What differs from body to body in healthy answers (ids, times, lengths
//! of lists, names) is not in it. [`BodyShape`] is one body, [`BodySample`] what several bodies of an endpoint add up to.

mod kinds;
mod shape;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

pub use kinds::FieldKinds;
use shape::ANY_MEMBER;
pub use shape::{BodyKind, BodyShape};

/// Different texts of a field that are told apart; a field with more has texts that vary.
const TEXTS_MAX: usize = 4;
/// Fields of an endpoint that are kept.
const FIELDS_MAX: usize = 400;
/// Words of an endpoint that are kept while it is sampled, ...
const WORDS_MAX: usize = 2000;
/// ... and those of them that are in this share of its texts in its record.
const COMMON_SHARE_MIN: f64 = 0.9;
/// An object with more members than this that not all bodies have is a table: its names are data.
const RARE_MEMBERS_MAX: usize = 24;
/// A member is rare that is in less than this share of the bodies.
const RARE_SHARE_MAX: f64 = 0.5;

/// What bodies of one endpoint had in common.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct BodySample {
    /// The method of its requests.
    pub method: String,
    /// Its name, or its address with ids left out.
    pub name: String,
    /// JSON documents, those that were cut included.
    pub json: u32,
    /// Of these, those of which only the beginning is known.
    pub cut: u32,
    /// Texts.
    pub texts: u32,
    /// Bodies of no byte.
    pub empty: u32,
    /// Anything else.
    pub binary: u32,
    /// What stands at each place of the JSON documents.
    pub fields: BTreeMap<String, FieldSample>,
    /// In how many texts a word is, by its fingerprint.
    pub words: BTreeMap<u16, u32>,
    /// The same of the names of elements.
    pub elements: BTreeMap<u16, u32>,
}

/// What stands at one place of JSON documents.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FieldSample {
    /// In how many bodies it is, by all the kinds that a body has there.
    pub kinds: BTreeMap<FieldKinds, u32>,
    /// Of these, those that were cut.
    #[serde(skip_serializing_if = "is_zero")]
    pub cut: u32,
    /// In how many bodies a text is the only one there, by its fingerprint.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub texts: BTreeMap<u16, u32>,
    /// There are more texts than are told apart, or such that vary by nature.
    #[serde(skip_serializing_if = "is_false")]
    pub is_varied: bool,
    /// Its members are data: bodies differ in them.
    #[serde(skip_serializing_if = "is_false")]
    pub is_table: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
const fn is_zero(count: &u32) -> bool {
    *count == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
const fn is_false(flag: &bool) -> bool {
    !*flag
}

impl FieldSample {
    /// In how many bodies it is.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.kinds.values().sum()
    }

    /// Whether a text is the only one there in some body, in any case; of texts that vary nothing is known.
    #[must_use]
    pub fn has_text(&self, text: &str) -> bool {
        let (lower, upper) = (text.to_lowercase(), text.to_uppercase());
        let first = upper.chars().take(1).chain(lower.chars().skip(1));
        let title: String = first.collect();
        let mut prints = [lower, upper, title]
            .into_iter()
            .filter_map(|text| words::print(&text));
        prints.any(|print| self.texts.contains_key(&print))
    }

    fn merge(&mut self, other: &Self) {
        for (kinds, count) in &other.kinds {
            *self.kinds.entry(*kinds).or_default() += count;
        }
        self.cut += other.cut;
        self.is_varied |= other.is_varied;
        self.is_table |= other.is_table;
        for (text, count) in &other.texts {
            *self.texts.entry(*text).or_default() += count;
        }
        self.limit_texts();
    }

    fn limit_texts(&mut self) {
        self.is_varied |= self.texts.len() > TEXTS_MAX;
        if self.is_varied {
            self.texts.clear();
        }
    }
}

impl BodySample {
    /// Bodies of any kind.
    #[must_use]
    pub const fn bodies(&self) -> u32 {
        self.json + self.texts + self.empty + self.binary
    }

    /// Takes one more body.
    pub fn add(&mut self, shape: &BodyShape) {
        match shape.kind {
            BodyKind::Json => {
                self.json += 1;
                self.cut += u32::from(shape.is_cut);
            }
            BodyKind::Text => self.texts += 1,
            BodyKind::Empty => self.empty += 1,
            BodyKind::Binary => self.binary += 1,
        }
        for (path, found) in &shape.fields {
            if self.fields.len() >= FIELDS_MAX && !self.fields.contains_key(path) {
                continue;
            }
            let field = self.fields.entry(path.clone()).or_default();
            *field.kinds.entry(found.kinds).or_default() += 1;
            field.cut += u32::from(shape.is_cut);
            match found.text {
                Some(text) => *field.texts.entry(text).or_default() += 1,
                None => field.is_varied |= found.is_varied,
            }
            field.limit_texts();
        }
        count(&mut self.words, &shape.words);
        count(&mut self.elements, &shape.elements);
    }

    /// Takes what is known of more bodies of the same endpoint.
    pub fn merge(&mut self, other: &Self) {
        self.json += other.json;
        self.cut += other.cut;
        self.texts += other.texts;
        self.empty += other.empty;
        self.binary += other.binary;
        for (path, field) in &other.fields {
            self.fields.entry(path.clone()).or_default().merge(field);
        }
        for (of, others) in [
            (&mut self.words, &other.words),
            (&mut self.elements, &other.elements),
        ] {
            for (print, count) in others {
                *of.entry(*print).or_default() += count;
            }
        }
    }

    /// What of it is kept: words that nearly all texts have, and no names that are data.
    #[must_use]
    pub fn common(mut self) -> Self {
        let least = COMMON_SHARE_MIN * f64::from(self.texts);
        let is_common = |_: &u16, count: &mut u32| f64::from(*count) >= least;
        self.words.retain(is_common);
        self.elements.retain(is_common);
        for table in self.tables() {
            let inside: Vec<String> = self
                .fields
                .keys()
                .filter(|path| {
                    let member = path.strip_prefix(&table);
                    member.is_some_and(|member| !member.starts_with(ANY_MEMBER))
                })
                .cloned()
                .collect();
            for path in inside {
                self.fields.remove(&path);
            }
            let of = table.trim_end_matches('.');
            if let Some(field) = self.fields.get_mut(of) {
                field.is_table = true;
            }
        }
        self
    }

    /// Objects in which bodies differ by many members: what all their members' places begin with.
    fn tables(&self) -> BTreeSet<String> {
        let most = RARE_SHARE_MAX * f64::from(self.json);
        let mut rare: BTreeMap<String, usize> = BTreeMap::new();
        for (path, field) in &self.fields {
            if f64::from(field.count()) < most
                && let Some((parent, _)) = path.rsplit_once('.')
            {
                *rare.entry(format!("{parent}.")).or_default() += 1;
            }
        }
        rare.retain(|_, members| *members > RARE_MEMBERS_MAX);
        rare.into_keys().collect()
    }

    /// Masks names by `masked`: those of fields are sent by the target.
    pub fn mask_names(&mut self, masked: impl Fn(&str) -> String) {
        self.name = masked(&self.name);
        let fields = std::mem::take(&mut self.fields);
        for (path, field) in fields {
            self.fields.entry(masked(&path)).or_default().merge(&field);
        }
    }
}

fn count(of: &mut BTreeMap<u16, u32>, prints: &BTreeSet<u16>) {
    for print in prints {
        if of.len() < WORDS_MAX || of.contains_key(print) {
            *of.entry(*print).or_default() += 1;
        }
    }
}

#[cfg(test)]
mod tests;
