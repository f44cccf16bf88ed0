//! Parses Artillery's YAML, and JSON, which it parses as YAML. Scalars, merge keys and duplicates
//! follow js-yaml 3. Every value keeps its position.
//!
//! Aliases are copied, within a budget, and the nesting depth is limited. [`crate::read`] gives
//! the keys their meaning.

mod node;
mod scalar;

pub use node::{Mark, Yaml, YamlEntry, YamlMap, YamlNode};

use rustc_hash::FxHashMap;
use saphyr_parser::{Event, Parser, ScalarStyle, Span, StrInput, Tag};

/// How many nodes aliases may add to a document.
pub const ALIAS_BUDGET: usize = 100_000;
/// How many nodes a document may have, including those of aliases.
pub const NODE_BUDGET: usize = 2_000_000;
/// How deeply lists and maps may be nested.
pub const DEPTH_LIMIT: usize = 100;

/// Why a document is malformed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{mark}: {reason}")]
pub struct SyntaxError {
    /// Where.
    pub mark: Mark,
    /// The reason.
    pub reason: String,
}

/// Parses a document. `file` is its number, which every [`Mark`] keeps.
///
/// # Errors
/// The first syntax error.
pub fn parse(text: &str, file: u16) -> Result<YamlNode, SyntaxError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    Reader {
        parser: Parser::new_from_str(text),
        file,
        anchors: FxHashMap::default(),
        nodes: 0,
        copied: 0,
    }
    .document()
}

/// The node of an anchor.
enum Anchor {
    /// Still being read; an alias to it would contain itself.
    Open,
    Closed {
        node: YamlNode,
        size: usize,
    },
}

struct Reader<'t> {
    parser: Parser<'t, StrInput<'t>>,
    file: u16,
    anchors: FxHashMap<usize, Anchor>,
    nodes: usize,
    copied: usize,
}

impl<'t> Reader<'t> {
    fn next(&mut self) -> Result<(Event<'t>, Span), SyntaxError> {
        match self.parser.next_event() {
            Some(Ok(found)) => Ok(found),
            Some(Err(error)) => Err(SyntaxError {
                mark: Mark::new(self.file, error.marker().line(), error.marker().col()),
                reason: error.info().to_owned(),
            }),
            None => Ok((Event::StreamEnd, Span::default())),
        }
    }

    fn mark(&self, span: Span) -> Mark {
        Mark::new(self.file, span.start.line(), span.start.col())
    }

    fn document(mut self) -> Result<YamlNode, SyntaxError> {
        let mut root = None;
        loop {
            let (event, span) = self.next()?;
            let mark = self.mark(span);
            match event {
                Event::StreamEnd => {
                    return Ok(root.unwrap_or(YamlNode {
                        mark: Mark::new(self.file, 1, 0),
                        value: Yaml::Null,
                    }));
                }
                Event::StreamStart
                | Event::DocumentStart(_)
                | Event::DocumentEnd
                | Event::Nothing => {}
                _ if root.is_some() => {
                    return Err(SyntaxError {
                        mark,
                        reason: "a single document is expected, and there is another".to_owned(),
                    });
                }
                event => root = Some(self.node(event, span, 0)?.0),
            }
        }
    }

    /// A node, and its number of nodes including itself.
    fn node(
        &mut self,
        event: Event<'t>,
        span: Span,
        depth: usize,
    ) -> Result<(YamlNode, usize), SyntaxError> {
        let mark = self.mark(span);
        let fail = |reason: String| SyntaxError { mark, reason };
        if depth > DEPTH_LIMIT {
            return Err(fail(format!("deeper than {DEPTH_LIMIT} levels")));
        }
        self.nodes += 1;
        if self.nodes > NODE_BUDGET {
            return Err(fail(format!("more than {NODE_BUDGET} values")));
        }
        let (anchor, value, size) = match event {
            Event::Alias(id) => return self.alias(id, mark),
            Event::Scalar(text, style, anchor, tag) => {
                let plain = style == ScalarStyle::Plain;
                let value = scalar_value(&text, plain, tag.as_deref()).map_err(fail)?;
                (anchor, value, 1)
            }
            Event::SequenceStart(anchor, tag) => {
                collection_tag(tag.as_deref(), "seq").map_err(fail)?;
                self.open(anchor);
                let (items, size) = self.sequence(depth)?;
                (anchor, Yaml::List(items), size)
            }
            Event::MappingStart(anchor, tag) => {
                collection_tag(tag.as_deref(), "map").map_err(fail)?;
                self.open(anchor);
                let (map, size) = self.mapping(depth)?;
                (anchor, Yaml::Map(map), size)
            }
            other => return Err(fail(format!("unexpected {other:?}"))),
        };
        let node = YamlNode { mark, value };
        if anchor != 0 {
            let kept = Anchor::Closed {
                node: node.clone(),
                size,
            };
            self.count_copies(size, mark)?;
            self.anchors.insert(anchor, kept);
        }
        Ok((node, size))
    }

    fn open(&mut self, anchor: usize) {
        if anchor != 0 {
            self.anchors.insert(anchor, Anchor::Open);
        }
    }

    fn count_copies(&mut self, size: usize, mark: Mark) -> Result<(), SyntaxError> {
        self.copied += size;
        if self.copied > ALIAS_BUDGET {
            return Err(SyntaxError {
                mark,
                reason: format!("aliases stand for more than {ALIAS_BUDGET} values"),
            });
        }
        Ok(())
    }

    fn alias(&mut self, id: usize, mark: Mark) -> Result<(YamlNode, usize), SyntaxError> {
        let fail = |reason: &str| SyntaxError {
            mark,
            reason: reason.to_owned(),
        };
        let size = match self.anchors.get(&id) {
            None => return Err(fail("an alias without its anchor")),
            Some(Anchor::Open) => return Err(fail("an alias to what it is part of")),
            Some(Anchor::Closed { size, .. }) => *size,
        };
        self.count_copies(size, mark)?;
        match self.anchors.get(&id) {
            Some(Anchor::Closed { node, .. }) => Ok((node.clone(), size)),
            _ => Err(fail("an alias without its anchor")),
        }
    }

    fn sequence(&mut self, depth: usize) -> Result<(Vec<YamlNode>, usize), SyntaxError> {
        let (mut items, mut size) = (Vec::new(), 1);
        loop {
            let (event, span) = self.next()?;
            if event == Event::SequenceEnd {
                return Ok((items, size));
            }
            let (node, held) = self.node(event, span, depth + 1)?;
            size += held;
            items.push(node);
        }
    }

    fn mapping(&mut self, depth: usize) -> Result<(YamlMap, usize), SyntaxError> {
        let mut map = YamlMap::default();
        let mut merged = Vec::new();
        let mut size = 1;
        loop {
            let (event, span) = self.next()?;
            if event == Event::MappingEnd {
                break;
            }
            let is_plain = matches!(&event, Event::Scalar(_, ScalarStyle::Plain, _, _));
            let (key_node, key_size) = self.node(event, span, depth + 1)?;
            let (event, span) = self.next()?;
            let (value, value_size) = self.node(event, span, depth + 1)?;
            size += key_size + value_size;
            let key = key_text(&key_node);
            if is_plain && key == "<<" {
                merged.push((key_node.mark, value));
            } else if !map.insert_new(key, key_node.mark, value) {
                return Err(SyntaxError {
                    mark: key_node.mark,
                    reason: format!("the key `{}` is here twice", key_text(&key_node)),
                });
            }
        }
        for (mark, value) in merged {
            merge(&mut map, value, mark)?;
        }
        Ok((map, size))
    }
}

/// Adds the entries of a `<<` key below those that are written.
fn merge(map: &mut YamlMap, value: YamlNode, mark: Mark) -> Result<(), SyntaxError> {
    match value.value {
        Yaml::Map(from) => {
            for entry in from.into_entries() {
                // An existing key keeps its value.
                map.insert_new(entry.key, entry.key_mark, entry.value);
            }
            Ok(())
        }
        Yaml::List(items) => items
            .into_iter()
            .try_for_each(|item| merge(map, item, mark)),
        _ => Err(SyntaxError {
            mark,
            reason: "`<<` needs a map to merge".to_owned(),
        }),
    }
}

/// A key as JavaScript converts it to a property name.
fn key_text(node: &YamlNode) -> String {
    match &node.value {
        Yaml::Map(_) => "[object Object]".to_owned(),
        Yaml::List(items) => items.iter().map(key_text).collect::<Vec<_>>().join(","),
        _ => crate::text::to_text(Some(&node.to_json())),
    }
}

fn scalar_value(text: &str, plain: bool, tag: Option<&Tag>) -> Result<Yaml, String> {
    let Some(tag) = tag else {
        return Ok(if plain {
            scalar::resolve(text)
        } else {
            Yaml::Text(text.to_owned())
        });
    };
    let resolved = scalar::resolve(text);
    let name = format!("{}{}", tag.handle, tag.suffix);
    match name.as_str() {
        "!" | "!!str" | "tag:yaml.org,2002:str" => Ok(Yaml::Text(text.to_owned())),
        "!!int" | "!!float" | "tag:yaml.org,2002:int" | "tag:yaml.org,2002:float"
            if matches!(resolved, Yaml::Number(_)) =>
        {
            Ok(resolved)
        }
        "!!bool" | "tag:yaml.org,2002:bool" if matches!(resolved, Yaml::Bool(_)) => Ok(resolved),
        "!!null" | "tag:yaml.org,2002:null" if matches!(resolved, Yaml::Null) => Ok(resolved),
        _ => Err(format!("`{text}` cannot be read as {name}")),
    }
}

fn collection_tag(tag: Option<&Tag>, expected: &str) -> Result<(), String> {
    match tag {
        None => Ok(()),
        Some(tag) if tag.suffix == expected || tag.suffix.is_empty() => Ok(()),
        Some(tag) => Err(format!("unknown tag {}{}", tag.handle, tag.suffix)),
    }
}

#[cfg(test)]
mod tests;
