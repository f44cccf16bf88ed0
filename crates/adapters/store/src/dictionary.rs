//! Definitions of series as bytes. Each is written once, when the series first appears.

use loadline_metrics::{Kind, Origin, ValueType};
use loadline_units::Time;

use crate::blob_error::BlobError;
use crate::varint::{self, Reader};

/// What a series is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeriesDef {
    /// Its metric's name.
    pub metric: String,
    /// The kind of its metric, which says how samples are combined.
    pub kind: Kind,
    /// The unit of its values: times, bytes, or neither.
    pub contains: ValueType,
    /// Who declared it.
    pub origin: Origin,
    /// When its first sample came, on the run's clock.
    pub since: Time,
    /// Keys and values, ordered by key, without secrets.
    pub tags: Vec<(String, String)>,
}

const KINDS: [Kind; 4] = [Kind::Counter, Kind::Gauge, Kind::Rate, Kind::Trend];
const CONTENTS: [ValueType; 3] = [ValueType::Default, ValueType::Time, ValueType::Data];
const ORIGINS: [Origin; 3] = [Origin::K6, Origin::Loadline, Origin::Test];

/// Definitions one after another.
pub(crate) fn encode(definitions: &[SeriesDef]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for def in definitions {
        varint::put_text(&mut bytes, &def.metric);
        bytes.push(place(&KINDS, &def.kind));
        bytes.push(place(&CONTENTS, &def.contains));
        bytes.push(place(&ORIGINS, &def.origin));
        varint::put(&mut bytes, def.since.as_nanos());
        varint::put(&mut bytes, def.tags.len() as u64);
        for (key, value) in &def.tags {
            varint::put_text(&mut bytes, key);
            varint::put_text(&mut bytes, value);
        }
    }
    bytes
}

/// The inverse of [`encode`].
///
/// # Errors
/// [`BlobError`].
pub(crate) fn decode(bytes: &[u8]) -> Result<Vec<SeriesDef>, BlobError> {
    let mut reader = Reader::new(bytes);
    let mut definitions = Vec::new();
    while !reader.is_empty() {
        let metric = reader.text()?.to_owned();
        let (kind, contains, origin) = (reader.byte()?, reader.byte()?, reader.byte()?);
        let since = Time::from_nanos(reader.number()?);
        let mut tags = Vec::new();
        for _ in 0..reader.count()? {
            tags.push((reader.text()?.to_owned(), reader.text()?.to_owned()));
        }
        definitions.push(SeriesDef {
            metric,
            kind: at(&KINDS, kind)?,
            contains: at(&CONTENTS, contains)?,
            origin: at(&ORIGINS, origin)?,
            since,
            tags,
        });
    }
    Ok(definitions)
}

/// The place of a value in a table. Stored files hold these places, so a table may only grow at
/// its end.
pub(crate) fn place<T: PartialEq>(table: &[T], value: &T) -> u8 {
    let place = table.iter().position(|known| known == value);
    let place = place.expect("the table lists every value");
    u8::try_from(place).expect("a few values")
}

pub(crate) fn at<T: Copy>(table: &[T], place: u8) -> Result<T, BlobError> {
    table
        .get(usize::from(place))
        .copied()
        .ok_or(BlobError::Content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_come_back() {
        let def = |metric: &str, kind, contains, origin| SeriesDef {
            metric: metric.to_owned(),
            kind,
            contains,
            origin,
            since: Time::from_nanos(123_456_789),
            tags: vec![
                ("name".to_owned(), "주문".to_owned()),
                ("x".to_owned(), String::new()),
            ],
        };
        let all = [
            def("a", Kind::Counter, ValueType::Default, Origin::K6),
            def("b", Kind::Gauge, ValueType::Time, Origin::Loadline),
            def("c", Kind::Rate, ValueType::Data, Origin::Test),
            def("d", Kind::Trend, ValueType::Time, Origin::K6),
        ];
        let bytes = encode(&all);
        assert_eq!(decode(&bytes).unwrap(), all);
        assert_eq!(decode(&bytes[..bytes.len() - 1]), Err(BlobError::Short));
    }
}
