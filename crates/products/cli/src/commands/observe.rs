//! `observe`: what sources of signals give; a file that names them; serving them to runs elsewhere.

mod first_file;
mod given_file;
mod given_sources;
mod grafana;
mod settings;
mod spring;

use std::time::Duration;

use std::net::SocketAddr;

use loadline_listen::ListenError;
use loadline_observe::SourceAddress;
use loadline_report::sources;
use loadline_session::{ObserveRequest, observe, serve_signals};
use loadline_text::{Catalog, Dialect, Exit, Lang, arguments, problem};

use crate::context::Context;
use crate::launch::observation;
use crate::listening::{self, TlsFlags, address};
use crate::refusal::Refusal;
use crate::signals::EndOfService;
use given_file::Given;

/// The variable that may hold the token.
const TOKEN: &str = "LOADLINE_OBSERVE_TOKEN";
/// Shorter tokens are guessed.
const TOKEN_LENGTH_MIN: usize = 8;

/// See what sources of signals give, what is missing, and which setting turns it on
#[derive(Debug, clap::Args)]
#[command(
    group = clap::ArgGroup::new("action").required(true),
    after_help = "\
Sources:
  http://HOST:PORT/PATH     a page in Prometheus' text format: Spring Boot, node_exporter, cAdvisor, ...
  prometheus://HOST:9090    a Prometheus that scrapes the target already; add ?match=job=\"shop\"
  port:N, pid:N             a process of this machine and all below it
  postgres://USER@HOST/DB   PostgreSQL: sessions, locks, statements
  mysql://USER@HOST         MySQL or MariaDB: sessions, locks, statements
  redis://HOST              Redis: CPU, memory, commands
  otlp:PORT                 what the target sends over OTLP to that port: traces, metrics; ?token=T asks for it
  log:FILE                  new lines of a log, counted by wording
  command:COMMAND           lines that a command of the shell prints: kubectl logs -f deploy/app
  tempo://HOST:3200?query=Q  traces that a Tempo has: Q is {resource.service.name=\"shop\"} or another TraceQL query
  loki://HOST:3100?query=Q  lines that a Loki has: Q is {app=\"shop\"} or another LogQL query for lines
  remote://TOKEN@HOST:PORT  what `loadline observe --listen` sees on another host; remote+https:// over TLS

Examples:
  loadline observe --check http://127.0.0.1:8080/actuator/prometheus port:8080
  loadline observe --init http://127.0.0.1:8080        # looks around, writes loadline.yaml
  loadline observe --init datasources.yaml application.yml   # what Grafana and Spring know already
  loadline observe --listen 0.0.0.0:7070 --token TOKEN --tls-cert c.pem --tls-key k.pem port:8080
  loadline run script.js --observe http://127.0.0.1:8080/actuator/prometheus --observe port:5432
"
)]
pub(crate) struct ObserveArgs {
    /// Look at each source for a moment and say what it gives
    #[arg(long, group = "action")]
    check: bool,
    /// Look around a target for sources, and name those that answer in loadline.yaml
    #[arg(long, group = "action")]
    init: bool,
    /// Serve the sources to runs on other hosts, which observe remote://TOKEN@HOST:PORT
    #[arg(long, group = "action", value_name = "HOST:PORT", value_parser = address)]
    listen: Option<SocketAddr>,
    /// What runs have to know to be served, at least 8 characters [default: LOADLINE_OBSERVE_TOKEN]
    #[arg(long, requires = "listen")]
    token: Option<String>,
    #[command(flatten)]
    tls: TlsFlags,
    /// The sources; for --init the target's URL, a Grafana data source file (.yaml) or a Spring configuration (.yml, .properties)
    #[arg(required = true, value_name = "SOURCE", value_parser = given_file::given)]
    sources: Vec<Given>,
    /// Language: en or ko [default: that of the locale]
    #[arg(long, value_parser = crate::language::parse, value_name = "LANG")]
    lang: Option<Lang>,
}

impl ObserveArgs {
    pub(crate) fn exec(self, context: &mut Context) -> u8 {
        let catalog = context.catalog(self.lang);
        let done = self.act(context, &catalog);
        let exit = done.unwrap_or_else(|refusal| {
            context.err(&format!("{}\n", catalog.problem(&refusal.problem)));
            refusal.exit
        });
        exit.code(Dialect::Loadline)
    }

    fn act(self, context: &mut Context, catalog: &Catalog) -> Result<Exit, Refusal> {
        let (mut sources, mut files) = (Vec::new(), Vec::new());
        for one in &self.sources {
            match one {
                Given::Source(source) => sources.push(source.clone()),
                Given::File(path) => files.push(path.clone()),
            }
        }
        observation::refuse_opened(&sources)?;
        if self.init {
            return first_file::write(&sources, &files, context, catalog);
        }
        if let Some(file) = files.first() {
            let expected = arguments::expected_source();
            return Err(Refusal::flag("observe", file, &expected, catalog));
        }
        match self.listen {
            Some(address) => self.serve(&sources, address, context, catalog),
            None => Ok(check(&sources, context, catalog)),
        }
    }

    fn serve(
        self,
        sources: &[SourceAddress],
        address: SocketAddr,
        context: &mut Context,
        catalog: &Catalog,
    ) -> Result<Exit, Refusal> {
        let token = self.token.clone();
        let token = token.or_else(|| context.env.get(TOKEN).cloned());
        let is_text = |token: &String| {
            token
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "-_.~".contains(c))
        };
        let token = token
            .filter(|token| token.len() >= TOKEN_LENGTH_MIN && is_text(token))
            .ok_or_else(|| Refusal::config(problem::observe_token(TOKEN_LENGTH_MIN)))?;
        let tls = self.tls.for_address(address, context)?;
        let scheme = if tls.is_some() {
            "remote+https"
        } else {
            "remote"
        };
        let failed = |error: std::io::Error| {
            Refusal::other(problem::start_failed("observe", error.to_string()))
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(failed)?;
        runtime.block_on(async {
            let end = EndOfService::listen().map_err(failed)?;
            let server = serve_signals(&request(sources, context), address, &token, tls);
            let server =
                server.map_err(|error: ListenError| Refusal::config(listening::problem(&error)))?;
            let served = server.address();
            let served = loadline_text::observe::serves(served, scheme, served.port());
            context.err(&format!("loadline: {}\n", catalog.text(&served)));
            server.serve(end.asked()).await;
            Ok(Exit::Success)
        })
    }
}

fn check(sources: &[SourceAddress], context: &mut Context, catalog: &Catalog) -> Exit {
    let all = observe(&request(sources, context));
    context.out(&sources::check(&all, catalog));
    if all.iter().all(sources::is_answering) {
        Exit::Success
    } else {
        Exit::NoAnswer
    }
}

fn request(addresses: &[SourceAddress], context: &Context) -> ObserveRequest {
    ObserveRequest {
        addresses: addresses.to_vec(),
        environment: context.env.clone(),
        wall_clock: context.wall_clock,
        after: Duration::ZERO,
    }
}
