//! From text to tree.

use super::node::{FiltrexNode, Operator};

/// Why an expression cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FiltrexError {
    /// Something stands where it cannot.
    #[error("`{found}` is not expected here (at character {at})")]
    Unexpected {
        /// What.
        found: String,
        /// Where, from 1.
        at: usize,
    },
    /// It ends too soon.
    #[error("the expression ends too soon")]
    Ended,
    /// A text is not closed.
    #[error("a text has no end")]
    OpenText,
    /// Parentheses within parentheses, or operators, without measure.
    #[error("the expression is nested too deeply")]
    TooDeep,
}

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Number(f64),
    Text(String),
    Symbol(String),
    Sign(&'static str),
    Word(&'static str),
}

struct Tokens {
    /// With where each begins, from 1.
    tokens: Vec<(Token, usize)>,
    next: usize,
    depth: usize,
    /// Operators between operands so far.
    operators: usize,
}

/// Parentheses within each other at most.
const NESTING_MAX: usize = 100;
/// Operators at most: `1+1+1...` is as deep a tree as it is long, and is walked by calls.
const OPERATORS_MAX: usize = 200;

pub(super) fn parse(text: &str) -> Result<FiltrexNode, FiltrexError> {
    parse_with_names(text, &[])
}

pub(super) fn parse_with_names(text: &str, names: &[&str]) -> Result<FiltrexNode, FiltrexError> {
    let mut tokens = Tokens {
        tokens: scan(text, names)?,
        next: 0,
        depth: 0,
        operators: 0,
    };
    let node = tokens.expression(0)?;
    match tokens.tokens.get(tokens.next) {
        None => Ok(node),
        Some((token, at)) => Err(unexpected(token, *at)),
    }
}

fn unexpected(token: &Token, at: usize) -> FiltrexError {
    let found = match token {
        Token::Number(number) => crate::text::number_text(*number),
        Token::Text(text) | Token::Symbol(text) => text.clone(),
        Token::Sign(sign) | Token::Word(sign) => (*sign).to_owned(),
    };
    FiltrexError::Unexpected { found, at }
}

const SIGNS: [&str; 18] = [
    "==", "!=", "~=", ">=", "<=", "<", ">", "*", "/", "-", "+", "^", "%", "(", ")", ",", "?", ":",
];
const WORDS: [&str; 5] = ["and", "or", "not", "in", "of"];

fn scan(text: &str, names: &[&str]) -> Result<Vec<(Token, usize)>, FiltrexError> {
    let mut tokens = Vec::new();
    let mut rest = text;
    // Where `rest` begins, in characters: counted on, since counting anew for each token takes the square
    // of the text's length.
    let mut at = 1;
    loop {
        let after_space = rest.trim_start();
        at += rest[..rest.len() - after_space.len()].chars().count();
        rest = after_space;
        let Some(first) = rest.chars().next() else {
            return Ok(tokens);
        };
        let longest = names
            .iter()
            .filter(|name| !name.is_empty() && rest.starts_with(**name))
            .max_by_key(|name| name.len());
        let (token, length) = if let Some(name) = longest {
            (Token::Symbol((*name).to_owned()), name.len())
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            (Token::Sign(sign), sign.len())
        } else if first.is_ascii_digit() {
            number(rest)
        } else if first == '"' || first == '\'' {
            quoted(rest, first)?
        } else if first.is_ascii_alphabetic() || first == '$' || first == '_' {
            word(rest)
        } else {
            return Err(FiltrexError::Unexpected {
                found: first.to_string(),
                at,
            });
        };
        tokens.push((token, at));
        at += rest[..length].chars().count();
        rest = &rest[length..];
    }
}

fn number(rest: &str) -> (Token, usize) {
    let digits = |text: &str| {
        text.find(|c: char| !c.is_ascii_digit())
            .unwrap_or(text.len())
    };
    let mut length = digits(rest);
    if let Some(fraction) = rest[length..].strip_prefix('.') {
        let more = digits(fraction);
        if more > 0 {
            length += 1 + more;
        }
    }
    // Digits, perhaps a dot and more digits: always a number.
    (
        Token::Number(rest[..length].parse().unwrap_or(f64::NAN)),
        length,
    )
}

fn quoted(rest: &str, quote: char) -> Result<(Token, usize), FiltrexError> {
    let mut built = String::new();
    let mut chars = rest.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        if c == quote {
            let token = if quote == '"' {
                Token::Text(built)
            } else {
                Token::Symbol(built)
            };
            return Ok((token, at + 1));
        }
        if c == '\\' {
            built.extend(chars.next().map(|(_, c)| c));
        } else {
            built.push(c);
        }
    }
    Err(FiltrexError::OpenText)
}

fn word(rest: &str) -> (Token, usize) {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '$' | '_');
    let length = rest.find(|c: char| !allowed(c)).unwrap_or(rest.len());
    let text = &rest[..length];
    let token = match WORDS.iter().find(|word| **word == text) {
        Some(word) => Token::Word(word),
        None => Token::Symbol(text.to_owned()),
    };
    (token, length)
}

impl Tokens {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.next).map(|(token, _)| token)
    }

    fn take(&mut self) -> Result<(Token, usize), FiltrexError> {
        let found = self.tokens.get(self.next).cloned();
        self.next += 1;
        found.ok_or(FiltrexError::Ended)
    }

    fn take_if(&mut self, sign: &'static str) -> bool {
        let is_there = self.peek() == Some(&Token::Sign(sign));
        self.next += usize::from(is_there);
        is_there
    }

    fn expect(&mut self, sign: &'static str) -> Result<(), FiltrexError> {
        match self.take()? {
            (Token::Sign(found), _) if found == sign => Ok(()),
            (token, at) => Err(unexpected(&token, at)),
        }
    }

    /// An expression whose operators bind at least as strongly as `least`.
    fn expression(&mut self, least: u8) -> Result<FiltrexNode, FiltrexError> {
        self.depth += 1;
        if self.depth > NESTING_MAX {
            return Err(FiltrexError::TooDeep);
        }
        let mut left = self.operand()?;
        while let Some((strength, infix)) = self.peek().and_then(infix) {
            if strength < least {
                break;
            }
            if infix == Infix::NotIn {
                let follows = self.tokens.get(self.next + 1).map(|(token, _)| token);
                if follows != Some(&Token::Word("in")) {
                    break;
                }
                self.next += 1;
            }
            self.next += 1;
            self.operators += 1;
            if self.operators > OPERATORS_MAX {
                return Err(FiltrexError::TooDeep);
            }
            left = self.after(infix, strength, left)?;
        }
        self.depth -= 1;
        Ok(left)
    }

    fn after(
        &mut self,
        infix: Infix,
        strength: u8,
        left: FiltrexNode,
    ) -> Result<FiltrexNode, FiltrexError> {
        let left = Box::new(left);
        Ok(match infix {
            Infix::Binary(operator) => {
                FiltrexNode::Binary(operator, left, Box::new(self.expression(strength + 1)?))
            }
            Infix::In => FiltrexNode::In(left, Box::new(self.expression(strength + 1)?), false),
            Infix::NotIn => FiltrexNode::In(left, Box::new(self.expression(strength + 1)?), true),
            Infix::Choice => {
                let then = self.expression(0)?;
                self.expect(":")?;
                FiltrexNode::Choice(left, Box::new(then), Box::new(self.expression(strength)?))
            }
        })
    }

    fn operand(&mut self) -> Result<FiltrexNode, FiltrexError> {
        match self.take()? {
            (Token::Number(number), _) => Ok(FiltrexNode::Number(number)),
            (Token::Text(text), _) => Ok(FiltrexNode::Text(text)),
            (Token::Sign("-"), _) => Ok(FiltrexNode::Negative(Box::new(self.expression(11)?))),
            (Token::Word("not"), _) => Ok(FiltrexNode::Not(Box::new(self.expression(10)?))),
            (Token::Sign("("), _) => {
                let mut items = self.list()?;
                Ok(match items.len() {
                    1 => items.remove(0),
                    _ => FiltrexNode::Array(items),
                })
            }
            (Token::Symbol(name), _) => self.after_symbol(name),
            (token, at) => Err(unexpected(&token, at)),
        }
    }

    fn after_symbol(&mut self, name: String) -> Result<FiltrexNode, FiltrexError> {
        if self.take_if("(") {
            if self.take_if(")") {
                return Ok(FiltrexNode::Call(name, Vec::new()));
            }
            return Ok(FiltrexNode::Call(name, self.list()?));
        }
        if self.peek() == Some(&Token::Word("of")) {
            self.next += 1;
            return Ok(FiltrexNode::Of(name, Box::new(self.expression(12)?)));
        }
        Ok(FiltrexNode::Symbol(name))
    }

    /// Expressions up to the closing parenthesis.
    fn list(&mut self) -> Result<Vec<FiltrexNode>, FiltrexError> {
        let mut items = vec![self.expression(0)?];
        while self.take_if(",") {
            items.push(self.expression(0)?);
        }
        self.expect(")")?;
        Ok(items)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Infix {
    Binary(Operator),
    In,
    NotIn,
    Choice,
}

/// How strongly an operator binds, weakest first as in filtrex's grammar.
fn infix(token: &Token) -> Option<(u8, Infix)> {
    let binary = |strength, operator| Some((strength, Infix::Binary(operator)));
    match token {
        Token::Sign("?") => Some((1, Infix::Choice)),
        Token::Word("or") => binary(2, Operator::Or),
        Token::Word("and") => binary(3, Operator::And),
        Token::Word("in") => Some((4, Infix::In)),
        Token::Word("not") => Some((4, Infix::NotIn)),
        Token::Sign("==") => binary(5, Operator::Equal),
        Token::Sign("!=") => binary(5, Operator::NotEqual),
        Token::Sign("~=") => binary(5, Operator::Matches),
        Token::Sign("<") => binary(6, Operator::Less),
        Token::Sign("<=") => binary(6, Operator::LessOrEqual),
        Token::Sign(">") => binary(6, Operator::Greater),
        Token::Sign(">=") => binary(6, Operator::GreaterOrEqual),
        Token::Sign("+") => binary(7, Operator::Add),
        Token::Sign("-") => binary(7, Operator::Subtract),
        Token::Sign("*") => binary(8, Operator::Multiply),
        Token::Sign("/") => binary(8, Operator::Divide),
        Token::Sign("%") => binary(8, Operator::Remainder),
        Token::Sign("^") => binary(9, Operator::Power),
        _ => None,
    }
}
