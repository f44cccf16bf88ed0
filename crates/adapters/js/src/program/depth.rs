//! How deeply code is nested, told before a parser sees it, and a stack that is deep enough.
//!
//! Parsers call themselves for each bracket, and for each operator of a chain such as `!!!x` or
//! `a => b => c`. A stack that overflows ends the process, so the depth is bounded first. What is
//! counted here is an upper bound; ordinary code stays far below the first limit and is parsed
//! where it is.

use std::panic::resume_unwind;

/// Levels that are parsed. k6 takes 100,000 and ends with a crash somewhere below a million.
pub(super) const NESTING_MAX: usize = 100_000;
/// Levels that fit on any stack.
const SHALLOW_MAX: usize = 200;
/// Stack for each level: a few functions of a parser and of QuickJS, unoptimised.
const LEVEL_BYTES: usize = 24 * 1024;
/// Stack beside that.
const BASE_BYTES: usize = 4 << 20;

/// Words before which an expression or a statement stands that is part of the one around it.
const NESTING_WORDS: [&[u8]; 16] = [
    b"await",
    b"case",
    b"delete",
    b"do",
    b"else",
    b"extends",
    b"for",
    b"if",
    b"in",
    b"instanceof",
    b"new",
    b"return",
    b"throw",
    b"typeof",
    b"void",
    b"while",
];
/// Words that go on after a block.
const AFTER_BLOCK: [&[u8]; 7] = [
    b"as",
    b"catch",
    b"else",
    b"finally",
    b"in",
    b"instanceof",
    b"while",
];

/// How deeply a text is nested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Nesting {
    /// Levels, at most; counting ends above [`NESTING_MAX`].
    pub(super) levels: usize,
    /// Where the deepest begins, in bytes.
    pub(super) offset: usize,
}

/// No thread with a stack for such a text could be started.
#[derive(Debug, thiserror::Error)]
#[error("no memory for the stack that code of {levels} nested levels needs")]
pub(super) struct StackError {
    levels: usize,
}

/// Runs `parse` where a text of such nesting fits.
pub(super) fn with_stack_for<T: Send>(
    nesting: Nesting,
    parse: impl FnOnce() -> T + Send,
) -> Result<T, StackError> {
    if nesting.is_shallow() {
        return Ok(parse());
    }
    let levels = nesting.levels;
    let stack = std::thread::Builder::new().stack_size(BASE_BYTES + levels * LEVEL_BYTES);
    std::thread::scope(|scope| {
        let parsing = stack
            .spawn_scoped(scope, parse)
            .map_err(|_| StackError { levels })?;
        Ok(parsing.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })
}

impl Nesting {
    /// Whether such a text fits on any stack.
    pub(super) const fn is_shallow(self) -> bool {
        self.levels <= SHALLOW_MAX
    }

    /// Of a text of JavaScript or TypeScript.
    pub(super) fn of(text: &str) -> Self {
        let mut counter = Counter {
            text: text.as_bytes(),
            at: 0,
            open: vec![Level::default()],
            levels: 1,
            deepest: Self::default(),
            before: Before::Start,
            line_ended: false,
        };
        while counter.at < counter.text.len() && counter.deepest.levels <= NESTING_MAX {
            counter.step();
        }
        counter.deepest
    }
}

/// What stands within one bracket.
#[derive(Debug, Default)]
struct Level {
    /// Operators of the present statement or element.
    chain: usize,
    /// It is within a template string, which goes on after it.
    in_template: bool,
}

/// The token before the present place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Before {
    Start,
    Operator,
    /// A word after which an expression follows.
    NestingWord,
    Operand,
    /// `}`
    Block,
}

struct Counter<'t> {
    text: &'t [u8],
    at: usize,
    open: Vec<Level>,
    /// Open brackets, and the chains in them.
    levels: usize,
    deepest: Nesting,
    before: Before,
    line_ended: bool,
}

impl Counter<'_> {
    fn step(&mut self) {
        let byte = self.text[self.at];
        match byte {
            b'\n' => {
                self.line_ended = true;
                self.at += 1;
            }
            b' ' | b'\t' | b'\r' => self.at += 1,
            b'/' if self.next() == Some(b'/') => self.skip_past(b"\n"),
            b'/' if self.next() == Some(b'*') => self.skip_past(b"*/"),
            b'/' if self.before != Before::Operand => self.skip_regex(),
            b'"' | b'\'' => self.skip_string(byte),
            b'`' => self.skip_template(),
            b'(' | b'[' | b'{' => self.open(false),
            b')' | b']' | b'}' => self.close(byte),
            b',' | b';' => {
                self.end_statement();
                self.operator();
                self.end_statement();
            }
            _ if is_word(byte) => self.word(),
            _ => self.operator(),
        }
    }

    fn next(&self) -> Option<u8> {
        self.text.get(self.at + 1).copied()
    }

    fn deepen(&mut self) {
        self.levels += 1;
        if self.levels > self.deepest.levels {
            self.deepest = Nesting {
                levels: self.levels,
                offset: self.at,
            };
        }
    }

    /// Adds a link to the chain of the present level.
    fn chain(&mut self) {
        if let Some(level) = self.open.last_mut() {
            level.chain += 1;
            self.deepen();
        }
    }

    fn end_statement(&mut self) {
        if let Some(level) = self.open.last_mut() {
            self.levels -= std::mem::take(&mut level.chain);
        }
    }

    fn operator(&mut self) {
        self.chain();
        self.before = Before::Operator;
        self.line_ended = false;
        self.at += 1;
    }

    fn open(&mut self, in_template: bool) {
        self.begin_operand(false);
        self.open.push(Level {
            chain: 0,
            in_template,
        });
        self.deepen();
        self.before = Before::Start;
        self.at += 1;
    }

    fn close(&mut self, bracket: u8) {
        self.at += 1;
        self.line_ended = false;
        // What is not balanced does not parse.
        if self.open.len() > 1
            && let Some(level) = self.open.pop()
        {
            self.levels -= level.chain + 1;
            if level.in_template {
                self.template_text();
                return;
            }
        }
        self.chain();
        self.before = match bracket {
            b'}' => Before::Block,
            _ => Before::Operand,
        };
    }

    /// A statement begins where an operand follows one on the next line, or a word follows a block.
    fn begin_operand(&mut self, is_word: bool) {
        let ends_block = self.before == Before::Block && is_word;
        let ends_line = self.before == Before::Operand && self.line_ended && is_word;
        if ends_block || ends_line {
            self.end_statement();
        }
        self.line_ended = false;
    }

    fn word(&mut self) {
        let begin = self.at;
        let length = self.text[begin..].iter().position(|byte| !is_word(*byte));
        let end = length.map_or(self.text.len(), |length| begin + length);
        let word = &self.text[begin..end];
        self.begin_operand(!AFTER_BLOCK.contains(&word));
        self.at = end;
        self.before = if NESTING_WORDS.contains(&word) {
            self.chain();
            Before::NestingWord
        } else {
            Before::Operand
        };
    }

    fn skip_past(&mut self, end: &[u8]) {
        let rest = &self.text[self.at..];
        let found = memchr::memmem::find(&rest[1..], end);
        self.line_ended |= end == b"\n";
        self.at = found.map_or(self.text.len(), |at| self.at + 1 + at + end.len());
    }

    /// A string ends with its line, if not before.
    fn skip_string(&mut self, quote: u8) {
        self.begin_operand(true);
        self.at += 1;
        while let Some(&byte) = self.text.get(self.at) {
            self.at += 1;
            match byte {
                b'\\' => self.at += 1,
                b'\n' => break,
                _ if byte == quote => break,
                _ => {}
            }
        }
        self.at = self.at.min(self.text.len());
        self.before = Before::Operand;
    }

    fn skip_regex(&mut self) {
        let mut in_class = false;
        self.at += 1;
        while let Some(&byte) = self.text.get(self.at) {
            self.at += 1;
            match byte {
                b'\\' => self.at += 1,
                b'[' => in_class = true,
                b']' => in_class = false,
                b'\n' => break,
                b'/' if !in_class => break,
                _ => {}
            }
        }
        self.at = self.at.min(self.text.len());
        self.before = Before::Operand;
    }

    fn skip_template(&mut self) {
        self.at += 1;
        self.template_text();
    }

    /// The text of a template string, up to its end or to an expression in it.
    fn template_text(&mut self) {
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b'\\' => self.at += 2,
                b'`' => {
                    self.at += 1;
                    break;
                }
                b'$' if self.next() == Some(b'{') => {
                    self.at += 1;
                    return self.open(true);
                }
                _ => self.at += 1,
            }
        }
        self.at = self.at.min(self.text.len());
        self.before = Before::Operand;
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'_' | b'$' | b'@' | b'#' | b'\\')
        || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    fn levels(text: &str) -> usize {
        Nesting::of(text).levels
    }

    #[test]
    fn brackets_and_chains_are_levels() {
        let deep = 1000;
        for (open, close) in [
            ("(", ")"),
            ("[", "]"),
            ("{", "}"),
            ("f(", ")"),
            ("{a:", "}"),
            ("`${", "}`"),
            ("!", ""),
            ("-", ""),
            ("typeof ", ""),
            ("new ", ""),
            ("a=>", ""),
            ("a?b:", ""),
            ("a=", ""),
            ("if(x)", ""),
            ("if(x){}else ", ""),
            ("()=>{", "}"),
            ("a.", ""),
            ("a+", ""),
            ("function f(){", "}"),
            ("f()(", ")"),
            ("await ", ""),
            ("l:", ""),
        ] {
            let text = format!("{}x{}", open.repeat(deep), close.repeat(deep));
            assert!(levels(&text) >= deep, "{open} {}", levels(&text));
        }
    }

    #[test]
    fn long_code_is_not_deep() {
        for line in [
            "f(a, b);\n",
            "const a = b.c(d)\n",
            "if (a) { b() }\n",
            "function f() {}",
            "/[\"'(]/.test(a);",
            "a = 'it\\'s (';\n",
            "// don't ((\n",
            "/* `(( */",
            "x = `a ${b} (`;",
            "export const a = 1\n",
            "{a: [1, 2], b: '((('},",
            "a = b / c; d = e / f;",
            "f()\n",
            "class A { b() {} c() {} }\n",
            "\"AA+/AA+/AA+/\",",
        ] {
            let found = levels(&line.repeat(20_000));
            assert!(found < 100, "{line:?}: {found}");
        }
    }

    #[test]
    fn counting_ends_at_the_limit_and_tells_the_place() {
        let found = Nesting::of(&"(".repeat(NESTING_MAX * 2));
        assert_eq!(found.levels, NESTING_MAX + 1);
        assert_eq!(found.offset, NESTING_MAX - 1);
    }

    #[test]
    fn a_deep_text_is_read_on_a_stack_of_its_own() {
        fn down(levels: usize) -> usize {
            let here = std::hint::black_box([0_u8; 4096]);
            if levels == 0 {
                usize::from(here[0])
            } else {
                1 + down(levels - 1)
            }
        }
        let nesting = Nesting {
            levels: 20_000,
            offset: 0,
        };
        assert_eq!(with_stack_for(nesting, || down(20_000)).unwrap(), 20_000);
    }
}
