//! `explain`: what limited a run, with evidence.

use loadline_explain::{self as rules, Assumption, ExplainedRun, seen_warming};
use loadline_report::explanation::probe::{self, ProbeFacts};
use loadline_report::explanation::{self as report, file::ExplanationFile};
use loadline_session::explanation;
use loadline_text::{Exit, explain};

use super::store_args::{StoreArgs, ended};
use crate::context::Context;
use crate::refusal::Refusal;
use crate::stored::Stored;

/// Tell what limited a run: network, target, pool, threads, database, outside server or test bed
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  loadline run http://127.0.0.1:8080/ --rate 50/s --duration 60s \\
    --observe http://127.0.0.1:8080/actuator/prometheus
  loadline explain                                  # the latest run
  loadline explain k3f9 --what-if pool=30,outside=5s
  loadline explain latest --json
  loadline explain latest --readiness-probe >> deployment.yaml

Grades: A seen where it happens, B inferred from sources that agree, C from metrics that fit
other causes too. A prediction takes what a request needs of each resource to stay as it is.
")]
pub(crate) struct ExplainArgs {
    /// The run: its number, the beginning of its name, a tag, latest, latest~1
    #[arg(default_value = "latest")]
    run: String,
    /// Predict the highest rate after changes, separated by commas: pool=30, threads=50, cores=4,
    /// database-cores=2, outside=500ms (a call takes so long), statement=50% (the heaviest statement
    /// takes half of what it takes now), heap=512m
    #[arg(long, value_name = "CHANGES", value_delimiter = ',')]
    what_if: Vec<String>,
    /// Write probes for Kubernetes that let a pod get warm before it gets requests, from a run of a
    /// target that was cold
    #[arg(long, conflicts_with_all = ["what_if", "json"])]
    readiness_probe: bool,
    /// As JSON (docs/schemas/explanation.schema.json)
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    store: StoreArgs,
}

impl ExplainArgs {
    pub(crate) fn exec(self, context: &mut Context) -> u8 {
        let result = self.explain(context);
        ended(context, self.store.lang, result)
    }

    fn explain(&self, context: &mut Context) -> Result<Exit, Refusal> {
        let catalog = context.catalog(self.store.lang);
        let refused = |text: &str| {
            Refusal::flag("--what-if", text, &explain::expected_assumption(), &catalog)
        };
        let assumed = self.what_if.iter().map(|text| text.parse::<Assumption>());
        let assumed = assumed.collect::<Result<Vec<_>, _>>();
        let assumed = assumed.map_err(|error| refused(&error.0))?;
        let stored = Stored::open(context, self.store.store.as_deref())?;
        let row = stored.find(&self.run)?;
        let name = row.name.clone();
        let run = explanation::read(&stored.store, row);
        let run = run.map_err(|error| stored.refusal(error))?;
        let explained = rules::explain(&run, &assumed);
        if self.readiness_probe {
            let seen = seen_warming(&run, &explained);
            context.out(&probe::text(seen, &probe_facts(&run), &catalog));
            return Ok(Exit::Success);
        }
        let sources = &run.signals.sources;
        let text = if self.json {
            let file = ExplanationFile::new(&name, &explained, sources, &catalog);
            format!("{}\n", file.to_json())
        } else {
            report::text(&name, &explained, sources, &catalog)
        };
        context.out(&text);
        Ok(Exit::Success)
    }
}

/// Paths that a probe asks for, at most.
const PROBED_PATHS_MAX: usize = 5;

/// What a run asked its target that can be asked again and again.
fn probe_facts(run: &ExplainedRun) -> ProbeFacts {
    let urls = run.kinds.iter().filter_map(|kind| {
        let url = url::Url::parse(kind.name.strip_prefix("GET ")?).ok()?;
        // A folded id is no address.
        (!kind.name.contains('{')).then_some(url)
    });
    let mut facts = ProbeFacts::default();
    for url in urls.take(PROBED_PATHS_MAX) {
        facts.port = facts.port.or(url.port_or_known_default());
        facts.paths.push(url.path().to_owned());
    }
    facts
}
