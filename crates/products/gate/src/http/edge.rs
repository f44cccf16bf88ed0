//! What every handler knows, and what callers may ask: paces, shares, and when files run short.
//!
//! Each limit is a count in a table of bounded size; nobody's calls wait for anybody else's.

use axum::http::{HeaderMap, StatusCode};
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::Instant;

use super::addresses::{self, Addresses};
use super::answer::ApiError;
use super::held::{Held, HeldPlace};
use super::public_keys::PublicKeys;
use super::refused::RefusalCounts;
use super::throttle::{OverallRate, Throttle};
use crate::gate::{Gate, View};
use crate::ids::TenantId;
use crate::queue::VisitorId;

/// A visitor may poll this many times as often as the gate asked: tabs, and pages that were reloaded.
const POLLS_PER_INTERVAL_MAX: u32 = 4;
/// Between two joins, claims or leaves of one visitor ...
const CHANGE_INTERVAL: Duration = Duration::from_millis(500);
/// ... of which so many may come at once.
const CHANGES_AHEAD_MAX: u32 = 20;
/// So many tabs wait at the door at once: used links, opened by the hundred, keep no connections from others.
const OTHER_TABS_MAX: usize = 32;
/// Between two times that streams are ended for want of files.
const SHED_INTERVAL: Duration = Duration::from_millis(500);

/// What every handler knows.
pub(crate) struct Edge {
    pub(crate) gate: Arc<Gate>,
    pub(super) joins: Addresses,
    pub(super) all_joins: OverallRate,
    /// Joins of tenants that have a quota of them.
    tenant_joins: Mutex<HashMap<TenantId, (u32, OverallRate)>>,
    polls: Throttle,
    changes: Throttle,
    connections: Arc<Held>,
    pub(super) streams: Arc<Held>,
    /// Connections of visitors that are open.
    open: AtomicUsize,
    pub(super) refused: RefusalCounts,
    pub(super) public_keys: PublicKeys,
    /// Tabs at the door that wait for what another one does.
    pub(super) other_tabs: Semaphore,
    started: Instant,
    /// Until when no streams are ended for want of files, in ms.
    shed_again_ms: AtomicU64,
}

/// A connection that was taken; the count goes down when it is dropped.
pub(super) struct TakenConnection {
    edge: Arc<Edge>,
    _held: HeldPlace,
}

impl Drop for TakenConnection {
    fn drop(&mut self) {
        self.edge.open.fetch_sub(1, Ordering::Relaxed);
    }
}

/// From how many of all connections on idle ones are ended.
pub(super) fn short_at(connections: usize) -> usize {
    connections * 8 / 10
}

/// From this many on, new ones are asked to come back later.
fn full_at(connections: usize) -> usize {
    connections.saturating_sub((connections / 32).max(4))
}

impl Edge {
    pub(crate) fn new(gate: Arc<Gate>) -> Arc<Self> {
        let limits = &gate.options().limits;
        Arc::new(Self {
            joins: Addresses::new(limits.joins_per_address, limits.joins_of_networks.clone()),
            all_joins: OverallRate::new(limits.joins_per_s),
            tenant_joins: Mutex::default(),
            polls: Throttle::new(limits.polls_ahead),
            changes: Throttle::new(limits.polls_ahead.min(CHANGES_AHEAD_MAX)),
            connections: Held::new(limits.connections_per_address),
            streams: Held::new(limits.streams_per_address),
            open: AtomicUsize::new(0),
            refused: RefusalCounts::default(),
            public_keys: PublicKeys::default(),
            other_tabs: Semaphore::new(OTHER_TABS_MAX),
            started: Instant::now(),
            shed_again_ms: AtomicU64::new(0),
            gate,
        })
    }

    /// Where a request came from, by the connection's other end and what trusted proxies say.
    pub(super) fn visitor(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let options = self.gate.options();
        addresses::visitor(
            peer,
            headers,
            &options.trusted_proxies,
            options.forwarded_by,
        )
    }

    /// Whether the owner of the installation refuses an address.
    pub(super) fn refuses(&self, address: IpAddr) -> bool {
        let refused = &self.gate.options().refused_networks;
        refused.iter().any(|network| network.contains(address))
    }

    /// Takes a connection, unless its address or the gate has too many.
    pub(super) fn take_connection(
        self: &Arc<Self>,
        peer: IpAddr,
    ) -> Result<TakenConnection, ApiError> {
        let trusted = &self.gate.options().trusted_proxies;
        let is_proxy = trusted.iter().any(|network| network.contains(peer));
        if !is_proxy && self.refuses(peer) {
            return Err(refused_network());
        }
        let held = if is_proxy {
            Some(HeldPlace::none())
        } else {
            self.connections.take(peer)
        };
        let Some(held) = held else {
            let message = "too many connections from this address";
            let status = StatusCode::TOO_MANY_REQUESTS;
            return Err(ApiError::new(status, "connection_limit", message).retry_after(5));
        };
        let open = self.open.fetch_add(1, Ordering::Relaxed) + 1;
        let taken = TakenConnection {
            edge: self.clone(),
            _held: held,
        };
        if self.runs_short() {
            self.shed_streams();
        }
        if open > full_at(self.gate.options().limits.connections) {
            let message = "the gate has no connection left; come back in a moment";
            let status = StatusCode::SERVICE_UNAVAILABLE;
            return Err(ApiError::new(status, "busy", message).retry_after(5));
        }
        Ok(taken)
    }

    /// Connections of visitors: open, and at most.
    pub(super) fn connections(&self) -> (usize, usize) {
        let most = self.gate.options().limits.connections;
        (self.open.load(Ordering::Relaxed), most)
    }

    /// Whether so many connections are open that idle ones must go.
    pub(super) fn runs_short(&self) -> bool {
        let connections = self.gate.options().limits.connections;
        self.open.load(Ordering::Relaxed) > short_at(connections)
    }

    /// Whether so many are open that the next one is asked to come back later.
    pub(super) fn is_full(&self) -> bool {
        let connections = self.gate.options().limits.connections;
        self.open.load(Ordering::Relaxed) >= full_at(connections)
    }

    /// Ends a share of the streams, once in a while. Their clients poll instead.
    fn shed_streams(&self) {
        let now_ms = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let again_ms = self.shed_again_ms.load(Ordering::Relaxed);
        if self.gate.streams() == 0 || now_ms < again_ms {
            return;
        }
        let next_ms = now_ms + u64::from(SHED_INTERVAL.subsec_millis());
        let (before, after) = (Ordering::Relaxed, Ordering::Relaxed);
        let ours = self
            .shed_again_ms
            .compare_exchange(again_ms, next_ms, before, after);
        if ours.is_ok() {
            let share = self.gate.options().limits.connections / 10;
            self.gate.shed_streams(share.max(8));
        }
    }

    /// Refuses a poll that comes much sooner than the gate asked.
    pub(super) fn throttle_poll(&self, wid: VisitorId, view: &View) -> Result<(), ApiError> {
        let taken = self.polls.take(
            wid,
            view.poll_after / POLLS_PER_INTERVAL_MAX,
            Instant::now(),
        );
        taken.map_err(|wait| too_fast(wait.max(view.poll_after)))
    }

    /// Refuses a new ticket to a tenant that has as many as its quotas allow. Whether the ticket is
    /// new is asked only of a tenant with quotas.
    pub(super) fn within_quotas(
        &self,
        tenant: TenantId,
        is_new: impl FnOnce() -> bool,
    ) -> Result<(), ApiError> {
        let quotas = self.gate.look(|directory| directory.quotas(tenant));
        let is_free = quotas.waiting.is_none() && quotas.joins_per_s.is_none();
        if is_free || !is_new() {
            return Ok(());
        }
        let waiting = || self.gate.share(tenant).waiting;
        if quotas.waiting.is_some_and(|most| waiting() >= most) {
            let message = "as many people wait as the tenant may have; come back later";
            let status = StatusCode::TOO_MANY_REQUESTS;
            return Err(ApiError::new(status, "over_quota", message).retry_after(30));
        }
        let Some(per_s) = quotas.joins_per_s else {
            return Ok(());
        };
        let mut joins = self
            .tenant_joins
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let of_one = joins
            .entry(tenant)
            .or_insert_with(|| (per_s, OverallRate::new(per_s)));
        if of_one.0 != per_s {
            *of_one = (per_s, OverallRate::new(per_s));
        }
        if per_s > 0 && of_one.1.take(Instant::now()) {
            return Ok(());
        }
        let message = "more people join than the tenant may have; come back in a moment";
        let status = StatusCode::TOO_MANY_REQUESTS;
        Err(ApiError::new(status, "over_quota", message).retry_after(5))
    }

    /// Whether a tenant may have another stream here.
    pub(super) fn may_stream(&self, tenant: TenantId) -> bool {
        let most = self.gate.look(|directory| directory.quotas(tenant).streams);
        most.is_none_or(|most| self.gate.share(tenant).streams < most)
    }

    /// Refuses joins, claims and leaves that one visitor sends without a pause.
    pub(super) fn throttle_change(&self, wid: VisitorId) -> Result<(), ApiError> {
        self.changes
            .take(wid, CHANGE_INTERVAL, Instant::now())
            .map_err(too_fast)
    }
}

fn too_fast(wait: Duration) -> ApiError {
    let message = "this visitor asks too often; poll_after_ms of an answer says when to ask again";
    ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too_fast", message)
        .retry_after(wait.as_secs() + 1)
}

pub(super) fn refused_network() -> ApiError {
    let message = "this network is not served";
    ApiError::new(StatusCode::FORBIDDEN, "network_refused", message)
}
