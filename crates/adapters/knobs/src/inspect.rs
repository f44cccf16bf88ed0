//! A target that runs, as this machine shows it: its command, variables, folder and ports.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use loadline_net::NetworkSettings;

use crate::web::{self, WebRequest};

/// How long a running target may take to answer a question.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(3);
/// Pages that show metrics in Prometheus' format.
const METRICS: [&str; 2] = ["/actuator/prometheus", "/metrics"];
/// Pages that say whether a target is ready.
const READY: [&str; 6] = [
    "/actuator/health",
    "/health",
    "/healthz",
    "/health/ready",
    "/ready",
    "/",
];

/// A process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunningProcess {
    /// Its number.
    pub pid: u32,
    /// Its command.
    pub words: Vec<String>,
    /// Its variables.
    pub variables: Vec<(String, String)>,
    /// Its folder.
    pub folder: PathBuf,
    /// The TCP ports it listens on, the lowest first.
    pub ports: Vec<u16>,
}

/// What a target answers to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AnsweredPages {
    /// The page of metrics, and what it says.
    pub metrics: Option<(String, String)>,
    /// A page that answers with 200 to 299.
    pub ready: Option<String>,
}

impl RunningProcess {
    /// The process of a number.
    ///
    /// # Errors
    /// There is none, or this user may not see it.
    pub fn from_pid(pid: u32) -> std::io::Result<Self> {
        let folder = PathBuf::from(format!("/proc/{pid}"));
        let words = zero_ended(&std::fs::read(folder.join("cmdline"))?);
        let variables = zero_ended(&std::fs::read(folder.join("environ"))?);
        let variables = variables.iter().filter_map(|line| line.split_once('='));
        Ok(Self {
            pid,
            words,
            variables: variables
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
            ports: ports(&folder)?,
            folder: std::fs::read_link(folder.join("cwd"))?,
        })
    }

    /// The process that listens on a port of this machine.
    ///
    /// # Errors
    /// Processes cannot be listed.
    pub fn listening(port: u16) -> std::io::Result<Option<Self>> {
        for entry in std::fs::read_dir("/proc")? {
            let name = entry?.file_name();
            let Some(pid) = name.to_str().and_then(|name| name.parse().ok()) else {
                continue;
            };
            // A process that ended meanwhile, or belongs to somebody else, is not it.
            let found = ports(Path::new(&format!("/proc/{pid}"))).unwrap_or_default();
            if found.contains(&port) {
                return Self::from_pid(pid).map(Some);
            }
        }
        Ok(None)
    }

    /// A variable's value.
    #[must_use]
    pub fn variable(&self, name: &str) -> Option<&str> {
        let found = self.variables.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// Asks what answers at addresses such as `http://127.0.0.1:8080`.
#[must_use]
pub fn answered(network: &Arc<NetworkSettings>, bases: &[String]) -> AnsweredPages {
    let ask = |url: &str| web::send(network, WebRequest::get(url), RESPONSE_TIMEOUT).ok();
    let first = |paths: &[&str]| {
        let urls = paths
            .iter()
            .flat_map(|path| bases.iter().map(move |base| format!("{base}{path}")));
        let mut answers = urls.filter_map(|url| ask(&url).map(|text| (url, text)));
        answers.next()
    };
    AnsweredPages {
        metrics: first(&METRICS).filter(|(_, text)| text.contains("# TYPE")),
        ready: first(&READY).map(|(url, _)| url),
    }
}

/// The value of a metric in a page of Prometheus' format.
#[must_use]
pub fn metric(page: &str, name: &str) -> Option<f64> {
    web::metric(page, name)?.parse().ok()
}

/// Texts that end with a zero byte each.
fn zero_ended(bytes: &[u8]) -> Vec<String> {
    let texts = bytes.split(|byte| *byte == 0);
    texts
        .filter(|text| !text.is_empty())
        .map(|text| String::from_utf8_lossy(text).into_owned())
        .collect()
}

/// The ports that a process listens on.
fn ports(folder: &Path) -> std::io::Result<Vec<u16>> {
    let mut sockets = BTreeSet::new();
    for entry in std::fs::read_dir(folder.join("fd"))? {
        let Ok(link) = std::fs::read_link(entry?.path()) else {
            continue;
        };
        let link = link.to_string_lossy().into_owned();
        let socket = link.strip_prefix("socket:[");
        sockets.extend(socket.map(|rest| rest.trim_end_matches(']').to_owned()));
    }
    let mut ports = BTreeSet::new();
    for table in ["net/tcp", "net/tcp6"] {
        let text = std::fs::read_to_string(folder.join(table)).unwrap_or_default();
        let listening = text.lines().skip(1).filter_map(listening);
        ports.extend(
            listening
                .filter(|(socket, _)| sockets.contains(socket))
                .map(|(_, port)| port),
        );
    }
    Ok(ports.into_iter().collect())
}

/// The socket and the port of a line of the kernel's table, if it listens.
fn listening(line: &str) -> Option<(String, u16)> {
    let fields: Vec<&str> = line.split_ascii_whitespace().collect();
    let (_, port) = fields.get(1)?.rsplit_once(':')?;
    let is_listening = *fields.get(3)? == "0A";
    let port = u16::from_str_radix(port, 16).ok()?;
    is_listening.then(|| {
        (
            fields.get(9).map_or_else(String::new, |s| (*s).to_owned()),
            port,
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_is_found_by_its_number_and_its_port() {
        let socket = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = socket.local_addr().unwrap().port();
        let own = RunningProcess::from_pid(std::process::id()).unwrap();
        assert!(own.ports.contains(&port));
        assert_eq!(own.folder, std::env::current_dir().unwrap());
        let found = RunningProcess::listening(port).unwrap().unwrap();
        assert_eq!(found.pid, own.pid);
        drop(socket);
        assert!(RunningProcess::from_pid(u32::MAX).is_err());
    }
}
