use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::sync::mpsc;

use loadline_net::NetworkSettings;
use loadline_record::signals::{Entity, SignalKind};

use super::*;

const TEST_DEADLINE: Duration = Duration::from_secs(20);

fn page(body: &str) -> Vec<u8> {
    format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// Answers requests until its listener is taken away.
struct Target {
    listener: Arc<Mutex<Option<TcpListener>>>,
    address: SocketAddr,
}

impl Target {
    fn at(address: &str, answer: Vec<u8>) -> Self {
        let listener = TcpListener::bind(address).unwrap();
        let address = listener.local_addr().unwrap();
        let own = listener.try_clone().unwrap();
        let shared = Arc::new(Mutex::new(Some(listener)));
        let is_there = shared.clone();
        std::thread::spawn(move || {
            for stream in own.incoming() {
                let mut stream = stream.unwrap();
                if is_there.lock().unwrap().is_none() {
                    return;
                }
                let _ = stream.read(&mut [0; 2048]);
                let _ = stream.write_all(&answer);
            }
        });
        Self {
            listener: shared,
            address,
        }
    }

    fn url(&self) -> String {
        format!("http://{}/metrics", self.address)
    }

    fn stop(self) {
        self.listener.lock().unwrap().take();
        // Wakes the thread, which then lets go of the address.
        let _ = std::net::TcpStream::connect(self.address);
    }
}

fn observe(sources: &[String]) -> (TargetObserver, mpsc::Receiver<SourceNotice>) {
    let (tell, told) = mpsc::channel();
    let tell = Mutex::new(tell);
    let setup = ObserverSetup {
        addresses: sources
            .iter()
            .map(|source| source.parse().unwrap())
            .collect(),
        every: Duration::from_millis(5),
        clock: MonotonicClock::start(),
        wall_clock: || std::time::SystemTime::UNIX_EPOCH,
        network: Arc::new(|_| Ok(NetworkSettings::default())),
        listener: Arc::new(move |notice| {
            let _ = tell.lock().unwrap().send(notice);
        }),
    };
    (TargetObserver::start(&setup), told)
}

fn error_of(answer: Vec<u8>) -> Option<SourceError> {
    let target = Target::at("127.0.0.1:0", answer);
    let (observer, told) = observe(&[target.url()]);
    let notice = told.recv_timeout(TEST_DEADLINE).unwrap();
    drop(observer.finish(TEST_DEADLINE));
    notice.error
}

#[test]
fn a_source_that_stops_and_comes_back_is_a_gap() {
    let body = "hikaricp_connections_active{pool=\"main\"} 3\n";
    let target = Target::at("127.0.0.1:0", page(body));
    let (address, url) = (target.address.to_string(), target.url());
    let (observer, told) = observe(&[url]);
    let next = || told.recv_timeout(TEST_DEADLINE).unwrap().error;
    assert_eq!(next(), None);
    target.stop();
    while next().is_none() {}
    let again = Target::at(&address, page(body));
    while next().is_some() {}
    let signals = observer.finish(TEST_DEADLINE);
    again.stop();

    let source = &signals.sources[0];
    assert!(source.answered >= 2, "{source:?}");
    assert!(
        source
            .failures
            .iter()
            .all(|failure| failure.to_ms.is_some())
    );
    let series = signals.of_kind(SignalKind::PoolActive).next().unwrap();
    assert!(
        series
            .points()
            .iter()
            .all(|point| (point.value - 3.0).abs() < 1e-9)
    );
}

#[test]
fn garbage_cut_and_huge_answers_are_errors_of_the_source() {
    let garbage = page("<html>no metrics</html>\n");
    assert_eq!(error_of(garbage), Some(SourceError::NotMetrics(1)));
    let cut = b"HTTP/1.1 200 OK\r\nContent-Length: 4000\r\n\r\nup 1\n";
    assert_eq!(error_of(cut.to_vec()), Some(SourceError::CutOff));
    let huge = b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\nup 1\n";
    assert_eq!(error_of(huge.to_vec()), Some(SourceError::TooLarge));
    let refused = b"HTTP/1.1 503 Sorry\r\nContent-Length: 0\r\n\r\n";
    assert_eq!(error_of(refused.to_vec()), Some(SourceError::Status(503)));
}

#[test]
fn a_page_and_the_process_that_serves_it_are_one_thing() {
    let body = "process_cpu_seconds_total 1000000\nhikaricp_connections_max{pool=\"main\"} 10\n";
    let target = Target::at("127.0.0.1:0", page(body));
    let port = format!("port:{}", target.address.port());
    let (observer, told) = observe(&[target.url(), port]);
    for _ in 0..2 {
        assert_eq!(told.recv_timeout(TEST_DEADLINE).unwrap().error, None);
    }
    let signals = observer.finish(TEST_DEADLINE);
    let cpu: Vec<_> = signals.of_kind(SignalKind::ProcessCpu).collect();
    assert_eq!(cpu.len(), 1);
    assert_eq!(cpu[0].entity, Entity::new());
    assert!(
        cpu[0].points()[0].value < 1_000_000.0,
        "the kernel's figure"
    );
    assert_eq!(signals.of_kind(SignalKind::PoolMax).count(), 1);
}
