use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use loadline_record::signals::{Label, SignalKind};

use crate::server::{self, Server};
use crate::{TEST_DEADLINE, largest, observe, until};

/// A target's page, whose counter grows with each scrape; the port it is on.
fn target(pool: &'static str) -> (u16, Arc<AtomicU32>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let scrapes = Arc::new(AtomicU32::new(0));
    let counted = scrapes.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 4096]);
            let number = counted.fetch_add(1, Ordering::Relaxed);
            let body = format!(
                "jvm_threads_live_threads 9\nprocess_cpu_seconds_total {number}\n\
                 hikaricp_connections_max{{pool=\"{pool}\"}} 10\nignored_metric 1\n"
            );
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
                body.len()
            );
            let _ = stream.write_all((head + &body).as_bytes());
        }
    });
    (port, scrapes)
}

fn prometheus(targets: &[u16]) -> Server {
    let program = server::program("prometheus");
    let (folder, port) = (server::folder(), server::free_port());
    let of = |port: &u16| format!("\"127.0.0.1:{port}\"");
    let targets: Vec<String> = targets.iter().map(of).collect();
    let config = format!(
        "global: {{scrape_interval: 1s}}\nscrape_configs:\n\
         - job_name: shop\n  static_configs: [{{targets: [{}]}}]\n\
         - job_name: itself\n  static_configs: [{{targets: [\"127.0.0.1:{port}\"]}}]\n",
        targets.join(", ")
    );
    std::fs::write(folder.path().join("prometheus.yml"), config).unwrap();
    let args = [
        "--config.file=prometheus.yml".to_owned(),
        "--storage.tsdb.path=data".to_owned(),
        format!("--web.listen-address=127.0.0.1:{port}"),
    ];
    Server::new(program, args.to_vec(), folder, port)
}

#[test]
fn a_prometheus_tells_what_it_scrapes_when_it_was_scraped_and_its_restart_is_a_gap() {
    let (a, scrapes) = target("main");
    let (b, _) = target("main");
    let mut server = prometheus(&[a, b]);
    let url = format!("prometheus://127.0.0.1:{}?match=job=\"shop\"", server.port);
    let (observer, told) = observe(&url);
    until(&told, true);
    let begun = scrapes.load(Ordering::Relaxed);
    while scrapes.load(Ordering::Relaxed) < begun + 4 {
        std::thread::yield_now();
    }
    server.stop();
    until(&told, false);
    server.start();
    until(&told, true);
    let signals = observer.finish(TEST_DEADLINE);

    assert!((largest(&signals, SignalKind::PoolMax) - 10.0).abs() < 1e-9);
    let cpu: Vec<_> = signals.of_kind(SignalKind::ProcessCpu).collect();
    assert_eq!(
        cpu.len(),
        2,
        "one of each target, none of the Prometheus itself"
    );
    for (series, port) in cpu.iter().zip([a, b]) {
        let points = series.points();
        assert!(points.len() >= 3, "{points:?}");
        let is_of = |series: &&&_| {
            let series: &loadline_record::signals::SignalSeries = series;
            series.entity.get(Label::Instance) == Some(&format!("127.0.0.1:{port}"))
        };
        assert!(cpu.iter().any(|one| is_of(&one)), "{cpu:?}");
        // Each scrape has its own second, however often it was asked for.
        let apart = points.windows(2).map(|pair| pair[1].at_ms - pair[0].at_ms);
        assert!(apart.min().unwrap() >= 500, "{points:?}");
    }
    let source = &signals.sources[0];
    assert!(
        source.failures.last().unwrap().to_ms.is_some(),
        "{source:?}"
    );

    for (labels, error) in [
        ("job=\"nobody\"", "empty"),
        ("job=", "other: invalid parameter"),
    ] {
        let url = format!("prometheus://127.0.0.1:{}?match={labels}", server.port);
        let (observer, told) = observe(&url);
        let notice = told.recv_timeout(TEST_DEADLINE).unwrap();
        drop(observer.finish(TEST_DEADLINE));
        let code = notice.error.unwrap().code();
        assert!(code.starts_with(error), "{code}");
    }
}
