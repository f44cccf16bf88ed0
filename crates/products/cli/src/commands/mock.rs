//! `mock`: a stand-in for an outside server.

use std::net::SocketAddr;

use loadline_mock::{
    LimitSpec, Mock, MockError, MockEvent, MockOptions, MockSpec, RouteSpec, Schedule, SpecError,
    Status,
};
use loadline_text::{Catalog, Dialect, Exit, Lang, millis, problem, testbed};
use serde_json::Value;

use crate::context::Context;
use crate::launch::problems::RefusedValue;
use crate::listening::{self, address};
use crate::refusal::Refusal;
use crate::signals::EndOfService;
use crate::{typed_numbers, typed_shares};

/// A share as the mock reads it, so that a wrong one is told of its flag.
fn share(text: &str) -> Result<String, RefusedValue> {
    typed_shares::share(text).map(|_| text.to_owned())
}

/// Stand in for an outside server: routes, latencies, faults, limits
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  loadline mock --latency 2s
  loadline mock --latency '2s, after 60s 0.5s' --errors 1%
  loadline mock --latency 'lognormal 200ms p95 800ms' --rate 50/s --queue 100
  loadline mock outside.yaml --admin 127.0.0.1:9001
  curl -X PUT http://127.0.0.1:9001/latency -d 0.5s     # while it runs
  curl http://127.0.0.1:9001/self                       # what it adds itself
")]
pub(crate) struct MockArgs {
    /// Routes, as YAML or JSON; without it every request is answered alike
    #[arg(value_name = "FILE", conflicts_with_all = ["latency", "status", "body", "errors", "timeouts", "rate", "concurrency", "queue", "bytes_per_second"])]
    file: Option<String>,
    /// Time to answer: 2s, uniform 1s..3s, normal 2s sd 0.5s, lognormal 2s p95 5s; changes after a comma
    #[arg(long, value_name = "LATENCY", value_parser = latency)]
    latency: Option<String>,
    /// Status of answers
    #[arg(long, value_name = "CODE", default_value_t = 200)]
    status: u16,
    /// Body of answers, with places to fill: {{query.id}}, {{seq}}, {{uuid}}, {{random 10}}, {{now}}
    #[arg(long, value_name = "TEXT")]
    body: Option<String>,
    /// Share of answers that fail with 503
    #[arg(long, value_name = "SHARE", value_parser = share)]
    errors: Option<String>,
    /// Share of requests that never get an answer
    #[arg(long, value_name = "SHARE", value_parser = share)]
    timeouts: Option<String>,
    /// Requests begun per second at most; more wait
    #[arg(long, value_name = "RATE", value_parser = rate)]
    rate: Option<String>,
    /// Requests worked on at once at most; more wait
    #[arg(long, value_name = "N")]
    concurrency: Option<usize>,
    /// Requests that may wait; more get 429 [default: 1000]
    #[arg(long, value_name = "N")]
    queue: Option<usize>,
    /// Bytes of a body sent in a second
    #[arg(long, value_name = "N")]
    bytes_per_second: Option<u64>,
    /// Where to listen; port 0 takes a free one
    #[arg(long, value_name = "HOST:PORT", value_parser = address, default_value = "127.0.0.1:9000")]
    address: SocketAddr,
    /// Where the admin port is: GET /self, /metrics, PUT /latency, /routes, POST /reset
    #[arg(long, value_name = "HOST:PORT", value_parser = address)]
    admin: Option<SocketAddr>,
    /// Language: en or ko [default: that of the locale]
    #[arg(long, value_parser = crate::language::parse, value_name = "LANG")]
    lang: Option<Lang>,
}

/// A latency as the mock reads it.
fn rate(text: &str) -> Result<String, String> {
    typed_numbers::rate(text).map(|_| text.to_owned())
}

fn latency(text: &str) -> Result<String, String> {
    Schedule::parse(text).map(|_| text.to_owned())
}

#[derive(Debug, thiserror::Error)]
enum MockRunError {
    #[error(transparent)]
    Mock(#[from] MockError),
    #[error(transparent)]
    Spec(#[from] SpecError),
    #[error("cannot start a runtime: {0}")]
    Runtime(std::io::Error),
    #[error("cannot listen for signals: {0}")]
    Signals(std::io::Error),
}

impl From<MockRunError> for Refusal {
    fn from(error: MockRunError) -> Self {
        Self::config(match &error {
            MockRunError::Mock(MockError::Listen(error)) => listening::problem(error),
            other => problem::start_failed("mock", other),
        })
    }
}

impl MockArgs {
    pub(crate) fn exec(self, context: &mut Context) -> u8 {
        let catalog = context.catalog(self.lang);
        let exit = match self.serve(context, &catalog) {
            Ok(()) => Exit::Success,
            Err(refusal) => {
                context.err(&format!("{}\n", catalog.problem(&refusal.problem)));
                refusal.exit
            }
        };
        exit.code(Dialect::Loadline)
    }

    fn spec(&self, context: &Context) -> Result<MockSpec, Refusal> {
        let Some(file) = &self.file else {
            return Ok(self.one_route().map_err(MockRunError::from)?);
        };
        let text = context
            .read_text(file)
            .map_err(|error| Refusal::unread(file, &error))?;
        MockSpec::parse(&text).map_err(|error| Refusal::config(problem::mock_file(file, error)))
    }

    fn one_route(&self) -> Result<MockSpec, SpecError> {
        let mut route = RouteSpec::default();
        route.status = self.status;
        route.bytes_per_second = self.bytes_per_second;
        if let Some(body) = &self.body {
            route.body.clone_from(body);
        }
        if self.rate.is_some() || self.concurrency.is_some() {
            route.limit = Some(LimitSpec {
                concurrency: self.concurrency,
                rate: self.rate.clone(),
                queue: self.queue,
                status: None,
            });
        }
        if let Some(latency) = &self.latency {
            route = route.with_latency(latency);
        }
        if let Some(share) = &self.errors {
            route = route.with_errors(share)?;
        }
        if let Some(share) = &self.timeouts {
            route = route.with_timeouts(share)?;
        }
        Ok(MockSpec::of_route(route))
    }

    fn serve(&self, context: &mut Context, catalog: &Catalog) -> Result<(), Refusal> {
        let spec = self.spec(context)?;
        let options = MockOptions {
            address: self.address,
            admin: self.admin,
            wall_clock: context.wall_clock,
        };
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
            .map_err(MockRunError::Runtime)?;
        let status = runtime.block_on(async {
            let end = EndOfService::listen().map_err(MockRunError::Signals)?;
            let mut mock = Mock::bind(&options, spec).map_err(MockRunError::from)?;
            context.out(&format!("http://{}\n", mock.address()));
            if let Some(admin) = mock.admin_address() {
                context.out(&format!("admin http://{admin}\n"));
            }
            let (watch, events) = (mock.watch(), mock.events());
            let said = tokio::spawn(write_events(events, Catalog::new(catalog.lang())));
            mock.serve(end.asked()).await;
            said.abort();
            Ok::<_, Refusal>(watch())
        })?;
        context.out(&ending(&status, catalog));
        Ok(())
    }
}

/// Says what a person must know at once.
async fn write_events(
    events: Option<tokio::sync::mpsc::UnboundedReceiver<MockEvent>>,
    catalog: Catalog,
) {
    let Some(mut events) = events else { return };
    while let Some(MockEvent::OpenFiles { connections, limit }) = events.recv().await {
        let problem = problem::mock_open_files(connections, limit);
        Context::print_err(&format!("{}\n", catalog.problem(&problem)));
    }
}

/// What it did and what it added.
fn ending(status: &Status, catalog: &Catalog) -> String {
    let number = |value: f64| loadline_text::grouped(value, 0);
    let time = |ms: Option<f64>| ms.map_or_else(|| "-".to_owned(), millis);
    let mut lines = vec![catalog.text(&testbed::mock_ending(
        number(status.requests as f64),
        number(status.most_in_flight as f64),
        number(status.most_connections as f64),
    ))];
    lines.push(catalog.text(&testbed::mock_added(
        time(status.added_p50_ms),
        time(status.added_p99_ms),
        time(status.added_max_ms),
        format!("{:.2}", status.cpu_cores),
        format!("{:.0}", status.cores),
    )));
    lines.push(if status.limited_by.is_empty() {
        catalog.text(&testbed::mock_kept_up())
    } else {
        catalog.text(&testbed::mock_was_bottleneck(status.limited_by.join(", ")))
    });
    let json = serde_json::to_value(status).unwrap_or(Value::Null);
    lines.push(json.to_string());
    lines.join("\n") + "\n"
}
