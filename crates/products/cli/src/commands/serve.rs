//! `serve`: the web UI over stored runs and those that go on.

mod spawner;
mod started;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use loadline_listen::{AllowedHosts, BackgroundPriority, Limits, Listener};
use loadline_text::{Dialect, Exit, pages, problem};
use loadline_web::{TestRunner, WebSettings};

use super::store_args::StoreArgs;
use crate::context::Context;
use crate::listening::{self, TlsFlags, address};
use crate::refusal::Refusal;
use crate::signals::EndOfService;
use crate::stored::{Stored, local_time, store_path};
use started::Processes;

pub(crate) use started::{control_folder, private};

/// Browsers that watch at once. A process has 1,024 files where nobody allowed more.
const CONNECTIONS_MAX: usize = 512;
/// From so many on, idle connections make room.
const SHED_AT: usize = CONNECTIONS_MAX * 3 / 4;
/// How long a connection may say nothing.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);

/// Serve pages over stored runs and those that go on: list, live view, reports, comparisons, plans
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  loadline serve                       # then open the address that it prints
  loadline serve --address 127.0.0.1:0
  loadline serve --address 0.0.0.0:8443 --tls-cert chain.pem --tls-key key.pem --host load.example
  loadline run TEST --ui               # the page of one run while it goes on

Reading needs no token; whatever changes something does, also on this machine. The printed address
has it behind its #.
")]
pub(crate) struct ServeArgs {
    /// Where to listen; port 0 takes a free one
    #[arg(long, value_name = "HOST:PORT", value_parser = address, default_value = "127.0.0.1:8089")]
    address: SocketAddr,
    /// A name that the server may be called by, besides its address; repeatable
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    #[command(flatten)]
    tls: TlsFlags,
    #[command(flatten)]
    store: StoreArgs,
}

impl ServeArgs {
    pub(crate) fn exec(self, context: &mut Context) -> u8 {
        let catalog = context.catalog(self.store.lang);
        let exit = match self.serve(context) {
            Ok(()) => Exit::Success,
            Err(refusal) => {
                context.err(&format!("{}\n", catalog.problem(&refusal.problem)));
                refusal.exit
            }
        };
        exit.code(Dialect::Loadline)
    }

    fn serve(&self, context: &mut Context) -> Result<(), Refusal> {
        let failed = |error: String| Refusal::config(problem::start_failed("serve", error));
        let address = self.address;
        let tls = self.tls.for_address(address, context)?;
        let catalog = context.catalog(self.store.lang);
        let path = store_path(context, self.store.store.as_deref());
        let path = path.ok_or_else(|| Refusal::config(problem::no_store()))?;
        // One that is not there yet is made by the first run.
        if path.exists() {
            Stored::open(context, self.store.store.as_deref())?;
        }
        let starter = Processes::new(context, &path).map_err(|error| failed(error.to_string()))?;
        let hosts = self
            .host
            .iter()
            .fold(AllowedHosts::local(), |all, name| all.and(name));
        let server = PageServer::new(path.clone(), hosts, Some(Box::new(starter)), context);
        let runtime = runtime().map_err(|error| failed(error.to_string()))?;
        runtime.block_on(async {
            let end = EndOfService::listen().map_err(|error| failed(error.to_string()))?;
            let listener = Listener::bind(address, page_limits());
            let listener = listener.map_err(|error| Refusal::config(listening::problem(&error)))?;
            let scheme = if tls.is_some() { "https" } else { "http" };
            let listener = listener.with_tls(tls);
            let text = |message| catalog.text(&message);
            let told = [
                text(pages::serve_at(server.link(scheme, listener.address(), ""))),
                text(pages::serve_token(&server.token)),
                text(pages::serve_store(path.display())),
            ];
            context.out(&format!("{}\n", told.join("\n")));
            server.serve(listener, end.asked()).await;
            Ok(())
        })
    }
}

/// A server that is ready to listen.
pub(crate) struct PageServer {
    token: String,
    settings: WebSettings,
}

impl PageServer {
    pub(crate) fn new(
        store: PathBuf,
        hosts: AllowedHosts,
        starter: Option<Box<dyn TestRunner>>,
        context: &Context,
    ) -> Self {
        let token = token();
        Self {
            token: token.clone(),
            settings: WebSettings {
                store,
                token,
                wall_clock: context.wall_clock,
                local_time: |ms| local_time(ms, "%Y-%m-%d %H:%M:%S %:z"),
                starter,
                hosts,
            },
        }
    }

    /// The address of a page, the token behind its `#`.
    pub(crate) fn link(&self, scheme: &str, address: SocketAddr, page: &str) -> String {
        format!("{scheme}://{address}/{page}#token={}", self.token)
    }

    /// Serves until `end` completes.
    pub(crate) async fn serve(self, listener: Listener, end: impl Future<Output = ()>) {
        loadline_web::serve(self.settings, listener, end).await;
    }
}

/// What visitors of the pages may make the server hold.
pub(crate) fn page_limits() -> Limits {
    Limits {
        connections: CONNECTIONS_MAX,
        shed_at: SHED_AT,
        idle: IDLE_TIMEOUT,
        ..Limits::default()
    }
}

/// One thread serves; the store is asked on others. All run behind the threads of a load: a page that
/// is made must not delay a request that is due.
pub(crate) fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    let priority = BackgroundPriority::below_this_thread();
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder
        .worker_threads(1)
        .thread_name("pages")
        // Where the system refuses, pages are served as before.
        .on_thread_start(move || {
            let _ = priority.apply();
        })
        .enable_all()
        .build()
}

/// 128 random bits from the system, in hexadecimal digits.
fn token() -> String {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the system's random numbers cannot be read");
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
