//! The loop on both backends: real sockets over loopback, and the simulated world.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
use std::cell::{Cell, RefCell};
use std::io;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::rc::Rc;
use std::time::Duration;

use loadline_reactor::sim::{Peer, PeerActions, World};
use loadline_reactor::{MonotonicClock, Reactor, ReactorHandle, TaskId};
use loadline_units::{Clock, Time};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

async fn connected(
    handle: &ReactorHandle,
    to: SocketAddr,
) -> io::Result<loadline_reactor::TcpStream> {
    let stream = handle.connect(to, None)?;
    std::future::poll_fn(|cx| stream.poll_connected(cx)).await?;
    Ok(stream)
}

/// Turns the reactor until `done`, with a bound that only a hang reaches.
fn run_until(reactor: &mut Reactor, done: &Cell<bool>) {
    let mut ready = Vec::new();
    let give_up = reactor.handle().now() + Duration::from_secs(20);
    while !done.get() {
        assert!(reactor.handle().now() < give_up, "the reactor hangs");
        reactor.turn(&mut ready, give_up).unwrap();
    }
}

#[test]
fn a_real_connection_carries_more_than_a_socket_buffer_both_ways() {
    const BODY_BYTES: usize = 8 << 20;
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = std::thread::spawn(move || {
        let (mut peer, _) = listener.accept().unwrap();
        let mut got = vec![0; BODY_BYTES];
        peer.read_exact(&mut got).unwrap();
        peer.write_all(&got).unwrap();
    });
    let mut reactor = Reactor::new(MonotonicClock::start()).unwrap();
    let handle = reactor.handle();
    let done = Rc::new(Cell::new(false));
    let finished = done.clone();
    handle.clone().spawn(async move {
        let mut stream = connected(&handle, address).await.unwrap();
        let sent: Vec<u8> = (0..BODY_BYTES)
            .map(|i| u8::try_from(i % 251).unwrap())
            .collect();
        stream.write_all(&sent).await.unwrap();
        let mut back = Vec::new();
        stream.read_to_end(&mut back).await.unwrap();
        assert!(back == sent, "what came back is what was sent");
        finished.set(true);
    });

    run_until(&mut reactor, &done);
    server.join().unwrap();
}

#[test]
fn a_refused_connection_says_so() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let mut reactor = Reactor::new(MonotonicClock::start()).unwrap();
    let handle = reactor.handle();
    let done = Rc::new(Cell::new(false));
    let finished = done.clone();
    handle.clone().spawn(async move {
        let error = connected(&handle, address).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::ConnectionRefused);
        finished.set(true);
    });

    run_until(&mut reactor, &done);
}

#[test]
fn another_thread_ends_a_wait() {
    let mut reactor = Reactor::new(MonotonicClock::start()).unwrap();
    let remote = reactor.remote();
    let registration = reactor.handle().register(TaskId(3));
    let waker = registration.waker().clone();
    let other = std::thread::spawn(move || {
        waker.wake();
        remote.wake();
    });
    let mut ready = Vec::new();
    while ready.is_empty() {
        reactor.turn(&mut ready, Time::MAX).unwrap();
    }
    assert_eq!(ready, [TaskId(3)]);
    other.join().unwrap();
}

struct Echo;

impl Peer for Echo {
    fn received(&mut self, bytes: &[u8], wire: &mut PeerActions) {
        wire.send(Duration::from_secs(2), bytes);
        wire.close(Duration::from_secs(3));
    }
}

fn simulate(seed: u64) -> Vec<(Time, String)> {
    let world = World::new(seed);
    let address: SocketAddr = "10.0.0.1:80".parse().unwrap();
    world.listen(address, || Box::new(Echo));
    let mut reactor = Reactor::simulated(&world);
    let log = Rc::new(RefCell::new(Vec::new()));
    for user in 0..3 {
        let (handle, log) = (reactor.handle(), log.clone());
        reactor.handle().spawn(async move {
            let mut stream = connected(&handle, address).await.unwrap();
            stream.write_all(b"ping").await.unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).await.unwrap();
            log.borrow_mut()
                .push((handle.now(), format!("{user} {answer}")));
        });
    }
    let mut ready = Vec::new();
    for _ in 0..1000 {
        reactor.turn(&mut ready, Time::MAX).unwrap();
        let next = [reactor.next_wake(), world.next_event()];
        let Some(next) = next.into_iter().flatten().min() else {
            break;
        };
        world.advance(next);
    }
    log.take()
}

#[test]
fn the_simulated_world_takes_no_real_time_and_repeats_itself() {
    let before = MonotonicClock::start();
    let first = simulate(1);
    assert_eq!(first.len(), 3);
    for (at, text) in &first {
        assert!(text.ends_with("ping"));
        // connect 100 µs, there 50 µs, and the end of the stream 3 s later, back 50 µs
        assert_eq!(*at, Time::ZERO + Duration::from_micros(3_000_200));
    }
    assert_eq!(first, simulate(1), "one seed, one run");
    assert!(before.now() < Time::ZERO + Duration::from_secs(2));
}

#[test]
fn sleepers_wake_in_the_order_of_their_deadlines() {
    let world = World::new(1);
    let mut reactor = Reactor::simulated(&world);
    let order = Rc::new(RefCell::new(Vec::new()));
    for seconds in [3_u64, 1, 2] {
        let (handle, order) = (reactor.handle(), order.clone());
        reactor.handle().spawn(async move {
            let deadline = handle.now() + Duration::from_secs(seconds);
            handle.sleep_until(deadline).await;
            assert_eq!(handle.now(), deadline);
            order.borrow_mut().push(seconds);
        });
    }
    let mut ready = Vec::new();
    reactor.turn(&mut ready, Time::MAX).unwrap();
    while let Some(next) = reactor.next_wake() {
        world.advance(next);
        reactor.turn(&mut ready, Time::MAX).unwrap();
    }
    assert_eq!(*order.borrow(), [1, 2, 3]);
}

/// Sends 4 MB at once to whoever says something.
struct Flood;

impl Peer for Flood {
    fn received(&mut self, _: &[u8], wire: &mut PeerActions) {
        wire.send(Duration::ZERO, vec![b'x'; 4 << 20]);
    }
}

#[test]
fn a_reader_of_a_flood_lets_timers_and_neighbours_have_their_turn() {
    let world = World::new(1);
    let address: SocketAddr = "10.0.0.1:80".parse().unwrap();
    world.listen(address, || Box::new(Flood));
    let mut reactor = Reactor::simulated(&world);
    let handle = reactor.handle();
    let read = Rc::new(Cell::new(0));
    let counted = read.clone();
    handle.clone().spawn(async move {
        let mut stream = connected(&handle, address).await.unwrap();
        stream.write_all(b"go").await.unwrap();
        let mut buffer = vec![0; 16 * 1024];
        loop {
            counted.set(counted.get() + stream.read(&mut buffer).await.unwrap());
        }
    });
    let mut ready = Vec::new();
    let (mut turns, mut before) = (0, 0);
    while read.get() < 4 << 20 {
        reactor.turn(&mut ready, Time::MAX).unwrap();
        let this_turn = read.get() - before;
        assert!(this_turn <= 1 << 20, "{this_turn} bytes in one turn");
        turns += i32::from(this_turn > 0);
        before = read.get();
        if reactor.next_wake().is_none() {
            let next = world.next_event().unwrap();
            world.advance(next);
        }
    }
    assert_eq!(turns, 4);
}

#[test]
fn a_flood_over_a_real_socket_does_not_keep_a_timer_from_firing() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = std::thread::spawn(move || {
        let (mut peer, _) = listener.accept().unwrap();
        let piece = vec![0; 256 * 1024];
        while peer.write_all(&piece).is_ok() {}
    });
    let mut reactor = Reactor::new(MonotonicClock::start()).unwrap();
    let handle = reactor.handle();
    let done = Rc::new(Cell::new(false));
    let finished = done.clone();
    handle.clone().spawn(async move {
        let mut stream = connected(&handle, address).await.unwrap();
        let until = handle.now() + Duration::from_millis(50);
        let mut buffer = vec![0; 64 * 1024];
        let flood = std::pin::pin!(async { while stream.read(&mut buffer).await.unwrap() > 0 {} });
        let mut sleep = handle.sleep_until(until);
        let mut flood = flood;
        std::future::poll_fn(|cx| {
            use std::future::Future;
            assert!(flood.as_mut().poll(cx).is_pending());
            std::pin::Pin::new(&mut sleep).poll(cx)
        })
        .await;
        finished.set(true);
    });

    run_until(&mut reactor, &done);
    drop(reactor);
    server.join().unwrap();
}
