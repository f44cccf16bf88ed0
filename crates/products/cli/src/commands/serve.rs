//! `serve`: the web UI over stored runs and those that go on.

mod spawner;
mod started;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use loadline_listen::{AllowedHosts, BackgroundPriority, Limits, Listener};
use loadline_report::document::printable;
use loadline_text::{Dialect, Exit, pages, problem};
use loadline_web::{AccessRole, AccessTokens, LINK_HOURS_MAX, TestRunner, WebSettings};

use super::store_args::StoreArgs;
use crate::context::Context;
use crate::listening::{self, TlsFlags, address};
use crate::page_secret::{PageSecret, random};
use crate::refusal::Refusal;
use crate::signals::EndOfService;
use crate::stored::{Stored, local_time, now_ms, store_path};
use started::Processes;

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
  loadline access --role read          # a link for a person who is to look only

The address that it prints opens the pages once, and a cookie keeps them open; loadline access prints
another one. Without it nothing is shown, also on this machine.
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
        let server = PageServer::new(path.clone(), hosts, Some(Box::new(starter)), context)?;
        let runtime = runtime().map_err(|error| failed(error.to_string()))?;
        runtime.block_on(async {
            let end = EndOfService::listen().map_err(|error| failed(error.to_string()))?;
            let listener = Listener::bind(address, page_limits());
            let listener = listener.map_err(|error| Refusal::config(listening::problem(&error)))?;
            let scheme = if tls.is_some() { "https" } else { "http" };
            let listener = listener.with_tls(tls);
            let text = |message| catalog.text(&message);
            let origin = format!("{scheme}://{}", listener.address());
            let store = self.store.store.as_deref();
            let again = access_command(&format!(" --address {origin}"), store);
            let token = access_command(" --token", store);
            let told = [
                text(pages::serve_at(server.link(&origin, "", now_ms(context)))),
                text(pages::serve_again(LINK_HOURS_MAX, again)),
                text(pages::serve_scripts(token)),
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
    tokens: AccessTokens,
    settings: WebSettings,
}

impl PageServer {
    /// # Errors
    /// The secret that opens the pages cannot be made or read.
    pub(crate) fn new(
        store: PathBuf,
        hosts: AllowedHosts,
        starter: Option<Box<dyn TestRunner>>,
        context: &Context,
    ) -> Result<Self, Refusal> {
        let secret = PageSecret::find(context)?;
        let of_store = store.clone();
        Ok(Self {
            tokens: secret.tokens(&store)?,
            settings: WebSettings {
                store,
                // Read at each request, so that it can be renewed.
                tokens: Box::new(move || secret.tokens(&of_store).ok()),
                wall_clock: context.wall_clock,
                local_time: |ms| local_time(ms, "%Y-%m-%d %H:%M:%S %:z"),
                starter,
                hosts,
            },
        })
    }

    /// The address of a page, with a token that opens it once.
    pub(crate) fn link(&self, origin: &str, page: &str, now_ms: i64) -> String {
        let token = self.tokens.link(AccessRole::Own, now_ms, random);
        format!("{origin}/{page}?token={token}")
    }

    /// Serves until `end` completes.
    pub(crate) async fn serve(self, listener: Listener, end: impl Future<Output = ()>) {
        loadline_web::serve(self.settings, listener, end).await;
    }
}

/// A command about the pages of a store, to be typed as it is.
pub(crate) fn access_command(flags: &str, store: Option<&str>) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:".contains(c);
    let typed = |store: &str| {
        if store.chars().all(is_plain) {
            store.to_owned()
        } else {
            format!("'{}'", store.replace('\'', "'\\''"))
        }
    };
    let store = store.map(|store| format!(" --store {}", typed(store)));
    let text = format!("loadline access{flags}{}", store.unwrap_or_default());
    printable::line(&text)
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
