//! Parses selectors.

use regex::Regex;

use super::{Combinator, Complex, Compound, CssSelector, Nth, SelectorDialect, Simple, Test};

/// Parentheses within each other, and compounds in a row, that are still read: matching
/// recurses over both.
const NESTING_MAX: usize = 32;
const COMPOUNDS_MAX: usize = 256;

/// The selector, or nothing when it cannot be read.
pub(super) fn parse(text: &str, dialect: SelectorDialect) -> Option<CssSelector> {
    let mut parser = Parser {
        text,
        at: 0,
        depth: 0,
        dialect,
    };
    let selector = parser.group()?;
    (parser.at == text.len()).then_some(selector)
}

struct Parser<'t> {
    text: &'t str,
    /// Always between characters.
    at: usize,
    depth: usize,
    dialect: SelectorDialect,
}

fn is_name_start(c: u8) -> bool {
    c.is_ascii_alphabetic() || c == b'_' || c > 127
}

fn is_name(c: u8) -> bool {
    is_name_start(c) || c == b'-' || c.is_ascii_digit()
}

impl<'t> Parser<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn eat(&mut self, c: u8) -> bool {
        let found = self.peek() == Some(c);
        self.at += usize::from(found);
        found
    }

    /// Blanks and comments; whether there were any.
    fn skip_blanks(&mut self) -> bool {
        let start = self.at;
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\r' | b'\n' | 0x0c) => self.at += 1,
                Some(b'/') if self.rest().starts_with("/*") => {
                    let Some(end) = self.rest()[2..].find("*/") else {
                        break;
                    };
                    self.at += end + 4;
                }
                _ => break,
            }
        }
        self.at > start
    }

    /// Selectors with commas between.
    fn group(&mut self) -> Option<CssSelector> {
        let mut group = vec![self.complex()?];
        while self.eat(b',') {
            group.push(self.complex()?);
        }
        Some(CssSelector { group })
    }

    fn complex(&mut self) -> Option<Complex> {
        self.skip_blanks();
        let mut subject = self.compound()?;
        let mut context = Vec::new();
        loop {
            let blank = self.skip_blanks();
            let combinator = match self.peek() {
                None | Some(b',' | b')') => break,
                Some(b'+') => Combinator::Adjacent,
                Some(b'>') => Combinator::Child,
                Some(b'~') => Combinator::Sibling,
                Some(_) if blank => Combinator::Descendant,
                Some(_) => break,
            };
            if combinator != Combinator::Descendant {
                self.at += 1;
                self.skip_blanks();
            }
            let left = std::mem::replace(&mut subject, self.compound()?);
            context.push((combinator, left));
            if context.len() > COMPOUNDS_MAX {
                return None;
            }
        }
        context.reverse();
        Some(Complex { subject, context })
    }

    fn compound(&mut self) -> Option<Compound> {
        let mut parts = Vec::new();
        match self.peek()? {
            b'*' => {
                self.at += 1;
                if self.rest().starts_with("|*") && self.rest().len() > 2 {
                    self.at += 2;
                }
            }
            b'#' | b'.' | b'[' | b':' => {}
            _ => parts.push(Simple::Tag(self.identifier()?.to_ascii_lowercase())),
        }
        loop {
            match self.peek() {
                Some(b'#') => {
                    self.at += 1;
                    parts.push(Simple::Id(self.name()?));
                }
                Some(b'.') => {
                    self.at += 1;
                    parts.push(Simple::Class(self.identifier()?));
                }
                Some(b'[') => parts.push(self.attribute()?),
                Some(b':') => parts.push(self.pseudo_class()?),
                _ => return Some(Compound { parts }),
            }
        }
    }

    fn identifier(&mut self) -> Option<String> {
        let start = self.at;
        while self.eat(b'-') {}
        let hyphens = &self.text[start..self.at];
        let first = self.peek()?;
        if !is_name_start(first) && first != b'\\' {
            return None;
        }
        let name = self.name()?;
        Some(format!("{hyphens}{name}"))
    }

    fn name(&mut self) -> Option<String> {
        let mut name = String::new();
        loop {
            match self.peek() {
                Some(c) if is_name(c) => {
                    let length = self.rest().bytes().take_while(|c| is_name(*c)).count();
                    name.push_str(&self.rest()[..length]);
                    self.at += length;
                }
                Some(b'\\') => self.escape(&mut name)?,
                _ => break,
            }
        }
        (!name.is_empty()).then_some(name)
    }

    /// The character of an escape, after its backslash.
    fn escape(&mut self, out: &mut String) -> Option<()> {
        self.at += 1;
        let c = self.rest().chars().next()?;
        if matches!(c, '\r' | '\n' | '\x0c') {
            return None;
        }
        if !c.is_ascii_hexdigit() {
            out.push(c);
            self.at += c.len_utf8();
            return Some(());
        }
        let digits = self.rest().bytes().take(6);
        let length = digits.take_while(u8::is_ascii_hexdigit).count();
        let code = u32::from_str_radix(&self.rest()[..length], 16).ok()?;
        out.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
        self.at += length;
        if self.eat(b'\r') {
            self.eat(b'\n');
        } else if matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | 0x0c)) {
            self.at += 1;
        }
        Some(())
    }

    fn string(&mut self) -> Option<String> {
        let quote = self.peek()?;
        self.at += 1;
        let mut string = String::new();
        loop {
            let c = self.rest().chars().next()?;
            match c {
                '\\' => {
                    let after = &self.rest()[1..];
                    if after.starts_with("\r\n") {
                        self.at += 3;
                    } else if after.starts_with(['\r', '\n', '\x0c']) {
                        self.at += 2;
                    } else {
                        self.escape(&mut string)?;
                    }
                }
                '\r' | '\n' | '\x0c' => return None,
                c => {
                    self.at += c.len_utf8();
                    if u32::from(c) == u32::from(quote) {
                        return Some(string);
                    }
                    string.push(c);
                }
            }
        }
    }

    fn string_or_identifier(&mut self) -> Option<String> {
        match self.peek()? {
            b'\'' | b'"' => self.string(),
            _ => self.identifier(),
        }
    }

    fn string_or_name(&mut self) -> Option<String> {
        match self.peek()? {
            b'\'' | b'"' => self.string(),
            _ => self.name(),
        }
    }

    /// Up to the bracket or parenthesis that was not opened within.
    fn pattern(&mut self) -> Option<Regex> {
        let mut open = 0_usize;
        for (index, c) in self.rest().bytes().enumerate() {
            match c {
                b'(' | b'[' => open += 1,
                b')' | b']' if open == 0 => {
                    let pattern = Regex::new(&self.rest()[..index]).ok();
                    self.at += index;
                    return pattern;
                }
                b')' | b']' => open -= 1,
                _ => {}
            }
        }
        None
    }

    fn attribute(&mut self) -> Option<Simple> {
        self.at += 1;
        self.skip_blanks();
        let name = self.identifier()?.to_ascii_lowercase();
        self.skip_blanks();
        if self.eat(b']') {
            return Some(Simple::Attribute {
                name,
                test: Test::Present,
                ignores_case: false,
            });
        }
        let operator = self.peek()?;
        self.at += 1;
        if operator != b'=' && !self.eat(b'=') {
            return None;
        }
        self.skip_blanks();
        let test: fn(String) -> Test = match operator {
            b'=' => Test::Equal,
            b'!' => Test::NotEqual,
            b'~' => Test::Word,
            b'|' => Test::Dash,
            b'^' => Test::Prefix,
            b'$' => Test::Suffix,
            b'*' => Test::Substring,
            b'#' => {
                let pattern = self.pattern()?;
                return self.end_of_attribute(name, Test::Pattern(pattern));
            }
            _ => return None,
        };
        let value = match self.dialect {
            SelectorDialect::Cascadia => self.string_or_identifier()?,
            SelectorDialect::Cheerio => self.string_or_name()?,
        };
        self.end_of_attribute(name, test(value))
    }

    fn end_of_attribute(&mut self, name: String, test: Test) -> Option<Simple> {
        self.skip_blanks();
        let ignores_case = self.eat(b'i') || self.eat(b'I');
        self.skip_blanks();
        self.eat(b']').then_some(Simple::Attribute {
            name,
            test,
            ignores_case,
        })
    }

    fn pseudo_class(&mut self) -> Option<Simple> {
        self.at += 1;
        if self.peek() == Some(b':') {
            return None; // pseudo-elements are no nodes
        }
        let name = self.identifier()?.to_ascii_lowercase();
        let nth = |last, of_type| {
            Simple::Nth(Nth {
                a: 0,
                b: 1,
                last,
                of_type,
            })
        };
        if self.dialect == SelectorDialect::Cheerio
            && let Some(simple) = self.cheerio_class(&name)
        {
            return simple;
        }
        Some(match name.as_str() {
            "not" => Simple::Not(self.in_parentheses(Self::nested)?),
            "has" => Simple::Has(self.in_parentheses(Self::nested)?),
            "haschild" => Simple::HasChild(self.in_parentheses(Self::nested)?),
            "contains" | "containsown" => Simple::Contains {
                text: self
                    .in_parentheses(Self::string_or_identifier)?
                    .to_lowercase(),
                own: name == "containsown",
                ignores_case: true,
            },
            "matches" | "matchesown" => Simple::Matches {
                pattern: self.in_parentheses(Self::pattern)?,
                own: name == "matchesown",
            },
            "nth-child" | "nth-last-child" | "nth-of-type" | "nth-last-of-type" => {
                let (a, b) = self.in_parentheses(Self::nth)?;
                Simple::Nth(Nth {
                    a,
                    b,
                    last: name.starts_with("nth-last"),
                    of_type: name.ends_with("of-type"),
                })
            }
            "first-child" => nth(false, false),
            "last-child" => nth(true, false),
            "first-of-type" => nth(false, true),
            "last-of-type" => nth(true, true),
            "only-child" => Simple::OnlyChild { of_type: false },
            "only-of-type" => Simple::OnlyChild { of_type: true },
            "input" => Simple::Input,
            "empty" => Simple::Empty {
                ignores_blanks: true,
            },
            "root" => Simple::Root,
            "link" => Simple::Link,
            "lang" => Simple::Lang(self.in_parentheses(Self::identifier)?.to_lowercase()),
            "enabled" => Simple::Enabled,
            "disabled" => Simple::Disabled,
            "checked" => Simple::Checked,
            "visited" | "hover" | "active" | "focus" | "target" => Simple::Never,
            _ => return None,
        })
    }

    /// A class that cheerio reads otherwise than cascadia, or alone; `None` for others.
    fn cheerio_class(&mut self, name: &str) -> Option<Option<Simple>> {
        Some(match name {
            "is" | "where" | "matches" => self.in_parentheses(Self::nested).map(Simple::Is),
            "contains" => self.in_parentheses(Self::string_or_name).map(|text| {
                let own = false;
                let ignores_case = false;
                Simple::Contains {
                    text,
                    own,
                    ignores_case,
                }
            }),
            "has" => self.in_parentheses(Self::relative),
            "empty" => Some(Simple::Empty {
                ignores_blanks: false,
            }),
            "any-link" => Some(Simple::Link),
            "scope" => Some(Simple::Root),
            "haschild" | "containsown" | "matchesown" => None,
            _ => return None,
        })
    }

    /// The inside of `:has`, of children alone where it begins with `>`.
    fn relative(&mut self) -> Option<Simple> {
        if !self.eat(b'>') {
            return self.nested().map(Simple::Has);
        }
        let inner = self.nested()?;
        let is_plain = |complex: &Complex| complex.context.is_empty();
        inner
            .group
            .iter()
            .all(is_plain)
            .then_some(Simple::HasChild(inner))
    }

    fn in_parentheses<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if !self.eat(b'(') {
            return None;
        }
        self.skip_blanks();
        let inner = read(self)?;
        self.skip_blanks();
        self.eat(b')').then_some(inner)
    }

    fn nested(&mut self) -> Option<CssSelector> {
        if self.depth == NESTING_MAX {
            return None;
        }
        self.depth += 1;
        let group = self.group();
        self.depth -= 1;
        group
    }

    fn integer(&mut self) -> Option<i64> {
        let length = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        let number = self.rest()[..length].parse().ok()?;
        self.at += length;
        Some(number)
    }

    /// `odd`, `even`, `b` or `an + b`.
    fn nth(&mut self) -> Option<(i64, i64)> {
        if matches!(self.peek()?, b'o' | b'O' | b'e' | b'E') {
            return match self.name()?.to_ascii_lowercase().as_str() {
                "odd" => Some((2, 1)),
                "even" => Some((2, 0)),
                _ => None,
            };
        }
        let negative = self.eat(b'-');
        if !negative {
            self.eat(b'+');
        }
        let sign = if negative { -1 } else { 1 };
        let number = match self.peek()? {
            b'n' | b'N' => None,
            _ => Some(self.integer()?),
        };
        if !self.eat(b'n') && !self.eat(b'N') {
            // A number alone must be followed by something: the parenthesis.
            self.peek()?;
            return Some((0, sign * number?));
        }
        let a = sign * number.unwrap_or(1);
        self.skip_blanks();
        let b = match self.peek()? {
            sign @ (b'+' | b'-') => {
                self.at += 1;
                self.skip_blanks();
                let number = self.integer()?;
                if sign == b'-' { -number } else { number }
            }
            _ => 0,
        };
        Some((a, b))
    }
}
