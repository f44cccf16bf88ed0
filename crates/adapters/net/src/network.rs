//! What the clients of one worker share.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use loadline_reactor::ReactorHandle;

use crate::dns::Names;
use crate::hosts::{BlockedNames, HostMap, IpRange};
use crate::proxy::Proxies;
use crate::tls::Tls;

/// How connections are made and kept; the same for all users of a run.
#[derive(Debug, Clone)]
pub struct NetworkSettings {
    /// Whether connections are reused (not with k6's `noConnectionReuse`).
    pub reuse_connections: bool,
    /// How many idle connections are kept per scheme, host and port.
    pub max_idle_per_host: usize,
    /// How many idle connections are kept per client.
    pub max_idle: usize,
    /// How long connecting to an address may take (k6: 30 s).
    pub dial_timeout: Duration,
    /// Resolves names.
    pub names: Arc<Names>,
    /// Redirected hosts (k6's `hosts`).
    pub hosts: HostMap,
    /// Blocked hosts (k6's `blockHostnames`).
    pub blocked_names: BlockedNames,
    /// Blocked addresses (k6's `blacklistIPs`).
    pub blacklist: Vec<IpRange>,
    /// Which requests go through which proxy.
    pub proxies: Proxies,
    /// TLS settings; without them `https` fails.
    pub tls: Option<Tls>,
    /// Deadlines of exchanges hold until the head of the answer; its body may then take as long as no pause is longer
    /// than this (Artillery). Without it they hold for all of the answer.
    pub body_patience: Option<Duration>,
}

impl Default for NetworkSettings {
    fn default() -> Self {
        Self {
            reuse_connections: true,
            max_idle_per_host: 6,
            max_idle: 20,
            dial_timeout: Duration::from_secs(30),
            names: Arc::new(Names::localhost_only()),
            hosts: HostMap::default(),
            blocked_names: BlockedNames::default(),
            blacklist: Vec::new(),
            proxies: Proxies::default(),
            tls: None,
            body_patience: None,
        }
    }
}

/// How many bytes are read from a socket at once.
const READ_BUFFER: usize = 64 * 1024;

/// One worker's access to the network. Cheap to clone, bound to its thread.
#[derive(Clone)]
pub struct Network(pub(crate) Rc<Inner>);

pub(crate) struct Inner {
    pub(crate) handle: ReactorHandle,
    pub(crate) settings: Arc<NetworkSettings>,
    /// Where bytes are read to before they are parsed; free between system calls.
    pub(crate) buffer: RefCell<Box<[u8]>>,
}

impl Network {
    /// The network of the worker that `handle` belongs to.
    #[must_use]
    pub fn new(handle: ReactorHandle, settings: Arc<NetworkSettings>) -> Self {
        Self(Rc::new(Inner {
            handle,
            settings,
            buffer: RefCell::new(vec![0; READ_BUFFER].into_boxed_slice()),
        }))
    }

    /// The reactor's handle.
    #[must_use]
    pub fn handle(&self) -> &ReactorHandle {
        &self.0.handle
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Network")
            .field("settings", &self.0.settings)
            .finish_non_exhaustive()
    }
}
