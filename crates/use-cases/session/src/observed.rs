//! What is observed of the target beside the load.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use crossbeam_channel::{Sender, unbounded};
use loadline_listen::{ListenError, ServerTls};
use loadline_net::Url;
use loadline_observe::{
    LOOK_INTERVAL, ObserverSetup, SignalServer, SourceAddress, SourceListener, TargetObserver,
};
use loadline_reactor::MonotonicClock;
use loadline_record::signals::Signals;
use loadline_units::Clock;

use crate::event::SessionEvent;
use crate::network;

/// How long the end of a run waits for sources that do not answer.
pub(crate) const LAST_ANSWER_TIMEOUT: Duration = Duration::from_millis(1500);
/// How long a look without a run waits for each source's first answer: longer than a page may take.
const FIRST_ANSWER_TIMEOUT: Duration = Duration::from_secs(7);
/// Looks after the first answer: counters need two.
const FURTHER_READINGS: u32 = 2;

/// What to observe of the target.
#[derive(Debug, Clone)]
pub struct ObserveRequest {
    /// The sources.
    pub addresses: Vec<SourceAddress>,
    /// The environment, for proxies.
    pub environment: BTreeMap<String, String>,
    /// The time of day.
    pub wall_clock: fn() -> SystemTime,
    /// How long the sources of a run are watched after its load.
    pub after: Duration,
}

/// Observes while a run goes on.
pub(crate) fn start(
    request: &ObserveRequest,
    clock: MonotonicClock,
    events: &Sender<SessionEvent>,
) -> TargetObserver {
    let events = events.clone();
    let listener: SourceListener = Arc::new(move |notice| {
        // Nobody need hear of it.
        let _ = events.send(SessionEvent::Source(notice));
    });
    TargetObserver::start(&setup(request, clock, listener))
}

/// Looks at each source for some seconds, without a run; what each gave alone.
#[must_use]
pub fn observe(request: &ObserveRequest) -> Vec<Signals> {
    let clock = MonotonicClock::start();
    let (tell, told) = unbounded();
    let listener: SourceListener = Arc::new(move |notice| {
        let _ = tell.send(notice);
    });
    let start = |address: &SourceAddress| {
        let alone = ObserveRequest {
            addresses: vec![address.clone()],
            environment: request.environment.clone(),
            wall_clock: request.wall_clock,
            after: Duration::ZERO,
        };
        TargetObserver::start(&setup(&alone, clock, listener.clone()))
    };
    let observers: Vec<_> = request.addresses.iter().map(start).collect();
    let until = clock.now() + FIRST_ANSWER_TIMEOUT;
    let mut heard = BTreeSet::new();
    while heard.len() < request.addresses.len() {
        match told.recv_timeout(until.since(clock.now())) {
            Ok(notice) => heard.insert(notice.name),
            Err(_) => break,
        };
    }
    let until = clock.now() + LOOK_INTERVAL * FURTHER_READINGS;
    while told.recv_timeout(until.since(clock.now())).is_ok() {}
    let finished = observers
        .into_iter()
        .map(|one| one.finish(LAST_ANSWER_TIMEOUT));
    finished.collect()
}

/// Makes sources of this host ready to be served to runs on others. Needs a tokio runtime.
///
/// # Errors
/// The address cannot be listened on.
pub fn serve_signals(
    request: &ObserveRequest,
    address: SocketAddr,
    token: &str,
    tls: Option<ServerTls>,
) -> Result<SignalServer, ListenError> {
    // How sources fare is told where a run asks for them.
    let listener: SourceListener = Arc::new(|_| {});
    SignalServer::bind(
        address,
        token,
        tls,
        setup(request, MonotonicClock::start(), listener),
    )
}

fn setup(
    request: &ObserveRequest,
    clock: MonotonicClock,
    listener: SourceListener,
) -> ObserverSetup {
    let environment = request.environment.clone();
    ObserverSetup {
        addresses: request.addresses.clone(),
        every: LOOK_INTERVAL,
        clock,
        // Random against all that a target does; the same in each run.
        seed: 0,
        wall_clock: request.wall_clock,
        network: Arc::new(move |url: &Url| {
            network::plain_to(url, &environment, false).map_err(|error| error.to_string())
        }),
        listener,
    }
}
