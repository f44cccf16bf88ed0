use std::net::SocketAddr;
use std::thread::JoinHandle;

use loadline_observe::SignalServer;
use loadline_record::signals::SignalKind;
use tokio::sync::oneshot;

use crate::{TEST_DEADLINE, largest, observe, setup, until};

/// What another host would run.
struct Agent {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    thread: JoinHandle<()>,
}

impl Agent {
    fn start(address: &str) -> Self {
        let own = format!("pid:{}", std::process::id());
        let (setup, _) = setup(&own);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let server = {
            let _inside = runtime.enter();
            SignalServer::bind(address.parse().unwrap(), "s3cret-token", None, setup).unwrap()
        };
        let address = server.address();
        let (stop, stopped) = oneshot::channel::<()>();
        let thread = std::thread::spawn(move || {
            runtime.block_on(server.serve(async {
                let _ = stopped.await;
            }));
        });
        Self {
            address,
            stop,
            thread,
        }
    }

    fn stop(self) -> String {
        drop(self.stop);
        self.thread.join().unwrap();
        self.address.to_string()
    }
}

#[test]
fn another_host_tells_what_it_sees_and_its_restart_is_a_gap() {
    let agent = Agent::start("127.0.0.1:0");
    let (observer, told) = observe(&format!("remote://s3cret-token@{}", agent.address));
    until(&told, true);
    // A use of CPU is seen between two looks of the other host.
    let reader = observer.peek();
    while largest(&reader.so_far(), SignalKind::ProcessCpu).max(0.0) <= 0.0 {
        std::thread::yield_now();
    }
    let address = agent.stop();
    until(&told, false);
    let agent = Agent::start(&address);
    until(&told, true);
    let signals = observer.finish(TEST_DEADLINE);
    assert!(largest(&signals, SignalKind::ProcessCpu) > 0.0);
    assert!(largest(&signals, SignalKind::Threads) >= 1.0);
    let names: Vec<&str> = signals
        .sources
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    let own = format!("pid:{} @ 127.0.0.1", std::process::id());
    assert_eq!(names, [&format!("remote://(redacted)@{address}"), &own]);
    assert!(signals.sources[0].failures[0].to_ms.is_some());
    assert!(signals.sources[1].answered > 0);
    let stored = serde_json::to_string(&signals).unwrap();
    assert!(!stored.contains("s3cret"), "no token is stored");

    let (observer, told) = observe(&format!("remote://another@{address}"));
    until(&told, false);
    let signals = observer.finish(TEST_DEADLINE);
    assert_eq!(signals.sources[0].failures[0].error, "login");
    agent.stop();
}
