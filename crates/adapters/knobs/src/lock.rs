//! One study at a time for a target.
//!
//! A lock is a name in the kernel's list of local sockets that belong to no file: it is the same for
//! all users of the machine, needs no folder that others may write, follows no link, and is gone with
//! the process that holds it, however that ends. Programs in another network namespace (a container) have
//! a list of their own.

use std::collections::BTreeMap;
use std::io;
use std::net::{self, IpAddr, ToSocketAddrs as _, UdpSocket};
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::digest::hash;

/// How often a lock is tried whose holder ends meanwhile.
const LOCK_TRIES: usize = 3;
/// What is shown of a holder's command, characters.
const HOLDER_CHARS_MAX: usize = 200;
/// Of http and https.
const DEFAULT_PORTS: [u16; 2] = [80, 443];
/// Commands that act on nothing.
const IDLE_PROGRAMS: [&str; 4] = ["true", ":", "sleep", "echo"];
/// Commands that act where their folder is; others that are found by their name alone act on the machine.
const FOLDER_PROGRAMS: [&str; 6] = ["sh", "bash", "dash", "zsh", "make", "npm"];

/// Locks that are held.
#[derive(Debug, Default)]
pub struct StudyLock {
    names: Mutex<BTreeMap<String, UnixListener>>,
}

/// What two studies may not work on at the same time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockSubject {
    shown: String,
    keys: Vec<String>,
}

/// Why a target cannot be locked.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another study has it.
    #[error("{subject}: {holder}")]
    Held {
        /// What both work on.
        subject: String,
        /// Who has it.
        holder: String,
    },
    /// The kernel's error.
    #[error("{0}")]
    Io(#[from] io::Error),
}

impl LockSubject {
    /// A file: one that holds settings, or the study's own. However the way to it is written, and
    /// behind links.
    #[must_use]
    pub fn from_file(path: &Path) -> Self {
        let whole = path.canonicalize().ok();
        let in_folder = || {
            let folder = path.parent()?.canonicalize().ok()?;
            Some(folder.join(path.file_name()?))
        };
        let place: PathBuf = whole.or_else(in_folder).unwrap_or_else(|| path.to_owned());
        Self {
            shown: path.display().to_string(),
            keys: vec![format!("file {}", place.display())],
        }
    }

    /// A host with its port (`host:port`, `host`), however it is spelt: by each of its addresses.
    /// All addresses of this machine are one. A name is asked for: this may wait.
    #[must_use]
    pub fn from_host(host: &str) -> Self {
        let (name, port) = split(host);
        // Without one it is that of http or https: which is not told here.
        let ports = port.map_or_else(|| DEFAULT_PORTS.to_vec(), |port| vec![port]);
        let addresses = (name.as_str(), 0)
            .to_socket_addrs()
            .map(Iterator::collect::<Vec<_>>)
            .unwrap_or_default();
        let mut places: Vec<String> = addresses
            .iter()
            .map(|address| address_key(address.ip()))
            .collect();
        if places.is_empty() {
            places.push(name);
        }
        let mut keys: Vec<String> = places
            .iter()
            .flat_map(|place| ports.iter().map(move |port| format!("host {place}:{port}")))
            .collect();
        keys.sort();
        keys.dedup();
        Self {
            shown: host.to_owned(),
            keys,
        }
    }

    /// A peer that load connects to.
    #[must_use]
    pub fn from_peer(peer: net::SocketAddr) -> Self {
        Self {
            shown: peer.to_string(),
            keys: vec![format!("host {}:{}", address_key(peer.ip()), peer.port())],
        }
    }

    /// What a command of a study acts on: the same command in another study acts on the same. `None`
    /// for commands that act on nothing.
    #[must_use]
    pub fn from_command(folder: &Path, words: &[String]) -> Option<Self> {
        let program = words.first()?;
        if IDLE_PROGRAMS.contains(&program.as_str()) {
            return None;
        }
        let place = if program.contains('/') {
            let place = folder.join(program);
            let place = place.canonicalize().unwrap_or(place);
            place.display().to_string()
        } else {
            program.clone()
        };
        let rest = words.get(1..).unwrap_or_default();
        let is_of_folder = FOLDER_PROGRAMS.contains(&program.as_str())
            || rest.iter().any(|word| word == "compose");
        let folder =
            is_of_folder.then(|| folder.canonicalize().unwrap_or_else(|_| folder.to_owned()));
        Some(Self {
            shown: words.join(" "),
            keys: vec![format!("command {folder:?} {place} {rest:?}")],
        })
    }
}

impl StudyLock {
    /// Locks all subjects.
    ///
    /// # Errors
    /// Another study has one, or there can be no lock.
    pub fn take(subjects: &[LockSubject]) -> Result<Self, LockError> {
        let lock = Self::default();
        for subject in subjects {
            lock.add(subject)?;
        }
        Ok(lock)
    }

    /// Locks one more subject; one that this lock has already stays locked.
    ///
    /// # Errors
    /// Another study has it, or there can be no lock.
    pub fn add(&self, subject: &LockSubject) -> Result<(), LockError> {
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        for key in &subject.keys {
            if !names.contains_key(key) {
                names.insert(key.clone(), listened(key, &subject.shown)?);
            }
        }
        Ok(())
    }
}

/// Takes the name of a key.
fn listened(key: &str, shown: &str) -> Result<UnixListener, LockError> {
    // A hash: a name has 107 bytes, a path may have more.
    let name = format!("loadline-tune-{}", hash(key));
    let address = SocketAddr::from_abstract_name(name)?;
    for _ in 0..LOCK_TRIES {
        match UnixListener::bind_addr(&address) {
            Ok(listener) => return Ok(listener),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
                // One that ended just now leaves the name free.
                if let Ok(stream) = UnixStream::connect_addr(&address) {
                    return Err(LockError::Held {
                        subject: shown.to_owned(),
                        holder: holder(&stream)?,
                    });
                }
            }
            Err(error) => return Err(error.into()),
        }
    }
    Err(io::Error::from(io::ErrorKind::AddrInUse).into())
}

/// Who listens at the other end.
fn holder(stream: &UnixStream) -> io::Result<String> {
    let owner = rustix::net::sockopt::socket_peercred(stream)?;
    let pid = owner.pid.as_raw_nonzero();
    // One of another user may not be seen.
    let command = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let command = String::from_utf8_lossy(&command).replace('\0', " ");
    let shown: String = command.trim().chars().take(HOLDER_CHARS_MAX).collect();
    let user = owner.uid.as_raw();
    Ok(format!("{shown} (process {pid}, user {user})")
        .trim_start()
        .to_owned())
}

/// Host and port of `host:port`, `[::1]:port` or `host`, in small letters without a last point.
fn split(host: &str) -> (String, Option<u16>) {
    let host = host.to_ascii_lowercase();
    let with_port = host.rsplit_once(':').filter(|(name, _)| {
        // The colons of an address in brackets are its own.
        !name.contains(':') || name.ends_with(']')
    });
    let (name, port) = match with_port.map(|(name, port)| (name, port.parse())) {
        Some((name, Ok(port))) => (name.to_owned(), Some(port)),
        _ => (host.clone(), None),
    };
    let name = name.trim_start_matches('[').trim_end_matches(']');
    (name.trim_end_matches('.').to_owned(), port)
}

fn address_key(address: IpAddr) -> String {
    let address = address.to_canonical();
    if address.is_loopback() || address.is_unspecified() || is_own(address) {
        return "loopback".to_owned();
    }
    address.to_string()
}

/// Whether an interface of this machine has the address: others cannot be bound. Nothing is sent.
fn is_own(address: IpAddr) -> bool {
    UdpSocket::bind((address, 0)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(names: &[&str]) -> Vec<LockSubject> {
        names
            .iter()
            .map(|name| LockSubject::from_host(name))
            .collect()
    }

    #[test]
    fn a_second_study_of_a_target_is_refused_until_the_first_is_over() {
        let first = StudyLock::take(&hosts(&["127.0.0.1:20701", "127.0.0.1:20702"])).unwrap();
        for spelt in [
            "127.0.0.1:20702",
            "localhost:20702",
            "LOCALHOST.:20702",
            "[::1]:20702",
            "127.0.0.9:20702",
            "0.0.0.0:20702",
            "[::ffff:127.0.0.1]:20702",
        ] {
            let second = StudyLock::take(&hosts(&[spelt]));
            let own = format!("(process {}, user ", std::process::id());
            assert!(
                matches!(&second, Err(LockError::Held { subject, holder }) if subject == spelt && holder.contains(&own)),
                "{spelt}: {second:?}"
            );
        }
        assert!(StudyLock::take(&hosts(&["127.0.0.1:20703"])).is_ok());
        drop(first);
        assert!(StudyLock::take(&hosts(&["localhost:20702"])).is_ok());
    }

    #[test]
    fn a_peer_that_load_reaches_is_the_host_that_a_study_names() {
        let named = StudyLock::take(&hosts(&["localhost:20712"])).unwrap();
        let peer = |text: &str| LockSubject::from_peer(text.parse().unwrap());
        for spelt in ["127.0.0.1:20712", "[::1]:20712", "[::ffff:127.8.0.1]:20712"] {
            // The study that named it reaches it, ...
            assert!(named.add(&peer(spelt)).is_ok(), "{spelt}");
            // ... and no other does.
            let other = StudyLock::default().add(&peer(spelt));
            assert!(
                matches!(&other, Err(LockError::Held { subject, .. }) if subject == spelt),
                "{spelt}: {other:?}"
            );
        }
        let reached = StudyLock::default();
        assert!(reached.add(&peer("127.0.0.1:20713")).is_ok());
        assert!(StudyLock::take(&hosts(&["localhost:20713"])).is_err());
    }

    #[test]
    fn all_addresses_of_this_machine_are_one() {
        // The address that this machine would send from; no packet is sent for it.
        let socket = UdpSocket::bind("0.0.0.0:0").unwrap();
        let Ok(own) = socket
            .connect("192.0.2.1:9")
            .and_then(|()| socket.local_addr())
        else {
            return; // without a network there is none but loopback
        };
        assert_eq!(address_key(own.ip()), "loopback");
        assert_eq!(address_key("192.0.2.1".parse().unwrap()), "192.0.2.1");
    }

    #[test]
    fn a_host_without_a_port_is_the_one_with_the_usual_port() {
        let keys = |host: &str| LockSubject::from_host(host).keys;
        for spelt in ["127.0.0.1:80", "localhost:443"] {
            assert!(keys("localhost").contains(&keys(spelt)[0]), "{spelt}");
        }
        assert!(!keys("localhost").contains(&keys("localhost:8080")[0]));
    }

    #[test]
    fn a_file_is_the_same_behind_links_and_however_its_way_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("real"), "").unwrap();
        std::fs::create_dir(path("sub")).unwrap();
        std::os::unix::fs::symlink(path("real"), path("link")).unwrap();
        let real = LockSubject::from_file(&path("real"));
        for way in ["link", "sub/../real", "./real"] {
            assert_eq!(LockSubject::from_file(&path(way)).keys, real.keys);
        }
        let absent = LockSubject::from_file(&path("absent"));
        assert_eq!(
            LockSubject::from_file(&path("sub/../absent")).keys,
            absent.keys
        );
        assert_ne!(absent.keys, real.keys);
    }

    #[test]
    fn a_long_path_of_a_study_can_be_locked() {
        let long = PathBuf::from("/a".repeat(2000));
        assert!(StudyLock::take(&[LockSubject::from_file(&long)]).is_ok());
    }

    #[test]
    fn the_same_command_acts_on_the_same() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("set"), "").unwrap();
        let of = |text: &str| LockSubject::from_command(folder.path(), &words(text));
        assert_eq!(
            of("./set pool {value}").unwrap().keys,
            of("././set pool {value}").unwrap().keys
        );
        assert_ne!(
            of("./set pool {value}").unwrap().keys,
            of("./set heap {value}").unwrap().keys
        );
        assert_eq!(of("true"), None);
    }
}
