//! A YAML document as a tree in which everything has its place.

use saphyr_parser::{Event, Parser, ScalarStyle, StrInput};

/// How deeply a study file may be nested.
const DEEPEST: usize = 20;

/// Where something stands, from 1.
pub(super) type Place = (u32, u32);

/// A value and its place.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Node {
    pub(super) place: Place,
    pub(super) value: NodeValue,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum NodeValue {
    Null,
    Scalar(String),
    List(Vec<Node>),
    /// Keys with their places.
    Map(Vec<(String, Place, Node)>),
}

/// Why a document cannot be read.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Malformed {
    pub(super) place: Place,
    pub(super) reason: String,
}

/// Reads a document.
pub(super) fn parse(text: &str) -> Result<Node, Malformed> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = Reader {
        parser: Parser::new_from_str(text),
    };
    let mut root = None;
    loop {
        let (event, place) = reader.next()?;
        match event {
            Event::StreamEnd => break,
            Event::StreamStart | Event::DocumentStart(_) | Event::DocumentEnd | Event::Nothing => {}
            _ if root.is_some() => {
                let reason = "a second document".to_owned();
                return Err(Malformed { place, reason });
            }
            event => root = Some(reader.node(event, place, 0)?),
        }
    }
    Ok(root.unwrap_or(Node {
        place: (1, 1),
        value: NodeValue::Null,
    }))
}

struct Reader<'t> {
    parser: Parser<'t, StrInput<'t>>,
}

impl<'t> Reader<'t> {
    fn next(&mut self) -> Result<(Event<'t>, Place), Malformed> {
        let place = |line: usize, column: usize| {
            let number = |from: usize| u32::try_from(from).unwrap_or(u32::MAX);
            (number(line.max(1)), number(column + 1))
        };
        match self.parser.next_event() {
            Some(Ok((event, span))) => Ok((event, place(span.start.line(), span.start.col()))),
            Some(Err(error)) => Err(Malformed {
                place: place(error.marker().line(), error.marker().col()),
                reason: error.info().to_owned(),
            }),
            None => Ok((Event::StreamEnd, (1, 1))),
        }
    }

    fn node(&mut self, event: Event<'t>, place: Place, depth: usize) -> Result<Node, Malformed> {
        let fail = |reason: &str| Malformed {
            place,
            reason: reason.to_owned(),
        };
        if depth > DEEPEST {
            return Err(fail("nested too deeply"));
        }
        let value = match event {
            Event::Scalar(text, ScalarStyle::Plain, _, _)
                if matches!(&*text, "" | "~" | "null") =>
            {
                NodeValue::Null
            }
            Event::Scalar(text, ..) => NodeValue::Scalar(text.into_owned()),
            Event::SequenceStart(..) => self.list(depth)?,
            Event::MappingStart(..) => self.map(depth)?,
            Event::Alias(_) => return Err(fail("aliases are not used in study files")),
            _ => return Err(fail("unexpected")),
        };
        Ok(Node { place, value })
    }

    fn list(&mut self, depth: usize) -> Result<NodeValue, Malformed> {
        let mut items = Vec::new();
        loop {
            let (event, place) = self.next()?;
            if event == Event::SequenceEnd {
                return Ok(NodeValue::List(items));
            }
            items.push(self.node(event, place, depth + 1)?);
        }
    }

    fn map(&mut self, depth: usize) -> Result<NodeValue, Malformed> {
        let mut entries: Vec<(String, Place, Node)> = Vec::new();
        loop {
            let (event, place) = self.next()?;
            let key = match event {
                Event::MappingEnd => return Ok(NodeValue::Map(entries)),
                Event::Scalar(text, ..) => text.into_owned(),
                _ => {
                    let reason = "a key must be a word".to_owned();
                    return Err(Malformed { place, reason });
                }
            };
            if entries.iter().any(|(known, _, _)| *known == key) {
                let reason = format!("the key `{key}` is here twice");
                return Err(Malformed { place, reason });
            }
            let (event, at) = self.next()?;
            let value = self.node(event, at, depth + 1)?;
            entries.push((key, place, value));
        }
    }
}
