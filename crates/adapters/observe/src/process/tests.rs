use std::net::TcpListener;

use super::*;

fn value(reading: &Reading, kind: SignalKind) -> Option<f64> {
    let found = reading.values.iter().find(|(known, _, _)| *known == kind);
    found.map(|(_, _, value)| *value)
}

#[test]
fn a_process_is_read_by_its_number() {
    let mut source =
        ProcessSource::of_process(std::process::id(), MonotonicClock::start()).unwrap();
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
    let mut source = ProcessSource::of_port(port, MonotonicClock::start()).unwrap();
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
    let none = ProcessSource::of_process(u32::MAX, MonotonicClock::start());
    assert_eq!(none.err(), Some(SourceError::NoProcess));
    let gone = ProcessSource::of_process(4_000_000, MonotonicClock::start());
    assert_eq!(gone.err(), Some(SourceError::NoProcess));
}

#[test]
fn a_databases_processes_are_told_by_their_name() {
    assert_eq!(Role::from_command("postgres"), Role::Database);
    assert_eq!(Role::from_command("redis-server"), Role::Redis);
    assert_eq!(Role::from_command("java"), Role::Service);
}
