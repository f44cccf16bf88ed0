//! A document as one HTML page that needs nothing else: no script, no request, one style.
//!
//! Every text is escaped here. The page forbids scripts and requests itself, so that even a
//! fault in the escaping could not run anything.

mod axis;
mod chart;
mod heat;

pub(crate) use axis::clock;

use std::fmt::Write as _;

use loadline_text::{Catalog, Message, glossary, report};

use super::glossary::{GlossaryEntry, words_in};
use super::{
    DocumentBlock, DocumentFinding, DocumentGoal, DocumentRow, DocumentSection, DocumentTable,
    ReportDocument, StatementClass,
};

const STYLE: &str = include_str!("html/style.css");

/// What the page forbids: everything but its own style and the files inside it.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; \
    base-uri 'none'; form-action 'none'";

/// A file that can be saved from the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbeddedFile {
    /// Its name.
    pub name: String,
    /// Its media type.
    pub media_type: &'static str,
    /// Its text.
    pub text: String,
}

/// The page.
#[must_use]
pub fn page(document: &ReportDocument, files: &[EmbeddedFile], catalog: &Catalog) -> String {
    let page = Page {
        catalog,
        glossary: words_in(document, catalog),
    };
    let mut html = String::with_capacity(64 * 1024);
    let _ = write!(
        html,
        "<!doctype html>\n<html lang=\"{lang}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"generator\" content=\"loadline\">\n\
         <title>{word} · {title} – loadline</title>\n<style>{STYLE}</style>\n</head>\n<body>\n",
        lang = document.lang,
        word = escaped(&document.verdict.word),
        title = escaped(&document.title),
    );
    page.head(&mut html, document);
    html.push_str("<main>\n");
    page.goals(&mut html, &document.goals);
    for section in &document.sections {
        page.section(&mut html, section);
    }
    page.glossary(&mut html);
    page.files(&mut html, files);
    html.push_str("</main>\n</body>\n</html>\n");
    html
}

/// Text between tags or within an attribute.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// The name of a class in the style, and the sign that says the same without colour.
const fn class(of: StatementClass) -> (&'static str, &'static str) {
    match of {
        StatementClass::Good => ("good", "✓"),
        StatementClass::Bad => ("bad", "✗"),
        StatementClass::Doubtful => ("doubtful", "!"),
        StatementClass::Neutral => ("neutral", ""),
    }
}

struct Page<'a> {
    catalog: &'a Catalog,
    glossary: Vec<GlossaryEntry>,
}

impl Page<'_> {
    fn text(&self, message: &Message) -> String {
        escaped(&self.catalog.text(message))
    }

    /// A label, as a link to what its word means.
    fn label(&self, label: &str) -> String {
        let explains = |entry: &&GlossaryEntry| entry.labels.iter().any(|one| one == label);
        match self.glossary.iter().find(explains) {
            Some(entry) => format!(
                "<a class=\"term\" href=\"#word-{}\" title=\"{}\">{}</a>",
                entry.id,
                escaped(&entry.meaning),
                escaped(label)
            ),
            None => escaped(label),
        }
    }

    fn glossary(&self, html: &mut String) {
        if self.glossary.is_empty() {
            return;
        }
        let _ = writeln!(
            html,
            "<section id=\"words\"><h2>{}</h2>\n<dl class=\"rows\">",
            self.text(&glossary::heading())
        );
        for entry in &self.glossary {
            let _ = writeln!(
                html,
                "<div id=\"word-{}\"><dt>{}</dt><dd>{}</dd></div>",
                entry.id,
                escaped(&entry.word),
                escaped(&entry.meaning)
            );
        }
        html.push_str("</dl></section>\n");
    }

    fn head(&self, html: &mut String, document: &ReportDocument) {
        let (name, sign) = class(document.verdict.class);
        let facts = document.facts.iter().map(|fact| escaped(fact));
        let facts: Vec<String> = facts.map(|fact| format!("<li>{fact}</li>")).collect();
        let details = document.verdict.details.iter().map(|line| escaped(line));
        let details: String = details.map(|line| format!("<p>{line}</p>")).collect();
        let _ = write!(
            html,
            "<header>\n<p class=\"brand\"><svg viewBox=\"0 0 24 24\" aria-hidden=\"true\">\
             <circle cx=\"12\" cy=\"12\" r=\"7\"/><path d=\"M1 12h22\"/></svg>loadline</p>\n\
             <h1>{title}</h1>\n<ul class=\"facts\">{facts}</ul>\n\
             <section class=\"verdict {name}\" aria-label=\"{label}\">\
             <p class=\"word\"><span aria-hidden=\"true\">{sign}</span> <b>{word}</b></p>\
             <p class=\"said\">{text}</p>{details}</section>\n",
            title = escaped(&document.title),
            facts = facts.concat(),
            label = self.text(&report::label_verdict()),
            word = escaped(&document.verdict.word),
            text = escaped(&document.verdict.text),
        );
        if !document.figures.is_empty() {
            html.push_str("<dl class=\"figures\">\n");
            for figure in &document.figures {
                let _ = writeln!(
                    html,
                    "<div><dt>{}</dt><dd><b>{}</b> <span>{}</span><small>{}</small></dd></div>",
                    self.label(&figure.label),
                    escaped(&figure.value),
                    escaped(&figure.unit),
                    escaped(&figure.note),
                );
            }
            html.push_str("</dl>\n");
        }
        html.push_str("</header>\n");
    }

    fn goals(&self, html: &mut String, goals: &[DocumentGoal]) {
        if goals.is_empty() {
            return;
        }
        let _ = write!(
            html,
            "<section id=\"goals\"><h2>{}</h2>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\"><table><thead><tr>\
             <th scope=\"col\">{}</th><th scope=\"col\">{}</th><th scope=\"col\" class=\"n\">{}</th>\
             </tr></thead><tbody>\n",
            self.text(&report::section_goals()),
            self.text(&report::column_result()),
            self.text(&report::column_goal()),
            self.text(&report::column_observed()),
        );
        for goal in goals {
            let of = match goal.met {
                Some(true) => StatementClass::Good,
                Some(false) => StatementClass::Bad,
                None => StatementClass::Doubtful,
            };
            let (name, sign) = class(of);
            let _ = writeln!(
                html,
                "<tr><td class=\"{name}\"><span aria-hidden=\"true\">{sign}</span> {}</td>\
                 <td><code>{}</code></td><td class=\"n\">{}</td></tr>",
                escaped(&goal.word),
                escaped(&goal.goal),
                escaped(&goal.observed),
            );
        }
        html.push_str("</tbody></table></div></section>\n");
    }

    fn section(&self, html: &mut String, section: &DocumentSection) {
        let _ = writeln!(
            html,
            "<section id=\"{}\"><h2>{}</h2>",
            section.id,
            escaped(&section.title)
        );
        if !section.note.is_empty() {
            let _ = writeln!(html, "<p class=\"note\">{}</p>", escaped(&section.note));
        }
        let mut is_in_charts = false;
        for block in &section.blocks {
            let is_chart = matches!(block, DocumentBlock::Chart(_));
            if is_chart != is_in_charts {
                html.push_str(if is_chart {
                    "<div class=\"charts\">\n"
                } else {
                    "</div>\n"
                });
                is_in_charts = is_chart;
            }
            self.block(html, block, &section.title);
        }
        if is_in_charts {
            html.push_str("</div>\n");
        }
        html.push_str("</section>\n");
    }

    fn block(&self, html: &mut String, block: &DocumentBlock, title: &str) {
        match block {
            DocumentBlock::Text { lines } => {
                for line in lines {
                    let _ = writeln!(html, "<p>{}</p>", escaped(line));
                }
            }
            DocumentBlock::Rows { rows } => self.rows(html, rows),
            DocumentBlock::Table(table) => self.table(html, table, title),
            DocumentBlock::Chart(chart) => {
                chart::figure(html, chart, &self.label(&chart.title), self.catalog)
            }
            DocumentBlock::Finding(finding) => self.finding(html, finding),
            DocumentBlock::Source { text } => {
                let _ = writeln!(html, "<pre tabindex=\"0\">{}</pre>", escaped(text));
            }
        }
    }

    fn rows(&self, html: &mut String, rows: &[DocumentRow]) {
        html.push_str("<dl class=\"rows\">\n");
        for row in rows.iter().filter(|row| !row.values.is_empty()) {
            let (name, sign) = class(row.class);
            let sign = match row.class {
                StatementClass::Neutral => String::new(),
                _ => format!("<span class=\"{name}\" aria-hidden=\"true\">{sign}</span> "),
            };
            let _ = write!(html, "<div><dt>{}</dt>", self.label(&row.label));
            for value in &row.values {
                let _ = write!(html, "<dd>{sign}{}</dd>", escaped(value));
            }
            html.push_str("</div>\n");
        }
        html.push_str("</dl>\n");
    }

    fn table(&self, html: &mut String, table: &DocumentTable, title: &str) {
        let name = if table.caption.is_empty() {
            title
        } else {
            &table.caption
        };
        // A region that scrolls must be reachable by keyboard, and have a name.
        let _ = write!(
            html,
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"><table>",
            escaped(name)
        );
        if !table.caption.is_empty() {
            let _ = write!(html, "<caption>{}</caption>", escaped(&table.caption));
        }
        html.push_str("<thead><tr>");
        let numeric = |is_number| if is_number { " class=\"n\"" } else { "" };
        for column in &table.columns {
            let _ = write!(
                html,
                "<th scope=\"col\"{}>{}</th>",
                numeric(column.is_number),
                self.label(&column.head)
            );
        }
        html.push_str("</tr></thead><tbody>\n");
        for row in &table.rows {
            html.push_str("<tr>");
            for (cell, column) in row.iter().zip(&table.columns) {
                let _ = write!(
                    html,
                    "<td{}>{}</td>",
                    numeric(column.is_number),
                    escaped(cell)
                );
            }
            html.push_str("</tr>\n");
        }
        html.push_str("</tbody></table></div>\n");
    }

    fn finding(&self, html: &mut String, finding: &DocumentFinding) {
        let name = if finding.is_limit { " limit" } else { "" };
        let _ = writeln!(
            html,
            "<article class=\"finding{name}\"><h3>{}</h3><p>{}</p>",
            self.label(&finding.head),
            escaped(&finding.text)
        );
        self.rows(html, &finding.rows);
        html.push_str("</article>\n");
    }

    fn files(&self, html: &mut String, files: &[EmbeddedFile]) {
        if files.is_empty() {
            return;
        }
        let _ = write!(
            html,
            "<section id=\"data\"><h2>{}</h2>\n<ul class=\"files\">",
            self.text(&report::section_data())
        );
        for file in files {
            let _ = write!(
                html,
                "<li><a download=\"{name}\" href=\"data:{kind};charset=utf-8;base64,{data}\">{name}</a></li>",
                name = escaped(&file.name),
                kind = file.media_type,
                data = base64(file.text.as_bytes()),
            );
        }
        html.push_str("</ul></section>\n");
    }
}

/// Base 64 of RFC 4648, with padding.
fn base64(bytes: &[u8]) -> String {
    const BASE64_DIGITS: &[u8; 64] =
        b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let at = |place: usize| u32::from(chunk.get(place).copied().unwrap_or(0));
        let word = at(0) << 16 | at(1) << 8 | at(2);
        for place in 0..4 {
            let digit = (word >> (18 - 6 * place)) & 63;
            let shown = place <= chunk.len();
            out.push(if shown {
                char::from(BASE64_DIGITS[digit as usize])
            } else {
                '='
            });
        }
    }
    out
}

#[cfg(test)]
mod tests;
