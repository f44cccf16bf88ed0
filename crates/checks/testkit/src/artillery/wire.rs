//! What a program sends, seen at the server: a relay in front of the test server that keeps what clients say.
//!
//! Each connection becomes a list of lines: requests with their fields in the order of the alphabet and their bodies,
//! frames of a WebSocket, and how the connection ended where the client ended it. Connections are sorted, so that users
//! that run at once compare equal.

mod frames;
mod requests;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use regex::Regex;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// How much of what was sent is compared: as much as was the same in all runs of Artillery.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WireLevel {
    /// Each connection with what it carried, in order.
    #[default]
    Connections,
    /// Requests and frames, on whichever connection.
    Requests,
    /// Each different request or frame, however often.
    Kinds,
}

impl WireLevel {
    const ALL: [Self; 3] = [Self::Connections, Self::Requests, Self::Kinds];

    /// What is compared of `connections`.
    pub(super) fn view(self, connections: &[String]) -> Vec<String> {
        let mut lines: Vec<String> = connections.iter().map(|text| without_ids(text)).collect();
        if self != Self::Connections {
            lines = lines
                .iter()
                .flat_map(|text| text.lines().map(str::to_owned))
                .collect();
        }
        lines.sort();
        if self == Self::Kinds {
            lines.dedup();
        }
        lines
    }

    /// The finest level at which all runs agree; none where each run sends something else.
    pub(super) fn agreed(runs: &[&[String]]) -> Option<Self> {
        let (first, rest) = runs.split_first()?;
        Self::ALL
            .into_iter()
            .find(|level| rest.iter().all(|run| level.view(run) == level.view(first)))
    }
}

/// A text with its random ids replaced.
fn without_ids(text: &str) -> String {
    static IDS: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")
            .expect("the pattern is ours")
    });
    // What keeps polling requests apart, and the session's name.
    static STAMPS: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new("([?&](?:sid|t))=[A-Za-z0-9_-]{8,24}").expect("the pattern is ours")
    });
    let text = IDS.replace_all(text, "UUID");
    STAMPS.replace_all(&text, "$1=ID").into_owned()
}

/// No more of a connection is kept.
const CONVERSATION_BYTES_MAX: usize = 1 << 20;

/// Bytes that clients sent, by connection.
type Sent = Arc<Mutex<Vec<Vec<u8>>>>;

/// A relay; dropping it closes its port.
#[derive(Debug)]
pub(super) struct Wire {
    address: SocketAddr,
    sent: Sent,
    task: JoinHandle<()>,
}

impl Wire {
    /// Listens on a free port of 127.0.0.1 and passes connections on to `server`.
    pub(super) async fn start(server: String) -> io::Result<Self> {
        let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).await?;
        let address = listener.local_addr()?;
        let sent = Sent::default();
        let kept = Arc::clone(&sent);
        let task = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let (server, kept) = (server.clone(), Arc::clone(&kept));
                tokio::spawn(async move {
                    // A connection that breaks is what clients and servers do, and is seen in what was sent.
                    let _broken = pass(client, &server, &kept).await;
                });
            }
        });
        Ok(Self {
            address,
            sent,
            task,
        })
    }

    /// Host and port.
    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    /// What was sent: one text a connection, in the order of the alphabet.
    pub(super) fn connections(&self) -> Vec<String> {
        let sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        let mut shown: Vec<String> = sent
            .iter()
            .map(|bytes| requests::shown(bytes).join("\n"))
            .filter(|text| !text.is_empty())
            .collect();
        shown.sort();
        shown
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn pass(client: TcpStream, server: &str, kept: &Sent) -> io::Result<()> {
    client.set_nodelay(true)?;
    let server = TcpStream::connect(server).await?;
    server.set_nodelay(true)?;
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    let at = {
        let mut sent = kept.lock().unwrap_or_else(PoisonError::into_inner);
        sent.push(Vec::new());
        sent.len() - 1
    };
    let up = copy(from_client, to_server, |bytes| {
        let mut sent = kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(connection) = sent.get_mut(at)
            && connection.len() < CONVERSATION_BYTES_MAX
        {
            connection.extend_from_slice(bytes);
        }
    });
    let down = copy(from_server, to_client, |_| {});
    let (up, down) = tokio::join!(up, down);
    up.and(down)
}

async fn copy(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    mut keep: impl FnMut(&[u8]),
) -> io::Result<()> {
    let mut buffer = vec![0; 1 << 14];
    loop {
        let read = from.read(&mut buffer).await?;
        if read == 0 {
            return to.shutdown().await;
        }
        keep(&buffer[..read]);
        to.write_all(&buffer[..read]).await?;
    }
}
