//! `run --ui`: the page of a run while it goes on, and what stands for it in k6's options.
//!
//! The flag is taken out before a test's own flags are read, so it holds for URLs, k6 scripts and
//! Artillery files alike. k6's `-o web-dashboard` and `K6_WEB_DASHBOARD*` lead here.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use loadline_listen::{AllowedHosts, Listener, parse_address};
use loadline_report::document::html;
use loadline_report::run::{VerdictFacts, document};
use loadline_session::reported;
use loadline_store::Store;
use loadline_text::{Catalog, arguments, pages, problem, report};
use loadline_web::LINK_HOURS_MAX;
use loadline_web::control::SOCKET_VARIABLE;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;

use crate::commands::serve::{PageServer, access_command, page_limits, runtime};
use crate::context::Context;
use crate::control_folder::{control_folder, private};
use crate::launch::recording::run_name;
use crate::listening;
use crate::refusal::Refusal;
use crate::stored::{local_time, now_ms, store_path};

/// Where the page is served unless something else is typed.
const ADDRESS: &str = "127.0.0.1:8089";
/// Where k6 serves its dashboard.
const K6_PORT: &str = "5665";

/// What was asked for.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct UiRequest {
    /// Where to serve.
    address: String,
    /// Where to write a report when the run is over.
    export: Option<String>,
}

/// Takes the request for a page out of arguments and environment; `None` when there is none.
pub(crate) fn take(context: &mut Context, args: &mut Vec<String>) -> Option<UiRequest> {
    let mut found: Option<UiRequest> = None;
    let own = args
        .iter()
        .position(|arg| arg == "--ui" || arg.starts_with("--ui="));
    if let Some(place) = own {
        let arg = args.remove(place);
        let address = arg.strip_prefix("--ui=").unwrap_or(ADDRESS);
        found = Some(UiRequest {
            address: address.to_owned(),
            export: None,
        });
    }
    let dashboard = take_output(args);
    let mut set = |name: &str| context.env.remove(name).filter(|value| !value.is_empty());
    let is_on = set("K6_WEB_DASHBOARD").is_some_and(|value| value == "true" || value == "1");
    let names = ["HOST", "PORT", "EXPORT", "OPEN", "PERIOD", "TAGS", "RECORD"];
    let [host, port, export, ..] = names.map(|name| set(&format!("K6_WEB_DASHBOARD_{name}")));
    if found.is_some() || !(is_on || dashboard) {
        return found;
    }
    // k6 serves everyone on `localhost` only unless told otherwise; so does this.
    let host = host.unwrap_or_else(|| "127.0.0.1".to_owned());
    let port = match port.as_deref() {
        // k6 takes a negative port as no server.
        Some(port) if port.starts_with('-') => "0".to_owned(),
        Some(port) => port.to_owned(),
        None => K6_PORT.to_owned(),
    };
    Some(UiRequest {
        address: format!("{host}:{port}"),
        export,
    })
}

/// Takes `-o web-dashboard` out of arguments; whether it was there.
fn take_output(args: &mut Vec<String>) -> bool {
    let names = |value: &str| value == "web-dashboard" || value.starts_with("web-dashboard=");
    let before = args.len();
    let mut place = 0;
    while place < args.len() {
        let flag = args[place].clone();
        let takes_next = matches!(flag.as_str(), "-o" | "--out");
        if takes_next && args.get(place + 1).is_some_and(|value| names(value)) {
            args.drain(place..=place + 1);
        } else if flag.strip_prefix("--out=").is_some_and(names) {
            args.remove(place);
        } else {
            place += 1;
        }
    }
    args.len() < before
}

/// A page that is served while a run goes on.
pub(crate) struct RunPage {
    runtime: Option<Runtime>,
    stop: Option<oneshot::Sender<()>>,
    served: Option<tokio::task::JoinHandle<()>>,
    run: String,
    store: PathBuf,
    export: Option<String>,
    /// The store is there for the page alone.
    is_temporary: bool,
}

impl RunPage {
    /// Serves the page of the next run, and says where.
    ///
    /// # Errors
    /// Nothing can listen there, or nothing is stored.
    pub(crate) fn start(
        context: &mut Context,
        request: UiRequest,
        store: Option<&str>,
        catalog: &Catalog,
    ) -> Result<Self, Refusal> {
        let failed = |error: String| Refusal::config(problem::start_failed("--ui", error));
        let address: SocketAddr = parse_address(&request.address).map_err(|_| {
            let expected = arguments::expected_address();
            Refusal::flag("--ui", &request.address, &expected, catalog)
        })?;
        if !address.ip().is_loopback() {
            return Err(Refusal::config(problem::serve_open(address)));
        }
        let run = run_name();
        let folder = control_folder(context);
        private(&folder).map_err(|error| failed(error.to_string()))?;
        // Started as k6 nothing is kept unless a store is named; a page needs one.
        let is_unnamed = context.is_k6() && !context.env.contains_key("LOADLINE_STORE");
        let is_temporary = store.is_none() && (is_unnamed || store_path(context, None).is_none());
        if is_temporary {
            let path = folder.join(format!("{run}.db")).display().to_string();
            context.env.insert("LOADLINE_STORE".to_owned(), path);
        }
        let named = store.map(str::to_owned);
        let store =
            store_path(context, store).ok_or_else(|| Refusal::config(problem::no_store()))?;
        let socket = folder.join(format!("{run}.sock")).display().to_string();
        context.env.insert(SOCKET_VARIABLE.to_owned(), socket);
        context.next_run_name.replace(Some(run.clone()));
        let server = PageServer::new(store.clone(), AllowedHosts::local(), None, context)?;
        let runtime = runtime().map_err(|error| failed(error.to_string()))?;
        let entered = runtime.enter();
        let listener = Listener::bind(address, page_limits());
        let listener = listener.map_err(|error| Refusal::config(listening::problem(&error)))?;
        drop(entered);
        let origin = format!("http://{}", listener.address());
        let link = server.link(&origin, &format!("runs/{run}"), now_ms(context));
        let said = catalog.text(&pages::serve_at(link));
        context.err(&format!("loadline: {said}\n"));
        // Who looks for a store that nobody named would not find it.
        let unnamed = is_temporary.then(|| store.display().to_string());
        let named = named.or(unnamed);
        let again = access_command(&format!(" --address {origin}"), named.as_deref());
        let said = catalog.text(&pages::serve_again(LINK_HOURS_MAX, again));
        context.err(&format!("loadline: {said}\n"));
        let (stop, stopped) = oneshot::channel::<()>();
        let served = runtime.spawn(async move {
            let told = async {
                // Dropping the other end is a reason to stop, too.
                let _ = stopped.await;
            };
            server.serve(listener, told).await;
        });
        Ok(Self {
            runtime: Some(runtime),
            stop: Some(stop),
            served: Some(served),
            run,
            store,
            export: request.export,
            is_temporary,
        })
    }

    /// Lets those who watch see the end, and writes the report that was asked for.
    pub(crate) fn finish(mut self, context: &mut Context, catalog: &Catalog) {
        self.stop.take();
        if let (Some(runtime), Some(served)) = (self.runtime.take(), self.served.take()) {
            // A page that fell over is no fault of the run's.
            let _ = runtime.block_on(served);
            runtime.shutdown_background();
        }
        if let Some(path) = self.export.take() {
            let said = match self.write(context, &path, catalog) {
                Ok(()) => catalog.text(&report::written(&path)),
                Err(refusal) => catalog.problem(&refusal.problem),
            };
            context.err(&format!("loadline: {said}\n"));
        }
        if self.is_temporary {
            for end in ["", "-wal", "-shm"] {
                // One that is not there is as good.
                let _ = std::fs::remove_file(format!("{}{end}", self.store.display()));
            }
        }
    }

    fn write(&self, context: &Context, path: &str, catalog: &Catalog) -> Result<(), Refusal> {
        let unusable = |error| Refusal::other(problem::store_unusable(self.store.display(), error));
        let now = now_ms(context);
        let store = Store::open(&self.store).map_err(unusable)?;
        let row = store.find(&self.run, now).map_err(unusable)?;
        let run = reported::read(&store, row, now).map_err(unusable)?;
        let facts = VerdictFacts {
            started: local_time(run.tested.started_ms, "%Y-%m-%d %H:%M:%S %:z"),
        };
        let page = html::page(&document(&run, &facts, catalog), &[], catalog);
        std::fs::write(Path::new(&context.working_dir).join(path), page)
            .map_err(|error| Refusal::other(problem::write_failed(path, error)))
    }
}

#[cfg(test)]
mod tests {
    use super::take_output;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn only_the_dashboard_is_taken_out_of_the_outputs() {
        let mut args =
            words("a.js -o json=x -o web-dashboard=port=1 --out=web-dashboard --out csv=y");
        assert!(take_output(&mut args));
        assert_eq!(args, words("a.js -o json=x --out csv=y"));
        let mut args = words("a.js -o json=web-dashboard");
        assert!(!take_output(&mut args));
    }
}
