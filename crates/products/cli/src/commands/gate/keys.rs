//! The root key: given, made at the first start, or made anew when it is lost.
//!
//! It is shown at a terminal only: elsewhere the output is a log, which others read and which
//! is kept.

use std::io;
use std::path::{Path, PathBuf};

use loadline_gate::directory::KeySecret;
use loadline_gate::gate::{Gate, recover};
use loadline_text::{Lang, Message, gate as words};

use super::store::{StoreArgs, keep};
use super::{GateArgs, GateRunError, ended, origin};
use crate::context::Context;

const ROOT_KEY: &str = "LOADLINE_GATE_ROOT_KEY";

/// What is to become of the root key.
pub(super) enum RootKey {
    /// It was given.
    Given(KeySecret),
    /// One is made and kept in a file that was named.
    File(PathBuf),
    /// The first one is kept in this file, if the store has none.
    FirstIn(PathBuf),
    /// The first one is shown.
    Shown,
}

impl GateArgs {
    /// What was said of the root key.
    pub(super) fn root_key(&self, context: &Context) -> Result<RootKey, GateRunError> {
        let named = self.root_key_file.as_ref();
        if let Some(path) = named.map(|file| context.working_dir.join(file)) {
            return Ok(read_key(&path)?.map_or(RootKey::File(path), RootKey::Given));
        }
        if let Some(text) = context.env.get(ROOT_KEY) {
            let form = || GateRunError::KeyForm(format!("${ROOT_KEY}"));
            return KeySecret::parse(text.trim())
                .map(RootKey::Given)
                .ok_or_else(form);
        }
        let first = self.store.data_folder(context).join("first-key");
        Ok(if context.stdout_is_tty {
            RootKey::Shown
        } else {
            RootKey::FirstIn(first)
        })
    }
}

impl RootKey {
    /// Does it; what to say.
    pub(super) async fn settle(&self, gate: &Gate) -> Result<Option<Message>, GateRunError> {
        match self {
            Self::Given(key) => {
                gate.ensure_root_key(key).await?;
                Ok(None)
            }
            Self::File(path) => {
                // It may be there from a try before, when the store went away.
                let key = match read_key(path)? {
                    Some(key) => key,
                    None => made_in(path)?,
                };
                gate.ensure_root_key(&key).await?;
                Ok(Some(words::first_key_file(path.display())))
            }
            Self::FirstIn(_) | Self::Shown if gate.has_keys() => Ok(None),
            Self::FirstIn(path) => {
                let key = match read_key(path)? {
                    Some(key) => key,
                    None => made_in(path)?,
                };
                let is_first = gate.create_first_key(&key).await?;
                if !is_first {
                    // Another gate was faster, and has its own; this one opens nothing.
                    let failed = |error| GateRunError::File(path.display().to_string(), error);
                    std::fs::remove_file(path).map_err(failed)?;
                }
                Ok(is_first.then(|| words::first_key_file(path.display())))
            }
            Self::Shown => {
                let key = drawn()?;
                let is_first = gate.create_first_key(&key).await?;
                Ok(is_first.then(|| words::first_key(key.reveal())))
            }
        }
    }
}

fn drawn() -> Result<KeySecret, GateRunError> {
    KeySecret::draw().map_err(|error| GateRunError::Random(error.to_string()))
}

/// A key in a file; `None` when there is no file.
fn read_key(path: &Path) -> Result<Option<KeySecret>, GateRunError> {
    let place = || path.display().to_string();
    match std::fs::read_to_string(path) {
        Ok(text) => match KeySecret::parse(text.trim()) {
            Some(key) => Ok(Some(key)),
            None => Err(GateRunError::KeyForm(place())),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(GateRunError::Unread(place(), error)),
    }
}

/// Draws a key and keeps it, before anything is opened with it.
fn made_in(path: &Path) -> Result<KeySecret, GateRunError> {
    let key = drawn()?;
    let kept = keep(path, &key.reveal());
    kept.map_err(|error| GateRunError::KeyUnsaved(path.display().to_string(), error))?;
    Ok(key)
}

/// Print a new root key, to be kept in a secret and given to gates with --root-key-file
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  (umask 077; loadline gate new-key > root.key; openssl rand -hex 32 > gate.secret)
  kubectl create secret generic gate --from-file=root-key=root.key --from-file=secret=gate.secret
")]
pub(super) struct NewKeyArgs {
    /// Language: en or ko [default: that of the locale]
    #[arg(long, value_parser = crate::language::parse, value_name = "LANG")]
    lang: Option<Lang>,
}

impl NewKeyArgs {
    pub(super) fn exec(self, context: &mut Context) -> u8 {
        let catalog = context.catalog(self.lang);
        let made = drawn().map(|key| context.out(&format!("{}\n", key.reveal())));
        ended(made, context, &catalog)
    }
}

/// Make another root key when all are lost; it takes the store and the secret
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  loadline gate recover-key --file root.key                       # the gate of this directory must be stopped
  loadline gate recover-key --redis redis://redis:6379 --secret-file gate.secret --file root.key

Old keys go on opening: end those that others may hold with DELETE /v1/keys/KEY. It is recorded in /v1/audit.
")]
pub(super) struct RecoverKeyArgs {
    #[command(flatten)]
    store: StoreArgs,
    /// File to keep the key in; without it the key is printed
    #[arg(long, value_name = "FILE")]
    file: Option<String>,
    /// Language: en or ko [default: that of the locale]
    #[arg(long, value_parser = crate::language::parse, value_name = "LANG")]
    lang: Option<Lang>,
}

impl RecoverKeyArgs {
    pub(super) fn exec(self, context: &mut Context) -> u8 {
        let catalog = context.catalog(self.lang);
        let done = self.recover(context).map(|said| {
            context.out(&format!("{}\n", catalog.text(&said)));
        });
        ended(done, context, &catalog)
    }

    fn recover(&self, context: &Context) -> Result<Message, GateRunError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
            .map_err(GateRunError::Runtime)?;
        self.store.check_found(context)?;
        let secret = self.store.known_secret(context)?;
        let file = self
            .file
            .as_ref()
            .map(|file| context.working_dir.join(file));
        let key = match &file {
            Some(path) => made_in(path)?,
            None => drawn()?,
        };
        let recovered = runtime.block_on(async {
            let origin = origin()?;
            let store = self.store.open(context, origin)?;
            recover(&*store, &secret, &key, origin).await?;
            Ok::<_, GateRunError>(())
        });
        match (recovered, file) {
            (Ok(()), Some(path)) => Ok(words::recovered_in(path.display())),
            (Ok(()), None) => Ok(words::recovered(key.reveal())),
            (Err(error), Some(path)) => {
                // A key that opens nothing must not lie about. The first error counts.
                let _ = std::fs::remove_file(path);
                Err(error)
            }
            (Err(error), None) => Err(error),
        }
    }
}
