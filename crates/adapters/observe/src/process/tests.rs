use std::net::TcpListener;

use super::*;

fn shared() -> ProcessShared {
    ProcessShared {
        clock: MonotonicClock::start(),
        target: Arc::default(),
    }
}

fn value(reading: &Reading, kind: SignalKind) -> Option<f64> {
    let found = reading.values.iter().find(|(known, _, _)| *known == kind);
    found.map(|(_, _, value)| *value)
}

#[test]
fn a_process_is_read_by_its_number() {
    let mut source = ProcessSource::of_process(std::process::id(), shared()).unwrap();
    let mut reading = Reading::default();
    source.read(&mut reading).unwrap();
    assert!(value(&reading, SignalKind::MemoryUsed).unwrap() > 100_000.0);
    assert!(value(&reading, SignalKind::Threads).unwrap() >= 1.0);
    assert!(value(&reading, SignalKind::CoresAvailable).unwrap() > 0.0);
    assert!(value(&reading, SignalKind::HostCores).unwrap() >= 1.0);
    assert!(reading.has(SignalKind::ProcessCpu) && reading.has(SignalKind::ContextSwitches));
}

#[test]
fn a_process_is_found_by_the_port_it_listens_on() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let mut source = ProcessSource::of_port(port, shared()).unwrap();
    assert_eq!(source.root.pid.unsigned_abs(), std::process::id());
    let _waiting = std::net::TcpStream::connect(("127.0.0.1", port)).unwrap();
    let mut reading = Reading::default();
    source.read(&mut reading).unwrap();
    assert!(source.places().contains(&format!("127.0.0.1:{port}")));
    assert!(value(&reading, SignalKind::OpenSockets).unwrap() >= 1.0);
    drop(listener);
    assert_eq!(sockets::listener(port), Err(SourceError::NoListener));
}

#[test]
fn a_process_that_is_none_is_an_error() {
    let none = ProcessSource::of_process(u32::MAX, shared());
    assert_eq!(none.err(), Some(SourceError::NoProcess));
    let gone = ProcessSource::of_process(4_000_000, shared());
    assert_eq!(gone.err(), Some(SourceError::NoProcess));
}

#[test]
fn a_databases_processes_are_told_by_their_name() {
    assert_eq!(Role::from_command("postgres"), Role::Database);
    assert_eq!(Role::from_command("redis-server"), Role::Redis);
    assert_eq!(Role::from_command("java"), Role::Service);
}

#[test]
fn the_targets_connections_to_a_database_are_told_to_who_looks_at_it() {
    let database = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = database.local_addr().unwrap().port();
    let ours = std::net::TcpStream::connect(("127.0.0.1", port)).unwrap();
    let shared = shared();
    shared.target.want(port);
    let mut source = ProcessSource::of_process(std::process::id(), shared.clone()).unwrap();
    source.read(&mut Reading::default()).unwrap();
    let own = BTreeSet::from([ours.local_addr().unwrap().port()]);
    assert_eq!(shared.target.to(port), own);
    drop(ours);
    let again = std::net::TcpStream::connect(("127.0.0.1", port)).unwrap();
    source.read(&mut Reading::default()).unwrap();
    let own = BTreeSet::from([again.local_addr().unwrap().port()]);
    assert_eq!(shared.target.to(port), own, "new ones at each look");
}
