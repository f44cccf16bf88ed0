//! Sources against real servers, which `tools/packages.sh` installs.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod mariadb;
mod postgres;
mod prometheus;
mod redis;
mod remote;
mod server;

use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use loadline_net::NetworkSettings;
use loadline_observe::{ObserverSetup, SourceNotice, TargetObserver};
use loadline_reactor::MonotonicClock;
use loadline_record::signals::{SignalKind, Signals};

const TEST_DEADLINE: Duration = Duration::from_secs(60);

fn observe(source: &str) -> (TargetObserver, mpsc::Receiver<SourceNotice>) {
    observe_every(Duration::from_millis(20), source)
}

fn observe_every(every: Duration, source: &str) -> (TargetObserver, mpsc::Receiver<SourceNotice>) {
    let (setup, told) = setup(source);
    let setup = ObserverSetup { every, ..setup };
    (TargetObserver::start(&setup), told)
}

/// What looks at one source 50 times a second.
fn setup(source: &str) -> (ObserverSetup, mpsc::Receiver<SourceNotice>) {
    let (tell, told) = mpsc::channel();
    let tell = Mutex::new(tell);
    let setup = ObserverSetup {
        addresses: vec![source.parse().unwrap()],
        every: Duration::from_millis(20),
        clock: MonotonicClock::start(),
        seed: 1,
        wall_clock: || std::time::SystemTime::UNIX_EPOCH,
        network: Arc::new(|_| Ok(NetworkSettings::default())),
        listener: Arc::new(move |notice| {
            let _ = tell.lock().unwrap().send(notice);
        }),
    };
    (setup, told)
}

fn largest(signals: &Signals, kind: SignalKind) -> f64 {
    let points = signals.of_kind(kind).flat_map(|series| series.points());
    points.map(|point| point.value).fold(f64::NAN, f64::max)
}

/// Waits until a notice says that the source answers, or that it does not.
fn until(told: &mpsc::Receiver<SourceNotice>, answers: bool) {
    while told.recv_timeout(TEST_DEADLINE).unwrap().error.is_none() != answers {}
}
