//! What is known of names, shared by all workers, and which address is taken.

use std::collections::HashMap;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::Duration;

use loadline_units::{Clock, Time};

use super::{Addresses, Answer, LookupError, Question, Resolve};
use crate::failure::Cause;

/// Which address of several is taken (k6's `dns.select`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Select {
    /// The first one answered.
    First,
    /// Any, each time anew.
    #[default]
    Random,
    /// One after the other.
    RoundRobin,
}

/// Which addresses are taken at all (k6's `dns.policy`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Family {
    /// IPv4, or IPv6 where there is no other.
    #[default]
    PreferIpv4,
    /// IPv6, or IPv4 where there is no other.
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
    /// How long an answer is remembered; zero: never, [`Duration::MAX`]: for ever.
    pub ttl: Duration,
    /// Which address of several is taken.
    pub select: Select,
    /// Which addresses are taken at all.
    pub family: Family,
}

impl Default for NamesOptions {
    fn default() -> Self {
        Self {
            ttl: Duration::from_secs(5 * 60),
            select: Select::default(),
            family: Family::default(),
        }
    }
}

/// The names of a run: one for all its workers.
pub struct Names {
    source: Box<dyn Resolve>,
    options: NamesOptions,
    random: AtomicU64,
    known: RwLock<HashMap<Box<str>, Name>>,
}

#[derive(Debug, Default)]
struct Name {
    addresses: Option<(Addresses, Time)>,
    /// How often an address was taken.
    taken: AtomicUsize,
    question: Option<Arc<Question>>,
}

impl Names {
    /// Names that `source` looks up; `seed` decides the order of [`Select::Random`].
    #[must_use]
    pub fn new(source: impl Resolve + 'static, options: NamesOptions, seed: u64) -> Self {
        Self {
            source: Box::new(source),
            options,
            random: AtomicU64::new(seed),
            known: RwLock::default(),
        }
    }

    /// Names of which only `localhost` is known.
    #[must_use]
    pub fn localhost_only() -> Self {
        Self::new(LocalhostOnly, NamesOptions::default(), 0)
    }

    /// The address to connect to for `host`.
    ///
    /// # Errors
    /// [`Cause::NoSuchHost`], [`Cause::Lookup`], or k6's plain error when no address is of
    /// the wanted family.
    pub async fn address(&self, host: &str, clock: &impl Clock) -> Result<IpAddr, Cause> {
        if let Some(address) = self.remembered(host, clock.now()) {
            return address;
        }
        let question = self.ask(host);
        let outcome = std::future::poll_fn(|cx| question.poll(cx)).await;
        let mut known = self.write();
        let name = known.entry(host.into()).or_default();
        // Whoever reads the answer first keeps it; the others find it kept.
        let first = name
            .question
            .take_if(|asked| Arc::ptr_eq(asked, &question))
            .is_some();
        match outcome {
            Ok(addresses) => {
                let fitting = self.options.family.of(&addresses);
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

    /// Joins the look-up under way, or starts one.
    fn ask(&self, host: &str) -> Arc<Question> {
        let question = {
            let mut known = self.write();
            let name = known.entry(host.into()).or_default();
            match &name.question {
                // One that failed while nobody listened any more says nothing about now.
                Some(asked) if !matches!(asked.outcome(), Some(Err(_))) => return asked.clone(),
                _ => {}
            }
            let question = Arc::new(Question::default());
            name.question = Some(question.clone());
            question
        };
        self.source.lookup(host, Answer::new(question.clone()));
        question
    }

    fn pick(&self, host: &str, name: &Name, addresses: &[IpAddr]) -> Result<IpAddr, Cause> {
        if addresses.is_empty() {
            return Err(Cause::Other(format!("lookup {host}: no such host")));
        }
        let count = addresses.len();
        let at = match self.options.select {
            Select::First => 0,
            Select::RoundRobin => name.taken.fetch_add(1, Ordering::Relaxed) % count,
            Select::Random => self.below(count),
        };
        Ok(addresses[at])
    }

    /// A random number below `limit` (splitmix64).
    fn below(&self, limit: usize) -> usize {
        const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
        let mut x = self.random.fetch_add(STEP, Ordering::Relaxed);
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^= x >> 31;
        usize::try_from(x % limit as u64).expect("below a usize")
    }

    fn read(&self) -> RwLockReadGuard<'_, HashMap<Box<str>, Name>> {
        self.known.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, HashMap<Box<str>, Name>> {
        self.known.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Family {
    fn of(self, addresses: &Addresses) -> Addresses {
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

/// What `localhost` is where no file says it.
pub(super) fn localhost(host: &str) -> Option<Vec<IpAddr>> {
    let host = host.strip_suffix('.').unwrap_or(host);
    host.eq_ignore_ascii_case("localhost")
        .then(|| vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()])
}

struct LocalhostOnly;

impl Resolve for LocalhostOnly {
    fn lookup(&self, host: &str, answer: Answer) {
        answer.give(localhost(host).ok_or(LookupError::NoSuchHost));
    }
}
