//! Reads text as a document, piece by piece and within limits.
//!
//! html5ever looks through all open elements at most tags, and through all attributes of a tag at
//! each. Both are bounded here, so that the time for a page grows with its length only. A caller
//! that must not be held reads with [`HtmlParser`] and does other things between two pieces.

mod sink;
mod tags;

use std::cell::Cell;

use html5ever::TokenizerResult;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{
    BufferQueue, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts, TreeSink};

use crate::tree::{HtmlDocument, NodeId};
use sink::DocumentSink;
use tags::{Construct, UNCOUNTED_BYTES_MAX};

/// Elements within each other: as many as k6 reads, and browsers.
const NESTING_MAX: usize = 512;
/// Attributes of one tag, those that repeat a name included.
const ATTRIBUTES_MAX: usize = 4096;
/// Bytes that are read at a time.
const PIECE_BYTES: usize = 4 * 1024;

/// What of a page is more than is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum HtmlLimitError {
    /// Elements are nested too deeply; the words are k6's.
    #[error("html: open stack of elements exceeds {NESTING_MAX} nodes")]
    Nesting,
    /// A tag has too many attributes.
    #[error("html: a tag has more than {ATTRIBUTES_MAX} attributes")]
    Attributes,
}

/// Reads a document; everything is one, if only of an empty body.
///
/// # Errors
/// [`HtmlLimitError`]
pub fn parse(text: &str) -> Result<HtmlDocument, HtmlLimitError> {
    let mut parser = HtmlParser::new(text);
    loop {
        if let Some(document) = parser.read_piece()? {
            return Ok(document);
        }
    }
}

/// A document that is read piece by piece.
pub struct HtmlParser {
    text: StrTendril,
    /// Bytes that were read.
    read: usize,
    /// The end of the text that may be read without another look at it.
    cleared: usize,
    construct: Construct,
    queue: BufferQueue,
    /// `None` after the end.
    tokenizer: Option<Tokenizer<WatchedBuilder>>,
}

/// html5ever's tree builder, and what of its tokens tells where the tokenizer is.
struct WatchedBuilder {
    builder: TreeBuilder<NodeId, DocumentSink>,
    /// A tag, a comment or a document type has ended.
    has_ended: Cell<bool>,
    /// Within a script or the like.
    is_raw: Cell<bool>,
}

impl HtmlParser {
    /// Of which nothing is read yet.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let watched = WatchedBuilder {
            builder: TreeBuilder::new(DocumentSink::new(), TreeBuilderOpts::default()),
            has_ended: Cell::new(false),
            is_raw: Cell::new(false),
        };
        Self {
            text: StrTendril::from_slice(text),
            read: 0,
            cleared: 0,
            construct: Construct::None,
            queue: BufferQueue::default(),
            tokenizer: Some(Tokenizer::new(watched, TokenizerOpts::default())),
        }
    }

    /// Reads about 4 KiB more; the document once all is read.
    ///
    /// # Errors
    /// [`HtmlLimitError`]
    pub fn read_piece(&mut self) -> Result<Option<HtmlDocument>, HtmlLimitError> {
        let Some(tokenizer) = self.tokenizer.take() else {
            return Ok(None);
        };
        let until = self.read + PIECE_BYTES;
        while self.read < self.text.len() && self.read < until {
            self.read_on(&tokenizer, until)?;
            if tokenizer.sink.builder.sink.is_too_deep() {
                return Err(HtmlLimitError::Nesting);
            }
        }
        if self.read < self.text.len() {
            self.tokenizer = Some(tokenizer);
            return Ok(None);
        }
        tokenizer.end();
        let document = tokenizer.sink.builder.sink.finish();
        if is_too_deep(&document) {
            return Err(HtmlLimitError::Nesting);
        }
        Ok(Some(document))
    }

    /// Reads up to the next `>` or to about `until`, whichever comes first.
    fn read_on(
        &mut self,
        tokenizer: &Tokenizer<WatchedBuilder>,
        until: usize,
    ) -> Result<(), HtmlLimitError> {
        let watched = &tokenizer.sink;
        let begin = self.read;
        let is_new = self.cleared == begin;
        if is_new {
            let text = &self.text.as_bytes()[begin..];
            let length = memchr::memchr(b'>', text).map_or(text.len(), |at| at + 1);
            self.cleared = begin + length;
            watched.has_ended.set(false);
        }
        let is_counted =
            self.construct != Construct::None || self.cleared - begin > UNCOUNTED_BYTES_MAX;
        if is_new && is_counted {
            self.count(begin, watched)?;
        }
        let mut end = self.cleared;
        if end > until {
            end = until;
            while !self.text.is_char_boundary(end) {
                end += 1;
            }
        }
        let length = end - begin;
        // Both fit: a tendril is shorter than 4 GiB.
        #[expect(clippy::cast_possible_truncation, reason = "a tendril is below 4 GiB")]
        let piece = self.text.subtendril(begin as u32, length as u32);
        self.queue.push_back(piece);
        while !matches!(tokenizer.feed(&self.queue), TokenizerResult::Done) {}
        self.read = end;
        if end == self.cleared {
            if watched.has_ended.get() {
                self.construct = Construct::None;
            } else if is_new && !is_counted {
                self.count(begin, watched)?;
            }
        }
        Ok(())
    }

    fn count(&mut self, begin: usize, watched: &WatchedBuilder) -> Result<(), HtmlLimitError> {
        let text = &self.text.as_bytes()[begin..self.cleared];
        self.construct.read(text, watched.is_raw.get())
    }
}

impl TokenSink for WatchedBuilder {
    type Handle = NodeId;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<NodeId> {
        match &token {
            Token::TagToken(tag) => {
                self.has_ended.set(true);
                if tag.kind == TagKind::EndTag {
                    self.is_raw.set(false);
                }
            }
            Token::CommentToken(_) | Token::DoctypeToken(_) => self.has_ended.set(true),
            _ => {}
        }
        let outcome = self.builder.process_token(token, line);
        if matches!(
            outcome,
            TokenSinkResult::RawData(_) | TokenSinkResult::Plaintext
        ) {
            self.is_raw.set(true);
        }
        outcome
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder
            .adjusted_current_node_present_but_not_in_html_namespace()
    }
}

fn is_too_deep(document: &HtmlDocument) -> bool {
    let mut depth = 0;
    let mut at = HtmlDocument::ROOT;
    loop {
        if let Some(child) = document.first_child(at) {
            at = child;
            depth += 1;
            // A leaf that is no element is not on the stack.
            if depth > NESTING_MAX && document.is_element(at) {
                return true;
            }
            continue;
        }
        loop {
            if let Some(next) = document.next(at) {
                at = next;
                break;
            }
            let Some(parent) = document.parent(at) else {
                return false;
            };
            at = parent;
            depth -= 1;
        }
        if depth > NESTING_MAX && document.is_element(at) {
            return true;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use proptest::prelude::*;

    use super::*;

    fn attributes(count: usize) -> String {
        (0..count).fold(String::from("<p"), |mut tag, number| {
            write!(tag, " a{number}=1").unwrap();
            tag
        }) + ">"
    }

    #[test]
    fn a_tag_of_very_many_attributes_is_refused_wherever_it_stands() {
        let tag = attributes(20_000);
        let quoted = tag.replace("=1", "='>'");
        let before = [
            "",
            "a > b ",
            "<svg><style>",
            "<!-- > -->",
            "<svg><![CDATA[>]]>",
            "<script>if (a<b) c();</script>",
            "<title></p></title>",
        ];
        for before in before {
            for tag in [&tag, &quoted, &tag.replacen("<p", "</p", 1)] {
                let page = format!("{before}{tag}x");
                assert_eq!(
                    parse(&page).err(),
                    Some(HtmlLimitError::Attributes),
                    "{before}"
                );
            }
        }
        let end_of_script = format!("<script>{}", tag.replacen("<p", "</script", 1));
        assert!(parse(&end_of_script).is_err());
    }

    #[test]
    fn text_that_only_looks_like_many_attributes_is_read() {
        let words = "x y ".repeat(20_000);
        assert!(parse(&attributes(ATTRIBUTES_MAX)).is_ok());
        for page in [
            format!("<!--<p {words}-->"),
            format!("<!-- > <p {words}-->"),
            format!("<script>a<b {words}</script>"),
            format!("<textarea><b {words}</textarea>"),
            format!("<p d=\"{words}\">"),
            format!("<p title='> <b ' d=\"{words}\">"),
            format!("a < b {words}"),
            format!("<svg><![CDATA[ > <p {words}]]>"),
            format!("<!doctype {words}>"),
        ] {
            assert!(parse(&page).is_ok(), "{}", &page[..30]);
        }
    }

    #[test]
    fn nesting_is_refused_before_it_costs_much() {
        for tag in [
            "<div>",
            "<b><i>",
            "<table><tr><td>",
            "<svg>",
            "<a>",
            "<x a=1>",
        ] {
            let mut parser = HtmlParser::new(&tag.repeat(20_000));
            let mut pieces = 0;
            let refused = loop {
                match parser.read_piece() {
                    Ok(Some(_)) => break false,
                    Ok(None) => pieces += 1,
                    Err(_) => break true,
                }
            };
            // A link within a link ends the outer one.
            assert_eq!(refused, tag != "<a>", "{tag}");
            assert!(!refused || pieces <= 1, "{tag}: {pieces} pieces");
        }
    }

    proptest! {
        #[test]
        fn pieces_give_what_the_whole_gives(
            parts in proptest::collection::vec(
                prop_oneof![
                    Just("<p a='>' b>"), Just("</p>"), Just("<script>"), Just("</script>"),
                    Just("<!--"), Just("-->"), Just(">"), Just("<"), Just("é한"), Just("&amp;"),
                    Just("&#x41"), Just("\r\n"), Just("<svg>"), Just("<![CDATA["), Just("]]>"),
                    Just("<title>"), Just("</title>"), Just("<table>"), Just("<select>"), Just("x y "),
                ],
                0..60,
            )
        ) {
            let text = parts.concat();
            let whole = html5ever::parse_document(DocumentSink::new(), html5ever::ParseOpts::default());
            let whole = html5ever::tendril::TendrilSink::one(whole, text.as_str());
            let ours = parse(&text).unwrap();
            prop_assert_eq!(
                crate::render::inner_html(&ours, HtmlDocument::ROOT),
                crate::render::inner_html(&whole, HtmlDocument::ROOT)
            );
        }
    }
}
