//! The usual exchange (connection kept alive, small response, the same request again), with
//! and without an agent, costs one send, one receive and no allocation. Over loopback: what
//! counts is what the client asks of the system.
#![expect(
    unsafe_code,
    reason = "a counting allocator is an unsafe trait's instance"
)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::{Cell, RefCell};
use std::future::Future;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, UNIX_EPOCH};

use loadline_net::{
    Agent, AgentContext, BodyMode, Client, CookieJar, ExchangeOptions, Network, NetworkSettings,
    Request, Response, SendOptions, Url,
};
use loadline_reactor::{MonotonicClock, Reactor, TaskId};
use loadline_units::Time;

struct Counting;

thread_local! {
    static COUNTED: Cell<Option<u64>> = const { Cell::new(None) };
}

fn count() {
    COUNTED.with(|counted| {
        if let Some(so_far) = counted.get() {
            counted.set(Some(so_far + 1));
        }
    });
}

// SAFETY: everything is passed on to the system's allocator unchanged; counting touches a
// thread-local cell only, which does not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller's promises are the system allocator's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const WARM_UP: u32 = 5;
const COUNTED_EXCHANGES: u32 = 50;

#[test]
fn an_exchange_on_a_kept_connection_allocates_nothing() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = std::thread::spawn(move || {
        let (mut peer, _) = listener.accept().unwrap();
        let mut request = [0; 4096];
        let mut reads = 0;
        let mut answer =
            b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 200\r\n\r\n".to_vec();
        answer.extend_from_slice(&[b'x'; 200]);
        while peer.read(&mut request).unwrap() > 0 {
            reads += 1;
            peer.write_all(&answer).unwrap();
        }
        reads
    });
    let mut reactor = Reactor::new(MonotonicClock::start()).unwrap();
    let handle = reactor.handle();
    let network = Network::new(handle.clone(), Arc::new(NetworkSettings::default()));
    let client = Client::new(&network, None);
    let request = Request::new(
        "GET",
        Url::parse(&format!("http://{address}/path")).unwrap(),
    );
    let shared = AgentContext::new(&network, UNIX_EPOCH, |_| {});
    let agent = Agent::new(client.clone(), shared);
    let jar = RefCell::new(CookieJar::new());
    let counted = Cell::new(0);
    let user = async {
        let mut response = Response::new();
        for turn in 0..WARM_UP + COUNTED_EXCHANGES {
            if turn == WARM_UP {
                COUNTED.set(Some(0));
            }
            let started = handle.now();
            let deadline = started + Duration::from_secs(20);
            // Every other one by way of an agent, with nothing to follow, keep or decode.
            if turn % 2 == 0 {
                let options = ExchangeOptions {
                    started,
                    deadline,
                    body: BodyMode::default(),
                };
                let exchange = client.exchange(&request, &options, &mut response);
                exchange.await.unwrap();
            } else {
                let options = SendOptions {
                    jar: Some(&jar),
                    ..SendOptions::until(deadline)
                };
                let mut hops = 0;
                let sent = agent
                    .send(&request, &options, &mut response, &mut |_| hops += 1)
                    .await;
                sent.outcome.unwrap();
                assert_eq!(hops, 1);
            }
            assert_eq!(response.body.len(), 200);
        }
        counted.set(COUNTED.take().unwrap());
    };
    run(&mut reactor, user);
    drop((client, agent));

    assert_eq!(
        counted.get(),
        0,
        "allocations in {COUNTED_EXCHANGES} exchanges"
    );
    assert_eq!(server.join().unwrap(), WARM_UP + COUNTED_EXCHANGES);
}

/// Polls `user` as a worker would; only what happens within its polls is counted.
fn run(reactor: &mut Reactor, user: impl Future<Output = ()>) {
    let mut user = pin!(user);
    let registration = reactor.handle().register(TaskId(1));
    let mut ready = vec![TaskId(1)];
    loop {
        let outside = COUNTED.take();
        if ready.is_empty() {
            reactor.turn(&mut ready, Time::MAX).unwrap();
            COUNTED.set(outside);
            continue;
        }
        ready.clear();
        registration.taken();
        COUNTED.set(outside);
        let mut cx = Context::from_waker(registration.waker());
        if let Poll::Ready(()) = user.as_mut().poll(&mut cx) {
            return;
        }
    }
}
