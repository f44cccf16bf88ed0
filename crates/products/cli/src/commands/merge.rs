//! `merge`: the records of several generators of one test, as one run.

use loadline_record::Redactor;
use loadline_report::{k6, url, verdict};
use loadline_store::join::{self, JoinError, JoinPart};
use loadline_store::{PartsError, QUEUE_BYTES_MAX, RecorderConfig, RunInfo};
use loadline_text::{Catalog, Dialect, Exit, Message, millis, problem, records};

use super::store_args::{StoreArgs, ended};
use crate::context::Context;
use crate::launch::recording::run_name;
use crate::refusal::Refusal;
use crate::stored::Stored;

/// Join the runs of several generators of one test into one run
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  loadline run test.js --execution-segment 0:1/2 --execution-segment-sequence 0,1/2,1     # here
  loadline run test.js --execution-segment 1/2:1 --execution-segment-sequence 0,1/2,1     # there
  loadline merge k3f9 x2a7
  loadline merge --from there.db latest k3f9    # a run of another store file

All segments of the test are needed, each once. Thresholds are judged on the whole.
")]
pub(crate) struct MergeArgs {
    /// The runs, one of each generator
    #[arg(required = true)]
    runs: Vec<String>,
    /// Store file of another generator to look in, too; repeatable
    #[arg(long, value_name = "FILE")]
    from: Vec<String>,
    /// Words to keep with the merged run
    #[arg(long, value_name = "TEXT", default_value = "")]
    note: String,
    #[command(flatten)]
    store: StoreArgs,
}

impl MergeArgs {
    pub(crate) fn exec(self, context: &mut Context) -> u8 {
        let result = self.merge(context);
        ended(context, self.store.lang, result)
    }

    fn merge(&self, context: &mut Context) -> Result<Exit, Refusal> {
        let catalog = context.catalog(self.store.lang);
        let own = Stored::open(context, self.store.store.as_deref());
        let others = self.from.iter();
        let others: Result<Vec<Stored>, Refusal> = others
            .map(|file| Stored::open(context, Some(file)))
            .collect();
        let mut stores = others?;
        let path = crate::stored::store_path(context, self.store.store.as_deref());
        match own {
            Ok(own) => stores.insert(0, own),
            // With the stores of others, no local store is needed.
            Err(refusal) if stores.is_empty() => return Err(refusal),
            Err(_) => {}
        }
        let path = path.ok_or_else(|| Refusal::config(problem::no_store()))?;
        let mut parts = Vec::new();
        for reference in &self.runs {
            parts.push(find(&stores, reference)?);
        }
        let keeping = RecorderConfig {
            path,
            name: run_name(),
            about: RunInfo {
                note: self.note.clone(),
                ..RunInfo::default()
            },
            // What is read from a store has no secrets any more.
            redactor: Redactor::default(),
            fold_limit: parts[0].run.rules.fold_limit,
            wall_clock: context.wall_clock,
            queue: QUEUE_BYTES_MAX,
        };
        let kind = parts[0].run.row.kind.clone();
        let joined = join::join(&parts, keeping).map_err(|error| refusal(error, &catalog))?;
        let exit = url::exit(&joined.summary.verdict());
        let code = exit.code(Dialect::Loadline);
        let mut text = if kind == "url" {
            let target = &parts[0].run.row.test;
            let facts = url::RunFacts {
                target,
                warm_up: None,
                end: url::ProgramEnding::Code(code),
            };
            url::text(&joined.summary, facts, &catalog)
        } else {
            let options = k6::SummaryOptions {
                no_color: true,
                ..k6::SummaryOptions::default()
            };
            let line = verdict::of_script(&joined.summary, exit, code, &catalog);
            let summary = k6::text(&joined.summary, k6::SummaryDetail::Compact, &options);
            format!("{line}\n{summary}")
        };
        let milliseconds = |time: std::time::Duration| millis(time.as_secs_f64() * 1e3);
        let (error, spread) = (milliseconds(joined.error), milliseconds(joined.spread));
        for line in [
            records::merged_as(&joined.kept.name, parts.len()),
            records::merged_error(error, spread),
        ] {
            text.push_str(&format!("{}\n", catalog.text(&line)));
        }
        context.out(&text);
        if let Some(loss) = joined.kept.loss {
            let store = stores
                .first()
                .map(|stored| stored.store.path().display().to_string());
            let path = store.unwrap_or_default();
            return Err(Refusal::other(problem::store_unusable(path, loss.reason)));
        }
        Ok(exit)
    }
}

/// The run in the first store that has it.
fn find(stores: &[Stored], reference: &str) -> Result<JoinPart, Refusal> {
    let mut refused = None;
    for stored in stores {
        match stored.find(reference) {
            Ok(row) => {
                let refuse = |error| stored.refusal(error);
                let windows = stored.store.all_windows(&row).map_err(refuse)?;
                let run = stored.store.read(row).map_err(refuse)?;
                return Ok(JoinPart { run, windows });
            }
            Err(refusal) => {
                refused.get_or_insert(refusal);
            }
        }
    }
    Err(refused.unwrap_or_else(|| Refusal::config(problem::run_missing(reference))))
}

fn refusal(error: JoinError, catalog: &Catalog) -> Refusal {
    let reason: Message = match error {
        JoinError::TooFew => records::merge_few(),
        JoinError::OtherTest { one, other } => records::merge_other_test(one, other),
        JoinError::Parts(PartsError::Whole { run }) => records::merge_whole(run),
        JoinError::Parts(PartsError::Malformed { run, segment }) => {
            records::merge_malformed(run, segment)
        }
        JoinError::Parts(PartsError::Twice {
            one,
            other,
            from,
            to,
        }) => records::merge_twice(one, other, from, to),
        JoinError::Parts(PartsError::Missing { from, to }) => records::merge_missing(from, to),
        JoinError::Parts(PartsError::OtherCuts {
            one,
            other,
            first,
            second,
        }) => records::merge_cuts(one, other, first, second),
        JoinError::Unfinished { run } => records::merge_unfinished(run),
        JoinError::Store(error) => {
            return Refusal::other(problem::store_unusable("", error));
        }
    };
    Refusal::config(problem::not_merged(catalog.text(&reason)))
}
