//! A simulated network with servers told what to say.

use std::cell::RefCell;
use std::future::Future;
use std::net::SocketAddr;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use loadline_net::{
    BodyMode, Client, ExchangeOptions, Failure, Network, NetworkSettings, Request, Response, Url,
};
use loadline_reactor::Reactor;
use loadline_reactor::sim::{Peer, PeerActions, World};
use loadline_units::Clock;

/// One way between client and server takes this long in a simulated world.
pub(crate) const ONE_WAY: Duration = Duration::from_micros(50);

/// What a server does when a request's head is complete.
#[derive(Debug, Clone)]
pub(crate) enum Say {
    /// Sends bytes after a delay.
    After(Duration, Vec<u8>),
    /// Ends the stream.
    Close(Duration),
    /// Breaks the connection.
    Reset(Duration),
}

pub(crate) fn now(bytes: &[u8]) -> Say {
    Say::After(Duration::ZERO, bytes.to_vec())
}

/// What servers saw and how they answer; connection number, request number within it.
type Script = Rc<RefCell<dyn FnMut(usize, usize, &str) -> Vec<Say>>>;

struct Scripted {
    script: Script,
    connection: usize,
    requests: usize,
    unread: Vec<u8>,
    seen: Rc<RefCell<Seen>>,
}

/// What reached the servers.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) connections: usize,
    pub(crate) closed: usize,
    pub(crate) requests: Vec<String>,
    pub(crate) pieces: usize,
}

impl Peer for Scripted {
    fn received(&mut self, bytes: &[u8], wire: &mut PeerActions) {
        self.unread.extend_from_slice(bytes);
        self.seen.borrow_mut().pieces += 1;
        while let Some(end) = request_end(&self.unread) {
            let request: Vec<u8> = self.unread.drain(..end).collect();
            let request = String::from_utf8_lossy(&request).into_owned();
            let says = (self.script.borrow_mut())(self.connection, self.requests, &request);
            self.requests += 1;
            self.seen.borrow_mut().requests.push(request);
            for say in says {
                say.on(wire);
            }
        }
    }

    fn client_closed(&mut self, _: &mut PeerActions) {
        self.seen.borrow_mut().closed += 1;
    }
}

struct Raw<F> {
    script: Rc<RefCell<F>>,
    answered: bool,
}

impl<F: FnMut(&[u8]) -> Vec<Say>> Peer for Raw<F> {
    fn received(&mut self, bytes: &[u8], wire: &mut PeerActions) {
        if std::mem::replace(&mut self.answered, true) {
            return;
        }
        for say in (self.script.borrow_mut())(bytes) {
            say.on(wire);
        }
    }
}

impl Say {
    fn on(self, wire: &mut PeerActions) {
        match self {
            Self::After(delay, bytes) => wire.send(delay, bytes),
            Self::Close(delay) => wire.close(delay),
            Self::Reset(delay) => wire.reset(delay),
        }
    }
}

/// Where the first request in `bytes` ends: after its head and Content-Length.
fn request_end(bytes: &[u8]) -> Option<usize> {
    let text = String::from_utf8_lossy(bytes);
    let head = text.find("\r\n\r\n")? + 4;
    let length = text[..head]
        .split("Content-Length: ")
        .nth(1)
        .and_then(|rest| rest.split('\r').next()?.parse().ok())
        .unwrap_or(0);
    (bytes.len() >= head + length).then_some(head + length)
}

/// A world, its reactor and one client.
pub(crate) struct Bed {
    pub(crate) world: World,
    pub(crate) reactor: Reactor,
    pub(crate) network: Network,
    pub(crate) client: Client,
    pub(crate) seen: Rc<RefCell<Seen>>,
}

impl Bed {
    pub(crate) fn new() -> Self {
        Self::with(NetworkSettings::default())
    }

    pub(crate) fn with(settings: NetworkSettings) -> Self {
        let world = World::new(1);
        let reactor = Reactor::simulated(&world);
        let network = Network::new(reactor.handle(), Arc::new(settings));
        let client = Client::new(&network, None);
        Self {
            world,
            reactor,
            network,
            client,
            seen: Rc::default(),
        }
    }

    /// A server on `port` of 10.0.0.1 that answers by `script`.
    pub(crate) fn serve(
        &self,
        port: u16,
        script: impl FnMut(usize, usize, &str) -> Vec<Say> + 'static,
    ) {
        let script: Script = Rc::new(RefCell::new(script));
        let seen = self.seen.clone();
        let address = SocketAddr::from(([10, 0, 0, 1], port));
        self.world.listen(address, move || {
            let connection = seen.borrow().connections;
            seen.borrow_mut().connections += 1;
            Box::new(Scripted {
                script: script.clone(),
                connection,
                requests: 0,
                unread: Vec::new(),
                seen: seen.clone(),
            })
        });
    }

    /// A server on `port` of 10.0.0.1 that answers the first bytes of a connection,
    /// whatever they are.
    pub(crate) fn serve_raw(&self, port: u16, script: impl FnMut(&[u8]) -> Vec<Say> + 'static) {
        let script = Rc::new(RefCell::new(script));
        let address = SocketAddr::from(([10, 0, 0, 1], port));
        self.world.listen(address, move || {
            Box::new(Raw {
                script: script.clone(),
                answered: false,
            })
        });
    }

    /// Drives the world until `future` is done.
    pub(crate) fn run<T: 'static>(&mut self, future: impl Future<Output = T> + 'static) -> T {
        let result = Rc::new(RefCell::new(None));
        let place = result.clone();
        self.reactor.handle().spawn(async move {
            let value = future.await;
            *place.borrow_mut() = Some(value);
        });
        let mut ready = Vec::new();
        loop {
            let now = self.world.now();
            self.reactor.turn(&mut ready, now).unwrap();
            if let Some(value) = result.borrow_mut().take() {
                return value;
            }
            let next = [self.world.next_event(), self.reactor.next_wake()];
            let next = next.into_iter().flatten().min();
            self.world.advance(next.expect("nothing will ever happen"));
        }
    }

    /// Lets simulated time pass.
    pub(crate) fn wait(&mut self, length: Duration) {
        let handle = self.reactor.handle();
        self.run(async move {
            let until = handle.now() + length;
            handle.sleep_until(until).await;
        });
    }

    /// One exchange with a time-out of 1 s.
    pub(crate) fn exchange(&mut self, request: &Request) -> (Response, Result<(), Failure>) {
        self.exchange_with(request, BodyMode::default())
    }

    pub(crate) fn exchange_with(
        &mut self,
        request: &Request,
        body: BodyMode,
    ) -> (Response, Result<(), Failure>) {
        let client = self.client.clone();
        let request = request.clone();
        let options = ExchangeOptions {
            started: self.world.now(),
            deadline: self.world.now() + Duration::from_secs(1),
            body,
        };
        self.run(async move {
            let mut response = Response::new();
            let outcome = client.exchange(&request, &options, &mut response).await;
            (response, outcome)
        })
    }
}

pub(crate) fn get(url: &str) -> Request {
    Request::new("GET", Url::parse(url).unwrap())
}
