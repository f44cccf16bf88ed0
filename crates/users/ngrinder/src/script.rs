//! The k6 script that comes of the inner form.

mod calls;
mod checks;
mod classes;
mod code;
mod expression;
mod facts;
mod helpers;
mod kinds;
mod layout;
mod methods;
mod names;
mod random;
mod requests;
mod settings;
mod statement;

use std::collections::BTreeSet;

use loadline_text::{Catalog, ngrinder};

use crate::form::Program;
use crate::loss::{Loss, LossReason, Mistake};
use facts::Facts;
use helpers::Helper;
use names::Names;

/// Characters of a source line that are shown.
const SHOWN_MAX: usize = 100;

/// A script that was turned over.
#[derive(Debug, Clone)]
pub struct ConvertedScript {
    /// The k6 script.
    pub text: String,
    /// What it does not do, in the order of the source.
    pub losses: Vec<Loss>,
}

/// Writes the script.
pub(crate) fn write(program: &Program, source: &str, catalog: &Catalog) -> ConvertedScript {
    let mut turn = Turn {
        program,
        catalog,
        lines: source.lines().collect(),
        facts: Facts::new(program),
        names: Names::new(program),
        place: Place::Start,
        depth: 0,
        losses: Vec::new(),
        helpers: BTreeSet::new(),
        imports: BTreeSet::new(),
        has_checks: false,
        uses_self: false,
        empty: BTreeSet::new(),
        gives_last: program.gives_last,
    };
    let text = turn.layout();
    let mut losses = turn.losses;
    losses.sort_by_key(|loss| loss.line);
    losses.dedup();
    ConvertedScript { text, losses }
}

/// Where the code that is being written will run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Before the run, where files are read and no request is sent.
    Start,
    /// In a test: a failed check ends it.
    Test,
    /// In a function or a closure of one.
    Inside,
}

/// What is known while a script is turned over.
struct Turn<'p> {
    program: &'p Program,
    catalog: &'p Catalog,
    /// The lines of the source.
    lines: Vec<&'p str>,
    facts: Facts,
    names: Names,
    place: Place,
    /// How many blocks the line being written lies in.
    depth: usize,
    losses: Vec<Loss>,
    helpers: BTreeSet<Helper>,
    /// Names that are imported, with their modules: `sleep` of `k6`.
    imports: BTreeSet<&'static str>,
    has_checks: bool,
    uses_self: bool,
    /// Functions with nothing in them, which need not be called.
    empty: BTreeSet<String>,
    /// Whether a function gives back its last value, as in Groovy.
    gives_last: bool,
}

impl Turn<'_> {
    /// A line of the source, shortened.
    fn source_line(&self, line: u32) -> String {
        let index = usize::try_from(line)
            .unwrap_or(usize::MAX)
            .saturating_sub(1);
        let text = self.lines.get(index).map_or("", |line| line.trim());
        let text: String = text
            .chars()
            .map(|char| {
                if char.is_control() || matches!(char, '\u{2028}' | '\u{2029}') {
                    ' '
                } else {
                    char
                }
            })
            .collect();
        if text.chars().count() <= SHOWN_MAX {
            return text;
        }
        let shown: String = text.chars().take(SHOWN_MAX).collect();
        format!("{shown}...")
    }

    /// Notes what is lost; the lines that stand in its place.
    fn lose(&mut self, mistake: &Mistake) -> [String; 2] {
        let source = self.source_line(mistake.line);
        let reason = self.catalog.text(&mistake.reason.message());
        let comment = self.catalog.text(&ngrinder::not_turned_over(reason));
        let lines = [format!("// {comment}"), format!("//   {source}")];
        self.note_loss(mistake.line, mistake.reason.clone());
        lines
    }

    /// Notes something without a place of its own in the script.
    fn note_loss(&mut self, line: u32, reason: LossReason) {
        let source = self.source_line(line);
        self.losses.push(Loss {
            line,
            source,
            reason,
        });
    }

    fn import(&mut self, name: &'static str) {
        self.imports.insert(name);
    }

    fn help(&mut self, helper: Helper) -> &'static str {
        self.helpers.insert(helper);
        helper.name()
    }
}
