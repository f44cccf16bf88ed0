//! A table that was measured elsewhere: one number of users in headline, figure, list and text, which is
//! never that of a level whose own row says that it misses.

use loadline_analysis::capacity::table::{Row, judge};
use loadline_report::capacity::{document, file::CapacityFile, table};
use loadline_report::document::{DocumentBlock, DocumentRow, ReportDocument};
use loadline_text::{Catalog, Lang};
use proptest::prelude::*;

const GOAL_MS: f64 = 100.0;

/// Levels by users, and the means of their answers.
pub(crate) fn drawn() -> impl Strategy<Value = Vec<Row>> {
    // Means within a hundredth of the goal are what a rounded number hides.
    let mean = prop_oneof![2 => 400_u32..1600, 1 => 990_u32..1010];
    let level = (1_u32..160, mean, 10_u32..20_000);
    prop::collection::vec(level, 2..9).prop_map(|levels| {
        let mut users = 0;
        let rows = levels.into_iter().map(|(more, mean, throughput)| {
            users += more;
            Row {
                users: f64::from(users),
                throughput: f64::from(throughput) / 10.0,
                mean: Some(f64::from(mean) / 10.0),
                ..Row::default()
            }
        });
        rows.collect()
    })
}

/// What is said of a table in one language.
pub(crate) struct SaidTable {
    screen: String,
    page: ReportDocument,
    lang: Lang,
}

impl SaidTable {
    pub(crate) fn new(rows: &[Row], lang: Lang) -> Self {
        let terms = ["mean<=100ms".parse().unwrap()];
        let judged = judge(rows.to_vec(), &terms, 0.0).unwrap();
        let catalog = Catalog::new(lang);
        let file = table::file(&judged, "t.csv", None).to_json();
        let file = CapacityFile::parse(&file).unwrap();
        Self {
            screen: table::text(&judged, "t.csv", None, &catalog),
            page: document::of_file(&file, "", &catalog),
            lang,
        }
    }

    /// What contradicts: nothing, if all is well.
    pub(crate) fn contradictions(&self, rows: &[Row]) -> Vec<String> {
        let mut wrong = self.notes_not_on_screen();
        let first = rows.iter().position(|row| row.mean.unwrap() > GOAL_MS);
        let Some(first) = first.filter(|first| *first > 0) else {
            return wrong;
        };
        let (held, missed) = (rows[first - 1].users, rows[first].users);
        let number = self.number();
        if !(held..missed).contains(&number) {
            wrong.push(format!("{number} is not from {held} to below {missed}"));
        }
        let told = self.about(number);
        let figure = &self.page.figures[0];
        let row = self.line_row();
        for (place, said) in [
            ("headline", &self.page.verdict.word),
            ("figure", &figure.value),
            ("list", &row.values[0]),
            ("screen", &self.screen),
        ] {
            if !said.contains(&told) {
                wrong.push(format!("{place} without {told}: {said}"));
            }
        }
        let interpolated = ["interpolated", "보간"][usize::from(self.lang == Lang::Ko)];
        for (place, said) in [
            ("headline", &self.page.verdict.text),
            ("figure", &figure.note),
            ("list", &row.values[0]),
            ("screen", &self.screen),
        ] {
            if !said.contains(interpolated) {
                wrong.push(format!("{place} does not say how it came to it: {said}"));
            }
        }
        wrong
    }

    /// What the page says of the two laws, and the screen does not.
    fn notes_not_on_screen(&self) -> Vec<String> {
        let notes = self.page.sections.iter().find(|part| part.id == "notes");
        let Some(DocumentBlock::Rows { rows }) = notes.map(|notes| &notes.blocks[0]) else {
            return vec!["the page says nothing of the two laws".to_owned()];
        };
        let said = rows.iter().flat_map(|row| &row.values);
        let alone = said.filter(|said| !self.screen.contains(said.as_str()));
        alone
            .map(|said| format!("only on the page: {said}"))
            .collect()
    }

    fn line_row(&self) -> &DocumentRow {
        let points = self.page.sections.iter().find(|part| part.id == "points");
        let DocumentBlock::Rows { rows } = &points.unwrap().blocks[0] else {
            panic!("points are rows");
        };
        &rows[0]
    }

    /// The users of the headline.
    fn number(&self) -> f64 {
        let word = &self.page.verdict.word;
        let digits: String = word
            .chars()
            .filter(|c| c.is_ascii_digit() || *c == '.')
            .collect();
        digits.parse().unwrap()
    }

    fn about(&self, users: f64) -> String {
        use loadline_analysis::capacity::Unit;
        loadline_report::capacity::about(users, Unit::Users, &Catalog::new(self.lang))
    }
}
