//! A document as Markdown, for merge requests and wikis.

use std::fmt::Write as _;

use loadline_text::{Catalog, report};

use super::{DocumentBlock, DocumentFinding, DocumentRow, DocumentTable, ReportDocument};

/// The document without its charts, which text cannot hold.
#[must_use]
pub fn text(document: &ReportDocument, catalog: &Catalog) -> String {
    let say = |message| catalog.text(&message);
    let mut out = format!(
        "# {}\n\n**{}** {}\n",
        escaped(&document.title),
        escaped(&document.verdict.word),
        escaped(&document.verdict.text)
    );
    for detail in &document.verdict.details {
        let _ = write!(out, "\n{}\n", escaped(detail));
    }
    out.push('\n');
    for fact in &document.facts {
        let _ = writeln!(out, "- {}", escaped(fact));
    }
    if !document.figures.is_empty() {
        out.push('\n');
        for figure in &document.figures {
            let unit = [&figure.unit, &figure.note]
                .map(|text| escaped(text))
                .join(" ");
            let _ = writeln!(
                out,
                "- {}: **{}** {}",
                escaped(&figure.label),
                escaped(&figure.value),
                unit.trim()
            );
        }
    }
    if !document.goals.is_empty() {
        let mut table = DocumentTable::new(String::new());
        table.words(say(report::column_result()));
        table.words(say(report::column_goal()));
        table.numbers(say(report::column_observed()));
        for goal in &document.goals {
            let cells = [&goal.word, &goal.goal, &goal.observed];
            table.rows.push(cells.map(Clone::clone).to_vec());
        }
        let _ = write!(out, "\n## {}\n\n", say(report::section_goals()));
        table_of(&mut out, &table);
    }
    for section in &document.sections {
        let is_written = |block: &&DocumentBlock| !matches!(block, DocumentBlock::Chart(_));
        let blocks: Vec<&DocumentBlock> = section.blocks.iter().filter(is_written).collect();
        if blocks.is_empty() {
            continue;
        }
        let _ = write!(out, "\n## {}\n\n", escaped(&section.title));
        if !section.note.is_empty() {
            let _ = write!(out, "{}\n\n", escaped(&section.note));
        }
        for block in blocks {
            block_of(&mut out, block);
        }
    }
    out
}

fn block_of(out: &mut String, block: &DocumentBlock) {
    match block {
        DocumentBlock::Text { lines } => {
            for line in lines {
                let _ = write!(out, "{}\n\n", escaped(line));
            }
        }
        DocumentBlock::Rows { rows } => rows_of(out, rows),
        DocumentBlock::Table(table) => table_of(out, table),
        DocumentBlock::Finding(finding) => finding_of(out, finding),
        DocumentBlock::Source { text } => {
            let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
            let fence = "`".repeat(longest.max(2) + 1);
            let _ = write!(out, "{fence}\n{}\n{fence}\n\n", text.trim_end());
        }
        DocumentBlock::Chart(_) => {}
    }
}

fn rows_of(out: &mut String, rows: &[DocumentRow]) {
    for row in rows.iter().filter(|row| !row.values.is_empty()) {
        let values: Vec<String> = row.values.iter().map(|value| escaped(value)).collect();
        let _ = writeln!(out, "- {}: {}", escaped(&row.label), values.join("; "));
    }
    out.push('\n');
}

fn finding_of(out: &mut String, finding: &DocumentFinding) {
    let _ = write!(
        out,
        "**[{}]** {}\n\n",
        escaped(&finding.head),
        escaped(&finding.text)
    );
    rows_of(out, &finding.rows);
}

fn table_of(out: &mut String, table: &DocumentTable) {
    if !table.caption.is_empty() {
        let _ = write!(out, "{}\n\n", escaped(&table.caption));
    }
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    out.push_str(&line(
        table
            .columns
            .iter()
            .map(|column| escaped(&column.head))
            .collect(),
    ));
    let rules = table.columns.iter().map(|column| {
        if column.is_number {
            "--:".to_owned()
        } else {
            "---".to_owned()
        }
    });
    out.push_str(&line(rules.collect()));
    for row in &table.rows {
        out.push_str(&line(row.iter().map(|cell| escaped(cell)).collect()));
    }
    out.push('\n');
}

/// Text in which nothing is markup.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => out.push(' '),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}
