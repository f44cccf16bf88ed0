//! Header fields, stored as ranges of the bytes they came in.

use crate::syntax::list_has;

/// A half-open range of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct ByteRange {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl ByteRange {
    pub(crate) const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }
}

/// The position of a field in the head's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FieldSpan {
    pub(crate) name: ByteRange,
    pub(crate) value: ByteRange,
}

/// What lies there within `bytes`.
pub(crate) fn slice(bytes: &[u8], range: ByteRange) -> &[u8] {
    &bytes[range.start as usize..range.end as usize]
}

/// The fields of a header or trailer section, in the order received. Nothing is looked up or
/// copied before it is asked for.
#[derive(Debug, Clone, Copy)]
pub struct HeaderFields<'a> {
    bytes: &'a [u8],
    spans: &'a [FieldSpan],
}

impl<'a> HeaderFields<'a> {
    pub(crate) fn new(bytes: &'a [u8], spans: &'a [FieldSpan]) -> Self {
        Self { bytes, spans }
    }

    /// The number of fields; a name that came twice counts twice.
    #[must_use]
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// The value of the first field with this name; case is ignored.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&'a [u8]> {
        self.get_all(name).next()
    }

    /// The values of all fields with this name; case is ignored.
    pub fn get_all<'n>(&self, name: &'n str) -> impl Iterator<Item = &'a [u8]> + use<'a, 'n> {
        let bytes = self.bytes;
        self.spans
            .iter()
            .filter(move |span| slice(bytes, span.name).eq_ignore_ascii_case(name.as_bytes()))
            .map(move |span| slice(bytes, span.value))
    }

    /// Whether a field with this name lists `token`; case is ignored in both.
    #[must_use]
    pub fn has_token(&self, name: &str, token: &str) -> bool {
        self.get_all(name)
            .any(|value| list_has(value, token.as_bytes()))
    }

    /// Name and value of each field.
    #[must_use]
    pub fn iter(&self) -> HeaderFieldsIter<'a> {
        HeaderFieldsIter {
            bytes: self.bytes,
            spans: self.spans.iter(),
        }
    }
}

impl<'a> IntoIterator for HeaderFields<'a> {
    type Item = (&'a str, &'a [u8]);
    type IntoIter = HeaderFieldsIter<'a>;

    fn into_iter(self) -> HeaderFieldsIter<'a> {
        self.iter()
    }
}

/// Iterates over [`HeaderFields`].
#[derive(Debug, Clone)]
pub struct HeaderFieldsIter<'a> {
    bytes: &'a [u8],
    spans: std::slice::Iter<'a, FieldSpan>,
}

impl<'a> Iterator for HeaderFieldsIter<'a> {
    type Item = (&'a str, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let span = self.spans.next()?;
        let name = std::str::from_utf8(slice(self.bytes, span.name))
            .expect("a field name was checked to be a token");
        Some((name, slice(self.bytes, span.value)))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.spans.size_hint()
    }
}

impl ExactSizeIterator for HeaderFieldsIter<'_> {}
