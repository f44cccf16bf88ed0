//! Reads JSON without loss: numbers stay as they are written, and of a document that is cut what is there counts.

use super::json::{JsonMap, JsonNode, JsonSequence, OPEN_END};

/// Levels that are read; a document that is nested deeper is a text.
const DEPTH_MAX: usize = 128;

impl JsonNode {
    /// Reads a document, of which only the beginning may be there; `None` of what is no JSON, or nested too deep.
    #[must_use]
    pub fn read(text: &str, is_cut: bool) -> Option<Self> {
        Reader::new(text, is_cut).document()
    }
}

/// Why reading ended before the document did.
enum Stop {
    /// There is no more of it.
    Cut,
    /// It is no JSON.
    Wrong,
}

/// A value and whether the document is cut inside of it.
struct Read {
    value: JsonNode,
    is_cut: bool,
}

/// Reads one document.
pub(super) struct Reader<'t> {
    text: &'t str,
    at: usize,
    is_cut: bool,
}

impl<'t> Reader<'t> {
    pub(super) const fn new(text: &'t str, is_cut: bool) -> Self {
        Self {
            text,
            at: 0,
            is_cut,
        }
    }

    pub(super) fn document(mut self) -> Option<JsonNode> {
        let read = self.value(0).ok()?;
        self.skip_space();
        let is_whole = self.at == self.text.len() || read.is_cut;
        is_whole.then_some(read.value)
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// The end of the text: of a document that is cut, or a mistake in it.
    const fn end(&self) -> Stop {
        if self.is_cut { Stop::Cut } else { Stop::Wrong }
    }

    fn value(&mut self, depth: usize) -> Result<Read, Stop> {
        self.skip_space();
        let whole = |value| {
            Ok(Read {
                value,
                is_cut: false,
            })
        };
        match self.peek() {
            None => Err(self.end()),
            Some(b'{') => self.object(depth),
            Some(b'[') => self.list(depth),
            Some(b'"') => whole(JsonNode::Text(self.text()?)),
            Some(b't') => self.word("true").and_then(|()| whole(JsonNode::Bool(true))),
            Some(b'f') => self
                .word("false")
                .and_then(|()| whole(JsonNode::Bool(false))),
            Some(b'n') => self.word("null").and_then(|()| whole(JsonNode::Null)),
            Some(b'-' | b'0'..=b'9') => whole(self.number()?),
            Some(_) => Err(Stop::Wrong),
        }
    }

    fn word(&mut self, word: &str) -> Result<(), Stop> {
        let rest = &self.text[self.at..];
        if rest.starts_with(word) {
            self.at += word.len();
            return Ok(());
        }
        Err(if word.starts_with(rest) {
            self.end()
        } else {
            Stop::Wrong
        })
    }

    fn number(&mut self) -> Result<JsonNode, Stop> {
        let rest = &self.text[self.at..];
        let is_part = |c: char| c.is_ascii_digit() || "+-.eE".contains(c);
        let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        if self.is_cut && length == rest.len() {
            // There may be more digits.
            return Err(Stop::Cut);
        }
        self.at += length;
        JsonNode::number(&rest[..length]).ok_or(Stop::Wrong)
    }

    fn text(&mut self) -> Result<String, Stop> {
        self.at += 1;
        let mut out = String::new();
        loop {
            let rest = &self.text[self.at..];
            let special = |c: char| c == '"' || c == '\\' || (c as u32) < 0x20;
            let Some(length) = rest.find(special) else {
                return Err(self.end());
            };
            out.push_str(&rest[..length]);
            self.at += length + 1;
            match rest.as_bytes()[length] {
                b'"' => return Ok(out),
                b'\\' => self.escape(&mut out)?,
                _ => return Err(Stop::Wrong),
            }
        }
    }

    fn escape(&mut self, out: &mut String) -> Result<(), Stop> {
        let Some(kind) = self.peek() else {
            return Err(self.end());
        };
        self.at += 1;
        out.push(match kind {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.code_point(out),
            _ => return Err(Stop::Wrong),
        });
        Ok(())
    }

    fn code_point(&mut self, out: &mut String) -> Result<(), Stop> {
        let unit = self.unit()?;
        if let Some(c) = char::from_u32(u32::from(unit)) {
            out.push(c);
            return Ok(());
        }
        let before = self.at;
        if unit < 0xdc00 && self.text[self.at..].starts_with("\\u") {
            self.at += 2;
            let low = self.unit()?;
            if let Some(Ok(c)) = char::decode_utf16([unit, low]).next() {
                out.push(c);
                return Ok(());
            }
            self.at = before;
        }
        out.push_str(&format!("\\u{unit:04x}"));
        Ok(())
    }

    fn unit(&mut self) -> Result<u16, Stop> {
        let Some(digits) = self.text.as_bytes().get(self.at..self.at + 4) else {
            return Err(self.end());
        };
        let digits = std::str::from_utf8(digits).map_err(|_| Stop::Wrong)?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(Stop::Wrong);
        }
        self.at += 4;
        u16::from_str_radix(digits, 16).map_err(|_| Stop::Wrong)
    }

    /// Whether what stands here is the end of a list or an object that goes on; only in what is stored.
    fn open_end(&mut self) -> bool {
        let is_open = self.is_cut && self.text[self.at..].starts_with(OPEN_END);
        if is_open {
            self.at += OPEN_END.len_utf8();
        }
        is_open
    }

    fn list(&mut self, depth: usize) -> Result<Read, Stop> {
        if depth >= DEPTH_MAX {
            return Err(Stop::Wrong);
        }
        self.at += 1;
        let mut list = JsonSequence::default();
        loop {
            match self.element(&mut list, depth) {
                Ok(true) => {}
                Ok(false) => {
                    return Ok(Read {
                        value: JsonNode::List(list),
                        is_cut: false,
                    });
                }
                Err(Stop::Cut) => {
                    list.is_open = true;
                    return Ok(Read {
                        value: JsonNode::List(list),
                        is_cut: true,
                    });
                }
                Err(Stop::Wrong) => return Err(Stop::Wrong),
            }
        }
    }

    /// Reads one more element and what stands before it; `false` at the list's end.
    fn element(&mut self, list: &mut JsonSequence, depth: usize) -> Result<bool, Stop> {
        self.skip_space();
        if self.open_end() {
            list.is_open = true;
            self.skip_space();
        }
        match self.peek() {
            None => return Err(self.end()),
            Some(b']') => {
                self.at += 1;
                return Ok(false);
            }
            Some(b',') if !list.items.is_empty() => self.at += 1,
            Some(_) if list.items.is_empty() && !list.is_open => {}
            Some(_) => return Err(Stop::Wrong),
        }
        let read = self.value(depth + 1)?;
        list.items.push(read.value);
        if read.is_cut {
            return Err(Stop::Cut);
        }
        Ok(true)
    }

    fn object(&mut self, depth: usize) -> Result<Read, Stop> {
        if depth >= DEPTH_MAX {
            return Err(Stop::Wrong);
        }
        self.at += 1;
        let mut object = JsonMap::default();
        loop {
            match self.member(&mut object, depth) {
                Ok(true) => {}
                Ok(false) => {
                    return Ok(Read {
                        value: JsonNode::Object(object),
                        is_cut: false,
                    });
                }
                Err(Stop::Cut) => {
                    object.is_open = true;
                    return Ok(Read {
                        value: JsonNode::Object(object),
                        is_cut: true,
                    });
                }
                Err(Stop::Wrong) => return Err(Stop::Wrong),
            }
        }
    }

    /// Reads one more member and what stands before it; `false` at the object's end.
    fn member(&mut self, object: &mut JsonMap, depth: usize) -> Result<bool, Stop> {
        self.skip_space();
        if self.open_end() {
            object.is_open = true;
            self.skip_space();
        }
        match self.peek() {
            None => return Err(self.end()),
            Some(b'}') => {
                self.at += 1;
                return Ok(false);
            }
            Some(b',') if !object.members.is_empty() => {
                self.at += 1;
                self.skip_space();
            }
            Some(_) if object.members.is_empty() && !object.is_open => {}
            Some(_) => return Err(Stop::Wrong),
        }
        match self.peek() {
            None => return Err(self.end()),
            Some(b'"') => {}
            Some(_) => return Err(Stop::Wrong),
        }
        let name = self.text()?;
        self.skip_space();
        match self.peek() {
            None => return Err(self.end()),
            Some(b':') => self.at += 1,
            Some(_) => return Err(Stop::Wrong),
        }
        let read = self.value(depth + 1)?;
        object.members.insert(name, read.value);
        if read.is_cut {
            return Err(Stop::Cut);
        }
        Ok(true)
    }
}
