//! Where a gate keeps its state, and the secret it signs with.

use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use loadline_gate::storage::LogStore;
use loadline_gate::storage::journal::Journal;
use loadline_gate::storage::redis::{RedisOptions, RedisStore};
use loadline_gate::tokens::Secret;

use loadline_text::{Message, gate as words};

use super::{GateRunError, exposed};
use crate::context::Context;

const SECRET: &str = "LOADLINE_GATE_SECRET";
const PASSWORD: &str = "LOADLINE_GATE_REDIS_PASSWORD";

/// Where the state is unless it is said.
const DATA: &str = ".loadline/gate";

/// Where the state is.
#[derive(Debug, clap::Args)]
pub(super) struct StoreArgs {
    /// Directory of state and secret [default: .loadline/gate]
    #[arg(long, value_name = "DIR")]
    data: Option<String>,
    /// Keep the state in Redis, shared by all gates that use it: redis://[user:password@]host:port[/db],
    /// rediss:// over TLS, redis+sentinel://host:port,host:port/name where Sentinels name the primary.
    /// Other users of the machine see what is typed: --redis-password-file keeps the password from them
    #[arg(long, value_name = "URL")]
    pub(super) redis: Option<String>,
    /// Prefix of the keys in Redis
    #[arg(
        long,
        value_name = "PREFIX",
        default_value = "llgate",
        requires = "redis"
    )]
    redis_prefix: String,
    /// File with Redis's password; $LOADLINE_GATE_REDIS_PASSWORD may hold it instead
    #[arg(long, value_name = "FILE", requires = "redis")]
    redis_password_file: Option<String>,
    /// PEM file of who may have signed Redis's certificate [default: whom this machine trusts]
    #[arg(long, value_name = "FILE", requires = "redis")]
    redis_ca: Option<String>,
    /// Tell nobody of anything that fewer than N replicas have: what was told outlives the primary
    #[arg(long, value_name = "N", default_value_t = 0, requires = "redis")]
    redis_replicas: u32,
    /// File with the secret all tokens are signed with; made if it is not there.
    /// $LOADLINE_GATE_SECRET may hold the secret itself [default: DIR/secret]
    #[arg(long, value_name = "FILE")]
    secret_file: Option<String>,
}

impl StoreArgs {
    /// Where the state is, for people; `about` is what the store says of itself.
    pub(super) fn place(&self, context: &Context, about: &str) -> Message {
        match &self.redis {
            None => words::store(self.data_folder(context).display()),
            Some(_) => words::store_redis(about.trim_start_matches("redis at ")),
        }
    }

    /// Where state and secret are.
    pub(super) fn data_folder(&self, context: &Context) -> PathBuf {
        let named = self.data.as_deref();
        context.working_dir.join(named.unwrap_or(DATA))
    }

    /// Whether the state that was found here, and not typed, is ours.
    ///
    /// # Errors
    /// [`GateRunError::ForeignData`]
    pub(super) fn check_found(&self, context: &Context) -> Result<(), GateRunError> {
        if self.data.is_some() {
            return Ok(());
        }
        exposed::check_found(context, &self.data_folder(context))
    }

    /// What is to be said of secrets that others can read.
    pub(super) fn exposed(&self, context: &Context, root_key_file: Option<&Path>) -> Vec<Message> {
        let password_file = self.redis_password_file.as_ref();
        let files = [
            self.secret_path(context),
            password_file.map(|file| context.working_dir.join(file)),
            root_key_file.map(Path::to_owned),
        ];
        let files = files.into_iter().flatten();
        let typed = self.redis.as_deref().and_then(exposed::typed_password);
        files
            .filter_map(|file| exposed::exposed_file(&file))
            .chain(typed)
            .collect()
    }

    /// Where the secret is, unless a variable holds it.
    fn secret_path(&self, context: &Context) -> Option<PathBuf> {
        match &self.secret_file {
            Some(file) => Some(context.working_dir.join(file)),
            None if context.env.contains_key(SECRET) => None,
            None => Some(self.data_folder(context).join("secret")),
        }
    }

    /// A store; Redis is connected to later.
    pub(super) fn open(
        &self,
        context: &Context,
        origin: u64,
    ) -> Result<Arc<dyn LogStore>, GateRunError> {
        let Some(url) = &self.redis else {
            let data = self.data_folder(context);
            return Ok(Arc::new(Journal::open(&data, context.wall_clock)?));
        };
        let read = |file: &String| {
            let path = context.working_dir.join(file);
            let failed = |error| GateRunError::Unread(path.display().to_string(), error);
            std::fs::read(&path).map_err(failed)
        };
        let in_file = self.redis_password_file.as_ref().map(read).transpose()?;
        let in_file = in_file.map(|bytes| {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            text.trim_end_matches(['\r', '\n']).to_owned()
        });
        let options = RedisOptions {
            url: url.clone(),
            password: in_file.or_else(|| context.env.get(PASSWORD).cloned()),
            authorities: self.redis_ca.as_ref().map(read).transpose()?,
            prefix: self.redis_prefix.clone(),
            replicas: self.redis_replicas,
        };
        Ok(Arc::new(RedisStore::with(options, origin)?))
    }

    /// The secret: given, or read, or drawn and kept.
    pub(super) fn secret(&self, context: &Context) -> Result<Secret, GateRunError> {
        self.secret_or(context, |path, _| {
            let place = || path.display().to_string();
            let drawn = Secret::draw();
            let secret = drawn.map_err(|error| GateRunError::Random(error.to_string()))?;
            let kept = keep(path, &secret.reveal());
            kept.map_err(|error| GateRunError::Secret(place(), error))?;
            Ok(secret)
        })
    }

    /// The secret of a store that is there.
    pub(super) fn known_secret(&self, context: &Context) -> Result<Secret, GateRunError> {
        self.secret_or(context, |path, missing| {
            Err(GateRunError::Unread(path.display().to_string(), missing))
        })
    }

    fn secret_or(
        &self,
        context: &Context,
        if_missing: impl FnOnce(&Path, io::Error) -> Result<Secret, GateRunError>,
    ) -> Result<Secret, GateRunError> {
        let Some(path) = self.secret_path(context) else {
            let text = context.env.get(SECRET).map_or("", String::as_str);
            let form = || GateRunError::SecretForm(format!("${SECRET}"));
            return Secret::parse(text).ok_or_else(form);
        };
        let place = || path.display().to_string();
        match std::fs::read_to_string(&path) {
            Ok(text) => Secret::parse(&text).ok_or_else(|| GateRunError::SecretForm(place())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => if_missing(&path, error),
            Err(error) => Err(GateRunError::Unread(place(), error)),
        }
    }
}

/// Makes a file that only its owner can read.
pub(super) fn keep(path: &Path, text: &str) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent)?;
    }
    // Under another name first: on a full disk no half of it is left.
    let beside = path.with_extension("new");
    let _ = std::fs::remove_file(&beside);
    let mut options = std::fs::OpenOptions::new();
    let mut file = options
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&beside)?;
    let written = file
        .write_all(format!("{text}\n").as_bytes())
        .and_then(|()| file.sync_all())
        // Never over what another gate made meanwhile.
        .and_then(|()| std::fs::hard_link(&beside, path));
    let _ = std::fs::remove_file(&beside);
    written
}
