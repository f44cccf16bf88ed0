//! A YAML document as a tree in which everything has its place.

use std::collections::HashSet;

use loadline_text::{Message, tune};
use saphyr_parser::{Event, Parser, ScalarStyle, StrInput};

/// How deeply a study file may be nested.
const DEPTH_MAX: usize = 20;

/// Where something stands, from 1.
pub(super) type Place = (u32, u32);

/// A value and its place.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Node {
    pub(super) place: Place,
    pub(super) value: NodeValue,
}

impl Node {
    /// Gives the name that stands at `place` the one that was meant; where its map has that, too, it
    /// is left out.
    pub(super) fn rename(&mut self, place: Place, meant: &str) {
        match &mut self.value {
            NodeValue::Map(entries) => {
                let has_meant = entries.iter().any(|(name, ..)| name == meant);
                entries.retain(|(_, at, _)| !has_meant || *at != place);
                for (name, at, node) in entries {
                    if *at == place {
                        meant.clone_into(name);
                    }
                    node.rename(place, meant);
                }
            }
            NodeValue::List(items) => {
                for item in items {
                    item.rename(place, meant);
                }
            }
            NodeValue::Null | NodeValue::Scalar(_) => {}
        }
    }
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
    pub(super) what: Message,
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
                let what = tune::mistake_documents();
                return Err(Malformed { place, what });
            }
            event => root = Some(reader.node(event, place, 0)?),
        }
    }
    Ok(root.unwrap_or(Node {
        place: (1, 1),
        value: NodeValue::Null,
    }))
}

/// A mistake that the parser found, in its words but for the one that people make most.
fn of_parser(reason: &str) -> Message {
    match reason {
        "mapping values are not allowed in this context" => tune::mistake_colon(),
        _ => tune::mistake_yaml(reason),
    }
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
                what: of_parser(error.info()),
            }),
            None => Ok((Event::StreamEnd, (1, 1))),
        }
    }

    fn node(&mut self, event: Event<'t>, place: Place, depth: usize) -> Result<Node, Malformed> {
        let fail = |what| Malformed { place, what };
        if depth > DEPTH_MAX {
            return Err(fail(tune::mistake_deep(DEPTH_MAX)));
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
            Event::Alias(_) => return Err(fail(tune::mistake_alias())),
            // What ends a list or a map is read where it begins.
            _ => return Err(fail(tune::mistake_no_map())),
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
        let mut keys = HashSet::new();
        loop {
            let (event, place) = self.next()?;
            let key = match event {
                Event::MappingEnd => return Ok(NodeValue::Map(entries)),
                Event::Scalar(text, ..) => text.into_owned(),
                _ => {
                    let what = tune::mistake_key_no_text();
                    return Err(Malformed { place, what });
                }
            };
            if !keys.insert(key.clone()) {
                let what = tune::mistake_key_twice(key);
                return Err(Malformed { place, what });
            }
            let (event, at) = self.next()?;
            let value = self.node(event, at, depth + 1)?;
            entries.push((key, place, value));
        }
    }
}
