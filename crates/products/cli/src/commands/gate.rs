//! `gate`: the waiting room.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use loadline_gate::address_range::AddressRange;
use loadline_gate::gate::{EdgeLimits, ForwardedHeader, Gate, GateError, GateOptions};
use loadline_gate::http;
use loadline_gate::storage::{LogStoreError, UnsuitableReason};
use loadline_gate::tokens::redirect::{AllowedSchemes, parse_origin};
use loadline_listen::{ListenError, Listener};
use loadline_text::{Catalog, Dialect, Exit, Lang, Message, Problem, gate as words, problem};
use loadline_units::parse_duration;

use serde_json::json;
use tokio::sync::oneshot;

use crate::context::Context;
use crate::listening::{self, address};
use crate::refusal::Refusal;
use crate::signals::{EndOfService, StopSignal};

mod exposed;
mod import;
mod keys;
mod store;

use keys::RootKey;
use store::StoreArgs;

/// Between two tries to open a store that is away.
const STORE_RETRY_INTERVAL: Duration = Duration::from_secs(1);

/// Hold visitors in a fair queue and let them in at the rate the service can carry
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  loadline gate                                   # state in .loadline/gate; shows the root key once, at a terminal
  loadline gate --redis redis://127.0.0.1:6379 --secret-file gate.secret
  loadline gate --redis rediss://redis:6380 --redis-ca ca.pem --redis-password-file redis.password \\
    --secret-file gate.secret --root-key-file root.key
  loadline gate --public 0.0.0.0:8090 --public-url https://wait.example
  KEY=$(cat .loadline/gate/first-key)             # or what the first start showed at a terminal
  curl -H \"Authorization: Bearer $KEY\" -d '{\"name\":\"shop\"}' http://127.0.0.1:8091/v1/tenants
  curl -H \"Authorization: Bearer $KEY\" http://127.0.0.1:8091/v1/queues -d '{\"tenant\":\"t_...\",
    \"slug\":\"sale\",\"redirect_origins\":[\"https://shop.example\"],\"rate_per_s\":50,\"cap\":400}'
  curl http://127.0.0.1:8091/openapi.json         # all calls
  loadline gate import capacity.json --queue q_... --key-file .loadline/gate/first-key
  loadline gate recover-key --file root.key       # when all root keys are lost
"
)]
pub(crate) struct GateArgs {
    #[command(subcommand)]
    command: Option<GateCommand>,
    /// Where visitors and services reach it; port 0 takes a free one
    #[arg(long, value_name = "HOST:PORT", value_parser = address, default_value = "127.0.0.1:8090")]
    public: SocketAddr,
    /// Where owners reach it: settings, figures, probes
    #[arg(long, value_name = "HOST:PORT", value_parser = address, default_value = "127.0.0.1:8091")]
    admin: SocketAddr,
    /// The address that visitors see, if a proxy stands before it [default: http://PUBLIC]
    #[arg(long, value_name = "URL", value_parser = public_url)]
    public_url: Option<String>,
    #[command(flatten)]
    store: StoreArgs,
    /// File with the root key, which makes tenants, keys and queues; made if it is not there.
    /// $LOADLINE_GATE_ROOT_KEY may hold the key itself [default: shown at a terminal, else DIR/first-key]
    #[arg(long, value_name = "FILE")]
    root_key_file: Option<String>,
    /// Joins per minute from one address; 0 for no limit
    #[arg(long, value_name = "N", default_value_t = 120)]
    joins_per_address: u32,
    /// Streams open at once; further visitors poll
    #[arg(long, value_name = "N", default_value_t = 18_000)]
    streams: usize,
    /// Joins per minute from each address of a network, such as 10.0.0.0/8=0; may be repeated
    #[arg(long, value_name = "CIDR=N", value_parser = network_limit)]
    joins_of_network: Vec<(AddressRange, u32)>,
    /// Joins per second of everybody together; 0 for no limit
    #[arg(long, value_name = "N", default_value_t = 0)]
    joins_per_second: u32,
    /// Connections from one address; 0 for no limit [default: 2000, and no limit for this machine itself]
    #[arg(long, value_name = "N")]
    connections_per_address: Option<u32>,
    /// Streams of one address; 0 for no limit [default: 2000, and no limit for this machine itself]
    #[arg(long, value_name = "N")]
    streams_per_address: Option<u32>,
    /// Polls that a visitor may send sooner than told before they are refused; 0 for no limit
    #[arg(long, value_name = "N", default_value_t = 20)]
    polls_ahead: u32,
    /// A network that is not served; may be repeated
    #[arg(long, value_name = "CIDR")]
    refuse_network: Vec<AddressRange>,
    /// A proxy, or a network of them, that is believed when it says where a request came from; may be repeated
    #[arg(long, value_name = "CIDR")]
    trusted_proxy: Vec<AddressRange>,
    /// The header in which trusted proxies say it: x-forwarded-for or forwarded
    #[arg(long, value_name = "HEADER", value_parser = forwarded_header, default_value = "x-forwarded-for")]
    forwarded_header: ForwardedHeader,
    /// After SIGTERM it serves so long while /readyz says no, before it closes
    #[arg(long, value_name = "TIME", value_parser = delay, default_value = "5s")]
    drain_delay: Duration,
    /// Language: en or ko [default: that of the locale]
    #[arg(long, value_parser = crate::language::parse, value_name = "LANG")]
    lang: Option<Lang>,
}

fn network_limit(text: &str) -> Result<(AddressRange, u32), String> {
    let parts = text.split_once('=').ok_or("write CIDR=N")?;
    let network = parts
        .0
        .parse::<AddressRange>()
        .map_err(|error| error.to_string())?;
    let limit = parts
        .1
        .parse()
        .map_err(|_| "N must be a count".to_owned())?;
    Ok((network, limit))
}

fn forwarded_header(text: &str) -> Result<ForwardedHeader, String> {
    match text.to_ascii_lowercase().as_str() {
        "x-forwarded-for" => Ok(ForwardedHeader::XForwardedFor),
        "forwarded" => Ok(ForwardedHeader::Forwarded),
        _ => Err("x-forwarded-for or forwarded".to_owned()),
    }
}

/// Origins are compared with it, so it is written as browsers write them.
fn public_url(text: &str) -> Result<String, String> {
    parse_origin(text, AllowedSchemes::HttpToo).map_err(|error| error.to_string())
}

/// A bare number would be milliseconds here, of which nobody thinks.
fn delay(text: &str) -> Result<Duration, String> {
    let delay = parse_duration(text).map_err(|error| error.to_string())?;
    let has_unit = text.contains(|c: char| c.is_ascii_alphabetic());
    (has_unit || delay.is_zero())
        .then_some(delay)
        .ok_or_else(|| "no unit".to_owned())
}

#[derive(Debug, clap::Subcommand)]
enum GateCommand {
    Import(import::ImportArgs),
    NewKey(keys::NewKeyArgs),
    RecoverKey(keys::RecoverKeyArgs),
}

#[derive(Debug, thiserror::Error)]
enum GateRunError {
    #[error(transparent)]
    Listen(#[from] ListenError),
    #[error(transparent)]
    Store(#[from] LogStoreError),
    #[error(transparent)]
    Gate(#[from] GateError),
    #[error("{0}: {1}")]
    Secret(String, std::io::Error),
    #[error("{0}: it does not hold 64 hexadecimal digits")]
    SecretForm(String),
    #[error("{0}: {1}")]
    File(String, std::io::Error),
    #[error("{0}: {1}")]
    Unread(String, std::io::Error),
    #[error("the root key cannot be kept in {0}: {1}")]
    KeyUnsaved(String, std::io::Error),
    #[error("{} belongs to user {owner}", place.display())]
    ForeignData { place: PathBuf, owner: u32 },
    #[error("{0} holds no key")]
    KeyForm(String),
    #[error("the system gives no random numbers: {0}")]
    Random(String),
    #[error("cannot start a runtime: {0}")]
    Runtime(std::io::Error),
    #[error("cannot listen for signals: {0}")]
    Signals(std::io::Error),
}

fn store_problem(error: &LogStoreError) -> Problem {
    match error {
        LogStoreError::Unsuitable(UnsuitableReason::Address) => problem::gate_redis_address(),
        LogStoreError::Unsuitable(UnsuitableReason::Cluster) => problem::gate_redis_cluster(),
        LogStoreError::Unsuitable(UnsuitableReason::Login) => problem::gate_redis_login(),
        LogStoreError::Unsuitable(UnsuitableReason::Authorities) => problem::gate_redis_ca(),
        LogStoreError::InUse { path } => problem::gate_in_use(path),
        LogStoreError::Io { place, source } => problem::write_failed(place, source),
        other => problem::start_failed("gate", other),
    }
}

impl From<GateRunError> for Refusal {
    fn from(error: GateRunError) -> Self {
        if let GateRunError::Unread(path, error) = &error {
            return Self::unread(path, error);
        }
        Self::config(match &error {
            GateRunError::Listen(error) => listening::problem(error),
            GateRunError::SecretForm(place) => problem::gate_secret(place),
            GateRunError::KeyForm(place) => problem::gate_key(place),
            GateRunError::ForeignData { place, owner } => {
                problem::gate_data_foreign(place.display(), owner)
            }
            GateRunError::Secret(path, reason) | GateRunError::File(path, reason) => {
                problem::write_failed(path, reason)
            }
            GateRunError::KeyUnsaved(path, reason) => problem::gate_key_unsaved(path, reason),
            GateRunError::Gate(GateError::OtherSecret) => problem::gate_other_secret(),
            GateRunError::Gate(GateError::NothingKept(store)) => problem::gate_nothing_kept(store),
            GateRunError::Store(error) | GateRunError::Gate(GateError::Store(error)) => {
                store_problem(error)
            }
            other => problem::start_failed("gate", other),
        })
    }
}

/// Says why a command failed, if it did; its exit code.
fn ended(done: Result<(), GateRunError>, context: &mut Context, catalog: &Catalog) -> u8 {
    let exit = match done {
        Ok(()) => Exit::Success,
        Err(error) => {
            let refusal = Refusal::from(error);
            context.err(&format!("{}\n", catalog.problem(&refusal.problem)));
            refusal.exit
        }
    };
    exit.code(Dialect::Loadline)
}

impl GateArgs {
    pub(crate) fn exec(self, context: &mut Context) -> u8 {
        let catalog = context.catalog(self.lang);
        match self.command {
            Some(GateCommand::Import(args)) => return args.exec(context),
            Some(GateCommand::NewKey(args)) => return args.exec(context),
            Some(GateCommand::RecoverKey(args)) => return args.exec(context),
            None => {}
        }
        let served = self.serve(context, &catalog);
        ended(served, context, &catalog)
    }

    fn serve(&self, context: &mut Context, catalog: &Catalog) -> Result<(), GateRunError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
            .map_err(GateRunError::Runtime)?;
        runtime.block_on(self.serve_at(self.public, self.admin, context, catalog))
    }

    async fn serve_at(
        &self,
        public: SocketAddr,
        admin: SocketAddr,
        context: &mut Context,
        catalog: &Catalog,
    ) -> Result<(), GateRunError> {
        let mut end = EndOfService::listen().map_err(GateRunError::Signals)?;
        let (connections, owners) = http::raise_file_limit();
        let public = Listener::bind(public, http::limits(connections))?;
        let admin = Listener::bind(admin, http::limits(owners))?;
        let said = |message| catalog.text(&message);
        let addresses = format!(
            "{}\n{}\n",
            said(words::public(format!("http://{}", public.address()))),
            said(words::admin(format!("http://{}", admin.address())))
        );

        self.store.check_found(context)?;
        let root_key = self.root_key(context)?;
        let options = GateOptions {
            secret: self.store.secret(context)?,
            public_url: match &self.public_url {
                Some(url) => url.clone(),
                None => format!("http://{}", public.address()),
            },
            limits: self.limits(connections),
            trusted_proxies: self.trusted_proxy.clone(),
            forwarded_by: self.forwarded_header,
            refused_networks: self.refuse_network.clone(),
            wall_clock: context.wall_clock,
            log: |line| Context::print_err(&format!("{line}\n")),
        };
        self.say_exposed(context, catalog);
        let ending = catalog.text(&words::ending());
        let pending = http::PendingGate::default();
        let (tell, told) = oneshot::channel();
        let ending = http::ShutdownSignals {
            asked: async {
                let signal = end.next().await;
                Context::print_err(&format!("{ending}\n"));
                // It is received right below.
                let _ = tell.send((signal, end));
            },
            close: async {
                // Ctrl-C, or a second signal: somebody waits.
                if let Ok((StopSignal::Terminate, mut end)) = told.await {
                    let _ = tokio::time::timeout(self.drain_delay, end.next()).await;
                }
            },
        };
        let mut serving = pin!(http::serve(pending.clone(), public, admin, ending));
        let open = async {
            let opened = self.open(context, &options, root_key, &addresses).await;
            let (gate, said) = opened?;
            pending.open(gate.clone());
            let place = self.store.place(context, &gate.store());
            let mut print_line = |message| context.out(&format!("{}\n", catalog.text(&message)));
            print_line(place);
            if let Some(said) = said {
                print_line(said);
            }
            gate.found_other_secret().await;
            Err(GateRunError::from(GateError::OtherSecret))
        };
        let drained = tokio::select! {
            drained = &mut serving => drained,
            failed = open => return failed,
        };
        context.err(&format!("{}\n", catalog.text(&words::ended(drained.cut))));
        Ok(())
    }

    /// Says which secrets others on this machine can read.
    fn say_exposed(&self, context: &mut Context, catalog: &Catalog) {
        let named = self.root_key_file.as_ref();
        let root_key_file = named.map(|file| context.working_dir.join(file));
        for exposed in self.store.exposed(context, root_key_file.as_deref()) {
            context.err(&format!("loadline: {}\n", catalog.text(&exposed)));
        }
    }

    fn limits(&self, connections: usize) -> EdgeLimits {
        EdgeLimits {
            joins_per_address: self.joins_per_address,
            joins_of_networks: self.joins_of_network.clone(),
            joins_per_s: self.joins_per_second,
            connections,
            connections_per_address: self.connections_per_address,
            streams_per_address: self.streams_per_address,
            streams: self.streams,
            polls_ahead: self.polls_ahead,
        }
    }

    /// Opens the gate, waiting for a Redis that is away; what to say of the root key if it was made.
    /// The addresses are said once nothing of what was typed keeps the gate from opening.
    async fn open(
        &self,
        context: &mut Context,
        options: &GateOptions,
        root_key: RootKey,
        addresses: &str,
    ) -> Result<(Arc<Gate>, Option<Message>), GateRunError> {
        let mut said = None;
        loop {
            // Another gate each time: what the one before appended is not answered to it.
            let origin = origin()?;
            let store = self.store.open(context, origin)?;
            let opened = async {
                let gate = Gate::open(store, options.clone(), origin).await?;
                let said = root_key.settle(&gate).await?;
                Ok::<_, GateRunError>((gate, said))
            };
            let error = match opened.await {
                Ok(opened) => {
                    if said.is_none() {
                        context.out(addresses);
                    }
                    return Ok(opened);
                }
                Err(GateRunError::Gate(error))
                    if self.store.redis.is_some() && error.is_store_away() =>
                {
                    error
                }
                Err(error) => return Err(error),
            };
            if said.is_none() {
                context.out(addresses);
            }
            let why = error.to_string();
            if said.as_ref() != Some(&why) {
                let time_s = seconds(context.wall_clock);
                let line = json!({ "time_s": time_s, "event": "store_away", "why": why });
                (options.log)(&line.to_string());
                said = Some(why);
            }
            tokio::time::sleep(STORE_RETRY_INTERVAL).await;
        }
    }
}

fn seconds(clock: fn() -> SystemTime) -> u64 {
    let since = clock().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

/// A number that tells this gate from all others, and from itself before a restart.
fn origin() -> Result<u64, GateRunError> {
    let drawn = loadline_gate::draw_number();
    drawn.map_err(|error| GateRunError::Random(error.to_string()))
}
