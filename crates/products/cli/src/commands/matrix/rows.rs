//! The rows of a matrix, from what was typed: each API alone, and the user's flow.

mod artillery;
mod folder;
mod script;
mod urls;

use loadline_analysis::slo::Term;
use loadline_report::matrix::RowKind;
use loadline_text::{Catalog, arguments, problem};

use super::args::{MatrixLine, SourceKind};
use crate::commands::run::{self, Steerable, SteeredParts};
use crate::context::Context;
use crate::launch::flags_elsewhere::KnownFlags;
use crate::refusal::Refusal;
pub(super) use folder::terms_of_plan;

/// What runs all scenarios together is called.
const MIX: &str = "mix";

/// A row, and how its test is made ready.
#[derive(Debug, Clone)]
pub(super) struct RowSource {
    pub(super) name: String,
    pub(super) kind: RowKind,
    /// Iterations per second that the test itself plans.
    pub(super) planned: Option<f64>,
    /// The arguments of `run`.
    pub(super) args: Vec<String>,
    /// The only scenario to load.
    pub(super) scenario: Option<String>,
    pub(super) parts: SteeredParts,
    /// Method and path, where it is one request.
    pub(super) request: Option<RequestLine>,
}

/// What a request asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RequestLine {
    pub(super) method: String,
    pub(super) path: String,
}

/// All rows.
#[derive(Debug, Default)]
pub(super) struct RowSources {
    pub(super) rows: Vec<RowSource>,
    /// The objective of the plan that wrote the tests; may be empty.
    pub(super) terms: Vec<Term>,
    /// Why the flow was taken for one, where nobody said so.
    pub(super) is_flow_guessed: bool,
}

impl RowSource {
    fn new(name: impl Into<String>, args: Vec<String>) -> Self {
        Self {
            name: name.into(),
            kind: RowKind::Api,
            planned: None,
            args,
            scenario: None,
            parts: SteeredParts::Planned,
            request: None,
        }
    }

    /// The test made ready.
    pub(super) fn prepare(
        &self,
        context: &mut Context,
        known: &KnownFlags,
    ) -> Result<Steerable, Refusal> {
        run::steerable_parts(context, &self.args, known, self.parts)
    }
}

impl RowSources {
    /// Reads them, and sees that each can be made ready.
    pub(super) fn gather(
        context: &mut Context,
        line: &MatrixLine,
        known: &KnownFlags,
        catalog: &Catalog,
    ) -> Result<Self, Refusal> {
        let Some(first) = line.rest.words.first() else {
            return Err(Refusal::config(problem::argument_missing("TEST")));
        };
        let flags = &line.rest.flags;
        let mut sources = match line.kind {
            SourceKind::Script => script::rows(context, first, flags, known)?,
            SourceKind::Artillery => artillery::rows(context, &line.rest, known)?,
            SourceKind::Urls => urls::of_words(&line.rest.words, flags),
            SourceKind::List => urls::of_file(context, first, flags)?,
            SourceKind::Folder => folder::rows(context, first, flags)?,
        };
        if let Some(flow) = &line.own.flow {
            sources.name_flow(flow, catalog)?;
        }
        Ok(sources)
    }

    /// The row of this name is the flow; then the mix of all is none.
    fn name_flow(&mut self, flow: &str, catalog: &Catalog) -> Result<(), Refusal> {
        if !self.rows.iter().any(|row| row.name == flow) {
            return Err(self.unknown_row("--flow", flow, catalog));
        }
        self.rows.retain(|row| row.name != MIX || flow == MIX);
        for row in &mut self.rows {
            row.kind = if row.name == flow {
                RowKind::Flow
            } else {
                RowKind::Api
            };
        }
        self.is_flow_guessed = false;
        Ok(())
    }

    /// A flag names a row that there is not.
    pub(super) fn unknown_row(&self, flag: &str, name: &str, catalog: &Catalog) -> Refusal {
        let known: Vec<&str> = self.rows.iter().map(|row| row.name.as_str()).collect();
        let expected = arguments::expected_one_of(known.join(", "));
        Refusal::flag(flag, name, &expected, catalog)
    }

    /// Takes the row whose name says so for the flow; tells whether there was one.
    fn guess_flow(&mut self) -> bool {
        let is_flow = |name: &str| {
            let name = name.to_ascii_lowercase();
            ["flow", "journey"].iter().any(|word| name.contains(word))
        };
        let mut named = self.rows.iter_mut().filter(|row| is_flow(&row.name));
        let (Some(row), None) = (named.next(), named.next()) else {
            return false;
        };
        row.kind = RowKind::Flow;
        self.is_flow_guessed = true;
        true
    }
}
