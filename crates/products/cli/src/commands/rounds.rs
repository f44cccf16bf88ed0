//! `rounds`: the story of an experiment from stored runs, searches and typed rows.

mod gather;
mod refusal;
mod story_file;

use loadline_analysis::slo::Term;
use loadline_report::document::markdown;
use loadline_report::rounds::{self as report, RoundReport};
use loadline_text::{Catalog, Dialect, Exit};

use super::store_args::StoreArgs;
use crate::context::Context;
use crate::refusal::Refusal;
use crate::stored::written_report::{ReportFormat, Reported};
use refusal::StoryRefusal;

/// Tell an experiment in rounds: what each changed, what it gave and cost, what limits, what is next
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  loadline rounds round-1 round-2 round-3             # tags, runs or searches, in their order
  loadline rounds round-1 round-2 --goal 'p95<800ms' --format markdown
  loadline rounds rounds.yaml --report rounds.html    # with changes, costs, what was rejected
  loadline rounds rounds.yaml --lang ko --report rounds.md
  loadline rounds table.csv --goal 'p95<500ms'        # rows measured elsewhere

A round is what was run under one tag (loadline run --note 'what was changed', then loadline runs tag
latest round-1); repetitions count as one, a search of loadline capacity gives the capacity.
rounds.yaml has what no run knows:

  title: First page
  goal: p95<=800ms
  rounds:
    - change: as it was
      runs: round-1
    - change: one query, categories kept in memory
      runs: round-2
      commit: 3f2a91c
      costs: categories need a refresh and a fall-back
      rejected: [sort ids by avg(rating), lazy loading]
      figures: {DB CPU: 46 %}
    - change: ratings in a materialized view
      rate: 400/s
      p95: 750ms
      errors: 0%
      limit: database CPU above 90 %
      costs: view up to a minute stale
")]
pub(crate) struct RoundsArgs {
    /// The rounds in their order: a tag, a run, a series, runs parted by commas; or a file with rounds
    /// (.yaml), or a table that was measured elsewhere (.csv)
    #[arg(required = true, value_name = "ROUND")]
    rounds: Vec<String>,
    /// What is to be reached, repeatable: 'p95<800ms', 'errors<1%', 'mean<100ms'; those of a file
    /// otherwise
    #[arg(long, value_name = "TERM")]
    goal: Vec<String>,
    /// What the experiment is called
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// How it is printed: text, markdown (to paste into a wiki) or json
    #[arg(long, value_enum, default_value = "text")]
    format: StoryFormat,
    /// Write a page with table and pictures, too; .md and .json are text
    #[arg(long, value_name = "FILE")]
    report: Option<String>,
    #[command(flatten)]
    store: StoreArgs,
}

/// How a story is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum StoryFormat {
    Text,
    #[value(alias = "md")]
    Markdown,
    Json,
}

impl RoundsArgs {
    pub(crate) fn exec(self, context: &mut Context) -> u8 {
        let exit = self.print(context).unwrap_or_else(|refusal| {
            let catalog = context.catalog(self.store.lang);
            refusal.print(context, &catalog)
        });
        exit.code(Dialect::Loadline)
    }

    fn print(&self, context: &mut Context) -> Result<Exit, StoryRefusal> {
        let catalog = context.catalog(self.store.lang);
        let form = self
            .report
            .as_deref()
            .map(ReportFormat::asked)
            .transpose()?;
        let typed = self.goal.iter().map(|text| {
            (text.parse::<Term>()).map_err(|error| Refusal::goal("--goal", text, &error, &catalog))
        });
        let typed: Vec<Term> = typed.collect::<Result<_, _>>()?;
        let store = self.store.store.as_deref();
        let mut story = gather::story(context, &self.rounds, typed, store, &catalog)?;
        story.title = self.title.clone().unwrap_or(story.title);
        let shown = match self.format {
            StoryFormat::Text => report::text(&story, &catalog),
            StoryFormat::Markdown => {
                markdown::text(&report::document::document(&story, &catalog), &catalog)
            }
            StoryFormat::Json => story.to_json(),
        };
        context.out(&shown);
        if let Some(form) = form {
            reported(&story, &catalog).write(context, form, self.report.as_deref(), &catalog)?;
        }
        Ok(Exit::Success)
    }
}

fn reported(story: &RoundReport, catalog: &Catalog) -> Reported {
    Reported {
        name: "rounds".to_owned(),
        document: report::document::document(story, catalog),
        json: story.to_json(),
        seconds: 0.0,
    }
}
