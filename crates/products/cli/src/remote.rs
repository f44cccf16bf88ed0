//! Commands to a run under way from the socket that it listens on.
//!
//! The socket belongs to this user alone. Each line is a command, each is answered with a line.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

use crossbeam_channel::{Receiver, Sender, never, unbounded};
use loadline_web::control::{SOCKET_VARIABLE, SteeringCommand};

use crate::context::Context;

/// Commands as they come. The socket is taken away when this is dropped.
#[derive(Debug)]
pub(crate) struct Remote {
    commands: Receiver<SteeringCommand>,
    socket: Option<PathBuf>,
}

impl Remote {
    /// No command ever comes.
    pub(crate) fn none() -> Self {
        Self {
            commands: never(),
            socket: None,
        }
    }

    /// Listens where the environment says; nowhere if it says nothing.
    ///
    /// # Errors
    /// The system's reason.
    pub(crate) fn open(context: &Context) -> std::io::Result<Self> {
        let Some(path) = context
            .env
            .get(SOCKET_VARIABLE)
            .filter(|path| !path.is_empty())
        else {
            return Ok(Self::none());
        };
        let path = PathBuf::from(path);
        let listener = listen(&path)?;
        let (sender, commands) = unbounded();
        let thread = std::thread::Builder::new().name("control".to_owned());
        // It waits for connections until the process ends.
        thread.spawn(move || {
            for stream in listener.incoming().flatten() {
                let sender = sender.clone();
                let each = std::thread::Builder::new().name("control".to_owned());
                // Without a thread the other side sees its connection end.
                let _ = each.spawn(move || serve_connection(stream, &sender));
            }
        })?;
        Ok(Self {
            commands,
            socket: Some(path),
        })
    }

    /// Commands as they come.
    pub(crate) fn commands(&self) -> &Receiver<SteeringCommand> {
        &self.commands
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        if let Some(path) = &self.socket {
            // One that is gone already is as good.
            let _ = std::fs::remove_file(path);
        }
    }
}

fn listen(path: &Path) -> std::io::Result<UnixListener> {
    let listener = UnixListener::bind(path)?;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))?;
    Ok(listener)
}

/// Takes commands until the other side is done.
fn serve_connection(stream: UnixStream, sender: &Sender<SteeringCommand>) {
    let Ok(mut answers) = stream.try_clone() else {
        return;
    };
    for line in BufReader::new(stream).lines() {
        let Ok(line) = line else { return };
        let answer = match serde_json::from_str(&line) {
            Ok(command) => match sender.send(command) {
                Ok(()) => serde_json::json!({ "ok": true }),
                Err(_) => serde_json::json!({ "error": "the run is over" }),
            },
            Err(error) => serde_json::json!({ "error": error.to_string() }),
        };
        if writeln!(answers, "{answer}").is_err() {
            return;
        }
    }
}
