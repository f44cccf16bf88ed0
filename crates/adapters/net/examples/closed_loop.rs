//! As many users as asked for, each sending one request after the other: what `net` and
//! `reactor` cost by themselves.
//!
//! `closed_loop URL USERS SECONDS` prints requests, and user and system CPU time each.
#![expect(clippy::print_stdout, reason = "showing is what it is for")]

use std::cell::Cell;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use loadline_net::{
    BodyMode, Client, ExchangeOptions, Network, NetworkSettings, Request, Response, Roots, Tls,
    TlsOptions, Url,
};
use loadline_reactor::{MonotonicClock, Reactor, ReactorHandle, Registration, TaskId};
use loadline_units::Time;

type User = Pin<Box<dyn Future<Output = ()>>>;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, url, users, seconds] = arguments.as_slice() else {
        return Err("usage: closed_loop URL USERS SECONDS".into());
    };
    let url = Url::parse(url)?;
    let mut settings = NetworkSettings::default();
    if url.is_secure() {
        settings.tls = Some(Tls::new(&TlsOptions::default(), &Roots::system().0)?);
    }
    let mut reactor = Reactor::new(MonotonicClock::start())?;
    let handle = reactor.handle();
    let network = Network::new(handle.clone(), Arc::new(settings));
    let end = handle.now() + Duration::from_secs(seconds.parse()?);
    let (done, failed) = (Rc::new(Cell::new(0_u64)), Rc::new(Cell::new(0_u64)));
    let mut tasks: Vec<(User, Registration)> = Vec::new();
    for number in 0..users.parse()? {
        let client = Client::new(&network, None);
        let (done, failed) = (done.clone(), failed.clone());
        let user = user(handle.clone(), client, url.clone(), end, done, failed);
        tasks.push((Box::pin(user), handle.register(TaskId(number))));
    }
    let before = cpu_seconds()?;
    let mut ready: Vec<TaskId> = (0..tasks.len() as u64).map(TaskId).collect();
    let mut left = tasks.len();
    while left > 0 {
        for task in ready.drain(..) {
            let (user, registration) = &mut tasks[usize::try_from(task.0)?];
            registration.taken();
            let mut cx = Context::from_waker(registration.waker());
            if let Poll::Ready(()) = user.as_mut().poll(&mut cx) {
                left -= 1;
            }
        }
        reactor.turn(&mut ready, Time::MAX)?;
    }
    let after = cpu_seconds()?;
    let requests = done.get().max(1) as f64;
    println!(
        "{} requests, {} failed, user {:.3} us, system {:.3} us each",
        done.get(),
        failed.get(),
        (after.0 - before.0) * 1e6 / requests,
        (after.1 - before.1) * 1e6 / requests
    );
    Ok(())
}

async fn user(
    handle: ReactorHandle,
    client: Client,
    url: Url,
    end: Time,
    done: Rc<Cell<u64>>,
    failed: Rc<Cell<u64>>,
) {
    let mut request = Request::new("GET", url);
    request.add_field("User-Agent", "loadline example");
    let mut response = Response::new();
    loop {
        let now = handle.now();
        if now >= end {
            return;
        }
        let options = ExchangeOptions {
            started: now,
            deadline: now + Duration::from_secs(10),
            body: BodyMode::default(),
        };
        match client.exchange(&request, &options, &mut response).await {
            Ok(()) => done.set(done.get() + 1),
            Err(_) => failed.set(failed.get() + 1),
        }
    }
}

/// User and system time of this process, in hundredths of a second at best.
fn cpu_seconds() -> Result<(f64, f64), Box<dyn std::error::Error>> {
    const TICKS_PER_SECOND: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    let after_name = stat.rsplit_once(") ").ok_or("a strange /proc/self/stat")?.1;
    let ticks = |field: usize| -> Result<f64, Box<dyn std::error::Error>> {
        let text = after_name.split(' ').nth(field).ok_or("too few fields")?;
        Ok(text.parse::<f64>()? / TICKS_PER_SECOND)
    };
    Ok((ticks(11)?, ticks(12)?))
}
