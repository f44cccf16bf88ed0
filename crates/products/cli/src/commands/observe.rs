//! `observe`: what sources of signals give.

use loadline_observe::SourceAddress;
use loadline_report::sources;
use loadline_session::{ObserveRequest, observe};
use loadline_text::{Dialect, Exit, Lang};

use super::run::{lang, observed};
use crate::context::Context;

/// See what sources of signals give, what is missing, and which setting turns it on
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Sources:
  http://HOST:PORT/PATH    a page in Prometheus' text format: Spring Boot, node_exporter, cAdvisor, ...
  port:N, pid:N            a process of this machine and all below it
  postgres://USER@HOST/DB  PostgreSQL: sessions, locks, statements
  redis://HOST             Redis: CPU, memory, commands
  otlp:PORT                what the target sends over OTLP to that port: traces, metrics
  log:FILE                 new lines of a log, counted by wording
  command:COMMAND          lines that a command of the shell prints: kubectl logs -f deploy/app

Examples:
  loadline observe --check http://127.0.0.1:8080/actuator/prometheus port:8080
  loadline run script.js --observe http://127.0.0.1:8080/actuator/prometheus --observe port:5432
")]
pub(crate) struct ObserveArgs {
    /// Look at each source for a moment and say what it gives
    #[arg(long, required = true)]
    check: bool,
    /// The sources
    #[arg(required = true, value_name = "SOURCE", value_parser = observed::source)]
    sources: Vec<SourceAddress>,
    /// Language: en or ko [default: that of the locale]
    #[arg(long, value_parser = lang, value_name = "LANG")]
    lang: Option<Lang>,
}

impl ObserveArgs {
    pub(crate) fn exec(self, context: &mut Context) -> u8 {
        let catalog = context.catalog(self.lang);
        let all = observe(&ObserveRequest {
            addresses: self.sources,
            environment: context.env.clone(),
        });
        context.out(&sources::check(&all, &catalog));
        let answered = |one: &loadline_record::signals::Signals| {
            one.sources.iter().all(|source| source.answered > 0)
        };
        let exit = if all.iter().all(answered) {
            Exit::Success
        } else {
            Exit::NoAnswer
        };
        exit.code(Dialect::Loadline)
    }
}
