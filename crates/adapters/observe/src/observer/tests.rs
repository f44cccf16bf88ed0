use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::sync::mpsc;

use loadline_net::NetworkSettings;
use loadline_record::signals::{Entity, Label, SignalKind, SourceNote};

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
        seed: 1,
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

/// Answers requests in turn, each look by another process.
fn in_turn(answers: Vec<String>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/metrics", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for (look, stream) in listener.incoming().enumerate() {
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 2048]);
            let body = answers[look % answers.len()].replace("LOOK", &look.to_string());
            let _ = stream.write_all(&page(&body));
        }
    });
    url
}

fn signals_of(url: &str, looks: u64) -> Signals {
    let (observer, _told) = observe(&[url.to_owned()]);
    let peek = observer.peek();
    while peek.so_far().sources[0].answered < looks {
        std::thread::yield_now();
    }
    observer.finish(TEST_DEADLINE)
}

/// Seen: "CPU 10,761 of 4 cores" of two healthy instances behind a balancer.
#[test]
fn pages_of_processes_that_answer_in_turn_are_instances() {
    let spring = |start: u64, requests: &str| {
        format!(
            "process_start_time_seconds {start}\nprocess_cpu_time_ns_total {requests}000000000\n\
             http_server_requests_seconds_count{{method=\"GET\",uri=\"/a\"}} {requests}\n"
        )
    };
    let node = |pid: u64, requests: &str| {
        format!(
            "process_cpu_seconds_total{{pid=\"{pid}\"}} {requests}\n\
             http_request_duration_seconds_count{{method=\"GET\",route=\"/a\"}} {requests}\n"
        )
    };
    let otel = |id: &str, requests: &str| {
        format!(
            "target_info{{service_instance_id=\"{id}\"}} 1\njvm_cpu_time_seconds_total {requests}\n\
             http_server_request_duration_seconds_count{{http_route=\"/a\"}} {requests}\n"
        )
    };
    for pages in [
        vec![spring(1_000, "90LOOK"), spring(2_000, "LOOK")],
        vec![node(7, "90LOOK"), node(8, "LOOK")],
        vec![otel("x", "90LOOK"), otel("y", "LOOK")],
    ] {
        let signals = signals_of(&in_turn(pages), 8);
        let notes = &signals.sources[0].notes;
        assert_eq!(notes[..], [SourceNote::SeveralProcesses(2)]);
        let cpu: Vec<_> = signals.of_kind(SignalKind::ProcessCpu).collect();
        assert_eq!(cpu.len(), 2, "{:?}", signals.series());
        for series in cpu {
            assert!(series.entity.get(Label::Instance).is_some());
            let rises = series
                .points()
                .windows(2)
                .all(|pair| pair[0].value <= pair[1].value);
            assert!(rises, "{series:?}");
        }
    }
}

/// Workers of gunicorn and of a cluster of Node that start in one second, and a page without a start.
#[test]
fn counters_of_processes_that_nothing_tells_apart_are_not_given() {
    let head = [
        "",
        "process_start_time_seconds 1000\n",
        "python_info{version=\"3\"} 1\n",
    ];
    for head in head {
        let worker = |base: u64| {
            format!(
                "{head}process_cpu_seconds_total {base}LOOK\ngo_threads 4\n\
                 http_request_duration_seconds_count{{method=\"GET\",route=\"/a\"}} {base}5LOOK\n"
            )
        };
        let signals = signals_of(&in_turn(vec![worker(9), worker(7), worker(8)]), 12);
        let notes = &signals.sources[0].notes;
        assert_eq!(
            notes[..],
            [SourceNote::MixedProcesses(3)],
            "{:?}",
            signals.series()
        );
        let kinds: Vec<_> = signals.series().iter().map(|series| series.kind).collect();
        assert!(kinds.contains(&SignalKind::Threads), "{kinds:?}");
        assert!(!kinds.contains(&SignalKind::ProcessCpu), "{kinds:?}");
    }
}

#[test]
fn a_route_that_is_first_used_during_the_run_counts_from_its_first_request() {
    let line = |route: &str, count: u64| {
        format!("http_request_duration_seconds_count{{method=\"GET\",route=\"{route}\"}} {count}\n")
    };
    let before = line("/health", 3);
    let after = format!("{before}{}", line("/items", 40));
    let mut answers = vec![before; 3];
    answers.extend(vec![after; 1000]);
    let signals = signals_of(&in_turn(answers), 6);
    let items = Entity::new().with(Label::Operation, "GET /items");
    let mut requests = signals.of_kind(SignalKind::ServerRequests);
    let items = requests.find(|series| series.entity == items).unwrap();
    assert!(items.points()[0].value < 1.0, "{items:?}");
    assert!((items.points()[1].value - 40.0).abs() < 0.1, "{items:?}");
}

#[test]
fn how_long_a_page_takes_to_answer_is_told() {
    let (_keeps, never) = mpsc::channel::<()>();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/metrics", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 2048]);
            let _ = never.recv_timeout(Duration::from_millis(600));
            let _ = stream.write_all(&page("hikaricp_connections_active{pool=\"p\"} 3\n"));
        }
    });
    let signals = signals_of(&url, 2);
    let scrapes = signals.of_kind(SignalKind::ScrapeTime).next().unwrap();
    assert!(
        scrapes.points().iter().all(|point| point.value >= 0.6),
        "{scrapes:?}"
    );
    let notes = &signals.sources[0].notes;
    assert!(
        matches!(notes[..], [SourceNote::SlowAnswers(600..)]),
        "{notes:?}"
    );
}
