//! The story as a terminal shows it: what it came to, the table, what is told of each round, and what comes next.

use loadline_text::{Catalog, rounds};

use super::words::{TableWidth, Words};
use super::{RoundReport, StoryEnd, headline, scale_out};
use crate::filled_column::FilledColumn;
use crate::table::Table;

/// The whole story; ends with a line break.
#[must_use]
pub fn text(story: &RoundReport, catalog: &Catalog) -> String {
    let words = Words { catalog };
    let mut text = format!("{}\n", StoryEnd::from(story).sentence(story, catalog));
    text.extend(headline::way(story, catalog).map(|way| format!("{way}\n")));
    for line in scale_out::lines(story, catalog) {
        text.push_str(&format!("{line}\n"));
    }
    text.push('\n');
    let columns = words.columns(story, TableWidth::Figures);
    text.push_str(&FilledColumn::grid(&columns).render());
    for round in &story.rounds {
        let rows = words.details(round, TableWidth::Figures);
        if rows.is_empty() {
            continue;
        }
        text.push_str(&format!(
            "\n{}\n",
            catalog.text(&rounds::heading_round(&round.name))
        ));
        let mut table = Table::default();
        for (label, lines) in rows {
            table.list(format!("  {label}"), lines);
        }
        text.push_str(&table.render());
    }
    let next = headline::next(story, catalog);
    if !next.is_empty() {
        let mut table = Table::default();
        table.list(catalog.text(&rounds::label_next()), next);
        text.push_str(&format!("\n{}", table.render()));
    }
    let notes = words.notes(story);
    if !notes.is_empty() {
        text.push('\n');
        text.extend(notes.iter().map(|note| format!("{note}\n")));
    }
    text
}
