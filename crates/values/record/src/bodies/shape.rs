//! The shape of one body.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use loadline_units::PathPart;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::kinds::FieldKinds;
use super::words;
use crate::redact::is_secret_name;

/// Elements of a list that are looked at.
const ELEMENTS_MAX: usize = 64;
/// Levels that are looked into.
const DEPTH_MAX: usize = 8;
/// Members of an object that have names of their own.
const MEMBERS_MAX: usize = 60;
/// Fields of one body.
const FIELDS_MAX: usize = 250;
/// The longest name of a field, in characters; what is longer is no name.
const NAME_CHARS_MAX: usize = 40;
/// The place of the document itself.
const ROOT: &str = "$";
/// The name of a member whose name is data.
pub(super) const ANY_MEMBER: &str = "*";
/// Texts of fewer characters are not called blank.
const BLANK_CHARS_MIN: usize = 3;

/// What a body is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyKind {
    /// An object or a list of JSON.
    Json,
    /// Text, also of a page or XML.
    Text,
    /// No byte.
    Empty,
    /// Anything else.
    Binary,
}

/// The shape of one body.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyShape {
    pub(super) kind: BodyKind,
    /// Not all of it was looked at.
    pub(super) is_cut: bool,
    pub(super) fields: BTreeMap<String, FieldShape>,
    pub(super) words: BTreeSet<u16>,
    pub(super) elements: BTreeSet<u16>,
}

/// What stands at one place of a body.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct FieldShape {
    pub(super) kinds: FieldKinds,
    /// The fingerprint of the only text there.
    pub(super) text: Option<u16>,
    /// There are several texts, or one that varies by nature.
    pub(super) is_varied: bool,
}

impl BodyShape {
    /// The shape of a body, of which only the beginning may be known.
    #[must_use]
    pub fn new(body: &[u8], is_cut: bool) -> Self {
        let mut shape = Self {
            kind: BodyKind::Empty,
            is_cut,
            fields: BTreeMap::new(),
            words: BTreeSet::new(),
            elements: BTreeSet::new(),
        };
        let begins = body.iter().find(|byte| !byte.is_ascii_whitespace());
        match begins {
            None => return shape,
            Some(b'{' | b'[') if shape.take_json(body) => return shape,
            Some(_) => {}
        }
        match readable(body, is_cut) {
            Some(text) => shape.take_text(text),
            None => shape.kind = BodyKind::Binary,
        }
        shape
    }

    /// Whether it is JSON; what a cut one has up to its end counts.
    fn take_json(&mut self, body: &[u8]) -> bool {
        let mut walk = Walk {
            path: ROOT.to_owned(),
            fields: BTreeMap::new(),
            is_full: false,
        };
        let mut reader = serde_json::Deserializer::from_slice(body);
        let place = Place {
            walk: &mut walk,
            depth: 0,
            is_secret: false,
        };
        let is_read = match place.deserialize(&mut reader) {
            Ok(()) => true,
            Err(error) => self.is_cut && error.is_eof(),
        };
        if is_read {
            self.kind = BodyKind::Json;
            self.is_cut |= walk.is_full;
            self.fields = walk.fields;
        }
        is_read
    }

    fn take_text(&mut self, text: &str) {
        self.kind = BodyKind::Text;
        if text.trim_start().starts_with('<') {
            let (elements, text) = words::of_page(text);
            self.elements = elements;
            self.words = words::words(&text);
        } else {
            self.words = words::words(text);
        }
    }
}

/// The body as text; its last character may be cut.
fn readable(body: &[u8], is_cut: bool) -> Option<&str> {
    let text = match std::str::from_utf8(body) {
        Ok(text) => text,
        Err(error) if is_cut && error.error_len().is_none() => {
            std::str::from_utf8(&body[..error.valid_up_to()]).ok()?
        }
        Err(_) => return None,
    };
    (!text.contains('\0')).then_some(text)
}

/// A walk through a document.
struct Walk {
    path: String,
    fields: BTreeMap<String, FieldShape>,
    /// There are more fields than are looked at.
    is_full: bool,
}

impl Walk {
    fn found(&mut self, kinds: FieldKinds) -> Option<&mut FieldShape> {
        if self.fields.len() >= FIELDS_MAX && !self.fields.contains_key(&self.path) {
            self.is_full = true;
            return None;
        }
        let field = self.fields.entry(self.path.clone()).or_default();
        field.kinds = field.kinds.and(kinds);
        Some(field)
    }

    fn found_text(&mut self, text: &str, is_secret: bool) {
        let print = words::print(text).filter(|_| !is_secret);
        let Some(field) = self.found(kinds_of(text)) else {
            return;
        };
        let is_same = field.text.is_none() || field.text == print;
        field.is_varied |= print.is_none() || !is_same;
        field.text = print.filter(|_| !field.is_varied);
    }
}

fn kinds_of(text: &str) -> FieldKinds {
    let mut chars = text.chars();
    let Some(first) = chars.next() else {
        return FieldKinds::EMPTY_TEXT;
    };
    let is_long = text.chars().count() >= BLANK_CHARS_MIN;
    let is_blank = text.trim().is_empty() || is_long && chars.all(|c| c == first);
    if is_blank {
        FieldKinds::BLANK_TEXT
    } else {
        FieldKinds::TEXT
    }
}

/// A place of a document that is read next.
struct Place<'w> {
    walk: &'w mut Walk,
    depth: usize,
    /// It stands under a secret's name.
    is_secret: bool,
}

impl Place<'_> {
    fn found_number(self, is_zero: bool) {
        let kinds = if is_zero {
            FieldKinds::ZERO
        } else {
            FieldKinds::NUMBER
        };
        self.walk.found(kinds);
    }
}

impl<'de> DeserializeSeed<'de> for Place<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Place<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.walk.found(FieldKinds::NULL);
        Ok(())
    }

    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        let kinds = if value {
            FieldKinds::TRUE
        } else {
            FieldKinds::FALSE
        };
        self.walk.found(kinds);
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        // Only negative numbers come here.
        self.walk.found(FieldKinds::NUMBER);
        Ok(())
    }

    fn visit_u64<E>(self, value: u64) -> Result<(), E> {
        self.found_number(value == 0);
        Ok(())
    }

    fn visit_f64<E>(self, value: f64) -> Result<(), E> {
        self.found_number(value.abs() <= 0.0);
        Ok(())
    }

    fn visit_str<E>(self, value: &str) -> Result<(), E> {
        self.walk.found_text(value, self.is_secret);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let Self {
            walk,
            depth,
            is_secret,
        } = self;
        let length = walk.path.len();
        walk.path.push_str("[]");
        let mut elements = 0;
        let read = loop {
            let element = if elements < ELEMENTS_MAX && depth < DEPTH_MAX {
                list.next_element_seed(Place {
                    walk,
                    depth: depth + 1,
                    is_secret,
                })
            } else {
                list.next_element::<IgnoredAny>()
                    .map(|element| element.map(drop))
            };
            match element {
                Ok(Some(())) => elements += 1,
                Ok(None) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        walk.path.truncate(length);
        // Of a list that is cut before its first element nothing is known.
        if elements > 0 {
            walk.found(FieldKinds::LIST);
        } else if read.is_ok() {
            walk.found(FieldKinds::EMPTY_LIST);
        }
        read
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        let Self {
            walk,
            depth,
            is_secret,
        } = self;
        let length = walk.path.len();
        let mut members = 0;
        let read = loop {
            let name = match object.next_key::<Cow<'_, str>>() {
                Ok(Some(name)) => name,
                Ok(None) => break Ok(()),
                Err(error) => break Err(error),
            };
            members += 1;
            let is_name = members <= MEMBERS_MAX && is_name(&name);
            walk.path.push('.');
            walk.path.push_str(if is_name { &name } else { ANY_MEMBER });
            let value = if depth < DEPTH_MAX {
                object.next_value_seed(Place {
                    walk,
                    depth: depth + 1,
                    is_secret: is_secret || is_secret_name(&name),
                })
            } else {
                object.next_value::<IgnoredAny>().map(drop)
            };
            walk.path.truncate(length);
            if let Err(error) = value {
                break Err(error);
            }
        };
        if members > 0 {
            walk.found(FieldKinds::OBJECT);
        } else if read.is_ok() {
            walk.found(FieldKinds::EMPTY_OBJECT);
        }
        read
    }
}

/// Whether it is a name that a developer gave, and no data such as an id or an address.
fn is_name(name: &str) -> bool {
    let is_letter = |c: char| c.is_alphanumeric() || "_-$:.".contains(c);
    !name.is_empty()
        && name.chars().count() <= NAME_CHARS_MAX
        && name.chars().all(is_letter)
        && PathPart::new(name.as_bytes()) == PathPart::Name
}
