//! The cache of resolved names, shared by all workers, and the choice of an address.

use std::collections::HashMap;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::Duration;

use loadline_units::{Clock, SharedRandom, Time};

use super::{Addresses, LookupAnswer, LookupError, PendingLookup, Resolve};
use crate::failure::Cause;

/// Which of several addresses is used (k6's `dns.select`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AddressSelection {
    /// The first one.
    First,
    /// A random one each time.
    #[default]
    Random,
    /// Each in turn.
    RoundRobin,
}

/// Which kinds of addresses are used (k6's `dns.policy`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AddressPolicy {
    /// IPv4, or IPv6 if there is no IPv4 address.
    #[default]
    PreferIpv4,
    /// IPv6, or IPv4 if there is no IPv6 address.
    PreferIpv6,
    /// IPv4 only.
    OnlyIpv4,
    /// IPv6 only.
    OnlyIpv6,
    /// All.
    Any,
}

/// k6's `dns` option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamesOptions {
    /// How long an answer is cached. Zero: never; [`Duration::MAX`]: for ever.
    pub ttl: Duration,
    /// Which of several addresses is used.
    pub select: AddressSelection,
    /// Which kinds of addresses are used.
    pub family: AddressPolicy,
}

impl Default for NamesOptions {
    fn default() -> Self {
        Self {
            ttl: Duration::from_secs(5 * 60),
            select: AddressSelection::default(),
            family: AddressPolicy::default(),
        }
    }
}

/// The names of a run; one cache for all its workers.
pub struct Names {
    source: Box<dyn Resolve>,
    options: NamesOptions,
    random: SharedRandom,
    known: RwLock<HashMap<Box<str>, Name>>,
}

#[derive(Debug, Default)]
struct Name {
    addresses: Option<(Addresses, Time)>,
    /// How often an address was chosen.
    taken: AtomicUsize,
    question: Option<Arc<PendingLookup>>,
}

impl Names {
    /// Resolves names through `source`; `seed` determines the order of
    /// [`AddressSelection::Random`].
    #[must_use]
    pub fn new(source: impl Resolve + 'static, options: NamesOptions, seed: u64) -> Self {
        Self {
            source: Box::new(source),
            options,
            random: SharedRandom::new(seed),
            known: RwLock::default(),
        }
    }

    /// Resolves only `localhost`.
    #[must_use]
    pub fn localhost_only() -> Self {
        Self::new(LocalhostOnly, NamesOptions::default(), 0)
    }

    /// The address to connect to for `host`.
    ///
    /// # Errors
    /// [`Cause::NoSuchHost`], [`Cause::Lookup`], or k6's plain error if there is no
    /// address of an allowed kind.
    pub async fn address(&self, host: &str, clock: &impl Clock) -> Result<IpAddr, Cause> {
        if let Some(address) = self.remembered(host, clock.now()) {
            return address;
        }
        let question = self.ask(host);
        let outcome = std::future::poll_fn(|cx| question.poll(cx)).await;
        let mut known = self.write();
        let name = known.entry(host.into()).or_default();
        // The first task to read the answer stores it; the others find it in the cache.
        let first = name
            .question
            .take_if(|asked| Arc::ptr_eq(asked, &question))
            .is_some();
        match outcome {
            Ok(addresses) => {
                let fitting = self.options.family.filter(&addresses);
                let address = self.pick(host, name, &fitting);
                if first {
                    name.addresses = Some((fitting, clock.now() + self.options.ttl));
                }
                address
            }
            Err(LookupError::NoSuchHost) => Err(Cause::NoSuchHost {
                host: host.to_owned(),
            }),
            Err(LookupError::Failed(reason)) => {
                Err(Cause::Lookup(format!("lookup {host}: {reason}")))
            }
        }
    }

    fn remembered(&self, host: &str, now: Time) -> Option<Result<IpAddr, Cause>> {
        let known = self.read();
        let name = known.get(host)?;
        let (addresses, until) = name.addresses.as_ref()?;
        (now < *until).then(|| self.pick(host, name, addresses))
    }

    /// Joins the look-up in progress, or starts one.
    fn ask(&self, host: &str) -> Arc<PendingLookup> {
        let question = {
            let mut known = self.write();
            let name = known.entry(host.into()).or_default();
            match &name.question {
                // A look-up that failed while no task waited says nothing about the present.
                Some(asked) if !matches!(asked.outcome(), Some(Err(_))) => return asked.clone(),
                _ => {}
            }
            let question = Arc::new(PendingLookup::default());
            name.question = Some(question.clone());
            question
        };
        self.source
            .lookup(host, LookupAnswer::new(question.clone()));
        question
    }

    fn pick(&self, host: &str, name: &Name, addresses: &[IpAddr]) -> Result<IpAddr, Cause> {
        if addresses.is_empty() {
            return Err(Cause::Other(format!("lookup {host}: no such host")));
        }
        let count = addresses.len();
        let at = match self.options.select {
            AddressSelection::First => 0,
            AddressSelection::RoundRobin => name.taken.fetch_add(1, Ordering::Relaxed) % count,
            AddressSelection::Random => self.below(count),
        };
        Ok(addresses[at])
    }

    /// A random number below `limit`.
    fn below(&self, limit: usize) -> usize {
        usize::try_from(self.random.next() % limit as u64).expect("below a usize")
    }

    fn read(&self) -> RwLockReadGuard<'_, HashMap<Box<str>, Name>> {
        self.known.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, HashMap<Box<str>, Name>> {
        self.known.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl AddressPolicy {
    fn filter(self, addresses: &Addresses) -> Addresses {
        let only = |v4: bool| -> Addresses {
            let fits = addresses.iter().filter(|ip| ip.is_ipv4() == v4);
            fits.copied().collect()
        };
        let first_of = |one: Addresses, other: bool| {
            if one.is_empty() { only(other) } else { one }
        };
        match self {
            Self::Any => addresses.clone(),
            Self::OnlyIpv4 => only(true),
            Self::OnlyIpv6 => only(false),
            Self::PreferIpv4 => first_of(only(true), false),
            Self::PreferIpv6 => first_of(only(false), true),
        }
    }
}

impl fmt::Debug for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Names")
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

/// The addresses of `localhost` if no file has any.
pub(super) fn localhost(host: &str) -> Option<Vec<IpAddr>> {
    let host = host.strip_suffix('.').unwrap_or(host);
    host.eq_ignore_ascii_case("localhost")
        .then(|| vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()])
}

struct LocalhostOnly;

impl Resolve for LocalhostOnly {
    fn lookup(&self, host: &str, answer: LookupAnswer) {
        answer.give(localhost(host).ok_or(LookupError::NoSuchHost));
    }
}
