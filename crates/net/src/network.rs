//! What the clients of one worker share.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use loadline_reactor::Handle;

use crate::dns::Names;
use crate::hosts::{BlockedNames, HostMap, IpRange};
use crate::proxy::Proxies;
use crate::tls::Tls;

/// How connections are made and kept; the same for all users of a run.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Whether connections are used again (k6's `noConnectionReuse` says no).
    pub reuse_connections: bool,
    /// Idle connections kept per scheme, host and port.
    pub max_idle_per_host: usize,
    /// Idle connections kept per client.
    pub max_idle: usize,
    /// How long connecting to an address may take (k6: 30 s).
    pub dial_timeout: Duration,
    /// Names and where they are.
    pub names: Arc<Names>,
    /// Hosts that are really elsewhere (k6's `hosts`).
    pub hosts: HostMap,
    /// Hosts not to be reached (k6's `blockHostnames`).
    pub blocked_names: BlockedNames,
    /// Addresses not to be reached (k6's `blacklistIPs`).
    pub blacklist: Vec<IpRange>,
    /// What goes through which proxy.
    pub proxies: Proxies,
    /// How TLS is spoken; without it `https` fails.
    pub tls: Option<Tls>,
}

impl Default for Settings {
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
        }
    }
}

/// Bytes read from a socket at once.
const READ_BUFFER: usize = 64 * 1024;

/// One worker's way to the network; cheap to clone, bound to its thread.
#[derive(Clone)]
pub struct Network(pub(crate) Rc<Inner>);

pub(crate) struct Inner {
    pub(crate) handle: Handle,
    pub(crate) settings: Arc<Settings>,
    /// Where bytes land before they are parsed; free between system calls.
    pub(crate) buffer: RefCell<Box<[u8]>>,
}

impl Network {
    /// The network of the worker that `handle` belongs to.
    #[must_use]
    pub fn new(handle: Handle, settings: Arc<Settings>) -> Self {
        Self(Rc::new(Inner {
            handle,
            settings,
            buffer: RefCell::new(vec![0; READ_BUFFER].into_boxed_slice()),
        }))
    }

    /// The reactor's handle.
    #[must_use]
    pub fn handle(&self) -> &Handle {
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
