//! Counts the attributes of a tag before the tokenizer keeps them.
//!
//! html5ever compares each attribute of a tag with all before it, so a tag of 200,000 takes
//! minutes, and nobody can interrupt it. The text is therefore read from one `>` to the next, as
//! every tag ends at one, and what lies between is counted first where it is long enough to matter.

use super::{ATTRIBUTES_MAX, HtmlLimitError};

/// What the text up to here has begun and not ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Construct {
    #[default]
    None,
    Tag(Tag),
    /// A comment, a document type, or what is read as one.
    Other,
}

/// A tag, after these many attributes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tag {
    attributes: usize,
    place: Place,
}

/// Where in a tag: the states of the HTML standard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    TagName,
    BeforeName,
    Name,
    AfterName,
    BeforeValue,
    Quoted(u8),
    Unquoted,
}

/// Fewer bytes than these cannot hold too many attributes.
pub(super) const UNCOUNTED_BYTES_MAX: usize = 2 * ATTRIBUTES_MAX;

impl Construct {
    /// Reads text up to a `>` or to the end of the document. `is_raw`: it is a script or the like,
    /// where only an end tag is one.
    ///
    /// # Errors
    /// [`HtmlLimitError::Attributes`].
    pub(super) fn read(&mut self, text: &[u8], is_raw: bool) -> Result<(), HtmlLimitError> {
        let mut rest = text;
        if *self == Self::None {
            (*self, rest) = begin(text, is_raw);
        }
        match self {
            Self::None => {}
            // The end of a CDATA section is no token.
            Self::Other if text.ends_with(b"]]>") => *self = Self::None,
            Self::Other => {}
            Self::Tag(tag) => {
                if tag.read(rest)? {
                    *self = Self::None;
                }
            }
        }
        Ok(())
    }
}

/// The first construct that begins in `text`, and what follows its first letter.
fn begin(text: &[u8], is_raw: bool) -> (Construct, &[u8]) {
    let tag = Tag {
        attributes: 0,
        place: Place::TagName,
    };
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'<', rest) {
        rest = &rest[at + 1..];
        match rest {
            [b'/', first, ..] if first.is_ascii_alphabetic() => {
                return (Construct::Tag(tag), &rest[2..]);
            }
            _ if is_raw => {}
            [first, ..] if first.is_ascii_alphabetic() => return (Construct::Tag(tag), &rest[1..]),
            [b'/', b'>', ..] => {}
            [b'!' | b'?' | b'/', ..] => return (Construct::Other, rest),
            _ => {}
        }
    }
    (Construct::None, rest)
}

impl Tag {
    /// Whether the tag ends in `text`.
    fn read(&mut self, text: &[u8]) -> Result<bool, HtmlLimitError> {
        for &byte in text {
            if self.ends_at(byte) {
                return Ok(true);
            }
            if self.attributes > ATTRIBUTES_MAX {
                return Err(HtmlLimitError::Attributes);
            }
        }
        Ok(false)
    }

    fn ends_at(&mut self, byte: u8) -> bool {
        let is_space = matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c');
        self.place = match (self.place, byte) {
            (Place::Quoted(quote), _) if byte == quote => Place::BeforeName,
            (Place::Quoted(quote), _) => Place::Quoted(quote),
            (_, b'>') => return true,
            (Place::BeforeValue, b'"' | b'\'') => Place::Quoted(byte),
            (Place::BeforeValue, _) if is_space => Place::BeforeValue,
            (Place::BeforeValue, _) => Place::Unquoted,
            (Place::TagName | Place::Unquoted, _) if is_space => Place::BeforeName,
            (Place::Unquoted, _) => Place::Unquoted,
            (Place::Name | Place::AfterName, b'=') => Place::BeforeValue,
            (_, b'/') => Place::BeforeName,
            (Place::TagName, _) => Place::TagName,
            (Place::Name | Place::AfterName, _) if is_space => Place::AfterName,
            (Place::BeforeName, _) if is_space => Place::BeforeName,
            (Place::Name, _) => Place::Name,
            (Place::BeforeName | Place::AfterName, _) => {
                self.attributes += 1;
                Place::Name
            }
        };
        false
    }
}
