//! Fetches each URL once, one after the other, and shows what a k6 script would see.
//!
//! `cargo run -p loadline-net --example fetch -- https://localhost:8443/`
#![expect(clippy::print_stdout, reason = "showing is what it is for")]

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use loadline_net::{
    BodyMode, Client, ExchangeOptions, Names, NamesOptions, Network, NetworkSettings, Request,
    Response, Roots, SystemResolver, Tls, TlsOptions, Url,
};
use loadline_reactor::{MonotonicClock, Reactor};
use loadline_units::Time;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let resolver = SystemResolver::new(runtime.handle().clone())?;
    // The control plane of this example: a thread that answers look-ups.
    std::thread::spawn(move || runtime.block_on(std::future::pending::<()>()));
    let (roots, errors) = Roots::system();
    for error in errors {
        println!("roots: {error}");
    }
    let settings = NetworkSettings {
        names: Arc::new(Names::new(resolver, NamesOptions::default(), 1)),
        tls: Some(Tls::new(&TlsOptions::default(), &roots)?),
        ..NetworkSettings::default()
    };
    let mut reactor = Reactor::new(MonotonicClock::start())?;
    let handle = reactor.handle();
    let network = Network::new(handle.clone(), Arc::new(settings));
    let client = Client::new(&network, None);
    let done = Rc::new(Cell::new(false));
    let finished = done.clone();
    handle.clone().spawn(async move {
        let mut response = Response::new();
        for url in std::env::args().skip(1) {
            let parsed = match Url::parse(&url) {
                Ok(parsed) => parsed,
                Err(error) => {
                    println!("{error}");
                    continue;
                }
            };
            let mut request = Request::new("GET", parsed);
            request.add_field("User-Agent", "loadline example");
            let options = ExchangeOptions {
                started: handle.now(),
                deadline: handle.now() + Duration::from_secs(1),
                body: BodyMode::default(),
            };
            let outcome = client.exchange(&request, &options, &mut response).await;
            show(&url, &response, outcome);
        }
        finished.set(true);
    });
    let mut ready = Vec::new();
    while !done.get() {
        reactor.turn(&mut ready, Time::MAX)?;
    }
    Ok(())
}

fn show(url: &str, response: &Response, outcome: Result<(), loadline_net::Failure>) {
    let (code, text) = match &outcome {
        Ok(()) => (0, String::new()),
        Err(failure) => (failure.code(), failure.text()),
    };
    let protocol = response.protocol.as_str();
    let tls = response
        .tls
        .map(|tls| (tls.version.as_str(), tls.cipher_suite));
    println!(
        "{url}: {} {code} {text:?} {protocol} {tls:?} remote {:?}",
        response.head.status(),
        response.remote
    );
    let timing = &response.timing;
    println!(
        "  blocked {:?} connecting {:?} tls {:?} sending {:?} waiting {:?} receiving {:?}, {} B out, {} B in",
        timing.blocked(),
        timing.connecting(),
        timing.tls_handshaking(),
        timing.sending(),
        timing.waiting(),
        timing.receiving(),
        response.bytes_sent,
        response.bytes_received
    );
    if let Err(failure) = &outcome {
        println!("  {}", failure.log("GET", url));
    }
    for (name, value) in response.head.fields() {
        println!("  {name}: {}", String::from_utf8_lossy(value));
    }
    println!("  {}", String::from_utf8_lossy(&response.body).trim_end());
}
