//! The simulated world: clock, events, listeners and connections.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap, VecDeque};
use std::io;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

use loadline_units::{Clock, Time};

use super::wire::{Action, Peer, PeerActions};
use crate::poller::Readiness;

/// Simulated time and network, shared by the reactors of one test.
#[derive(Clone)]
pub struct World(Rc<RefCell<Inner>>);

type Accept = Box<dyn FnMut() -> Box<dyn Peer>>;

struct Inner {
    now: Time,
    /// State of an xorshift generator; never zero.
    random: u64,
    latency: Duration,
    agenda: BinaryHeap<Entry>,
    entries_made: u64,
    listeners: HashMap<SocketAddr, Accept>,
    connections: Vec<Connection>,
}

struct Connection {
    ready: Rc<Readiness>,
    peer: Option<Box<dyn Peer>>,
    /// The result of the attempt to connect; `None` while it lasts.
    outcome: Option<Result<(), io::ErrorKind>>,
    arrived: VecDeque<u8>,
    ended: bool,
    broken: bool,
    client_gone: bool,
}

struct Entry {
    at: Time,
    /// Orders events of the same instant by their creation.
    number: u64,
    connection: usize,
    event: Event,
}

enum Event {
    Connected,
    ToServer(Vec<u8>),
    ClientClosed,
    ToClient(Action),
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Entry {}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Entry {
    /// The earliest event is the greatest, because `BinaryHeap` returns the greatest first.
    fn cmp(&self, other: &Self) -> Ordering {
        (other.at, other.number).cmp(&(self.at, self.number))
    }
}

impl World {
    /// A world at time zero, with a delay of 50 µs in each direction.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(Rc::new(RefCell::new(Inner {
            now: Time::ZERO,
            random: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
            latency: Duration::from_micros(50),
            agenda: BinaryHeap::new(),
            entries_made: 0,
            listeners: HashMap::new(),
            connections: Vec::new(),
        })))
    }

    /// Starts a server at `address`: `accept` makes a [`Peer`] for each connection. Other
    /// addresses refuse connections.
    pub fn listen(&self, address: SocketAddr, accept: impl FnMut() -> Box<dyn Peer> + 'static) {
        self.0
            .borrow_mut()
            .listeners
            .insert(address, Box::new(accept));
    }

    /// When the next event of the network happens.
    #[must_use]
    pub fn next_event(&self) -> Option<Time> {
        self.0.borrow().agenda.peek().map(|entry| entry.at)
    }

    /// Moves the clock to `until`, and processes all events up to then.
    pub fn advance(&self, until: Time) {
        while let Some(entry) = self.pop_due(until) {
            self.happen(entry);
        }
        let mut inner = self.0.borrow_mut();
        inner.now = inner.now.max(until);
    }

    /// Shuffles `items` by the seed.
    pub fn shuffle<T>(&self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last as u64 + 1);
            items.swap(last, usize::try_from(other).unwrap_or(last));
        }
    }

    /// A random number below `limit`, which must be above 0.
    #[must_use]
    pub fn below(&self, limit: u64) -> u64 {
        let mut inner = self.0.borrow_mut();
        let mut x = inner.random;
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        inner.random = x;
        x % limit
    }

    fn pop_due(&self, until: Time) -> Option<Entry> {
        let mut inner = self.0.borrow_mut();
        if inner.agenda.peek()?.at > until {
            return None;
        }
        let entry = inner.agenda.pop()?;
        inner.now = inner.now.max(entry.at);
        Some(entry)
    }

    fn happen(&self, entry: Entry) {
        match entry.event {
            Event::Connected => self.0.borrow_mut().accept(entry.connection),
            Event::ToServer(bytes) => {
                self.with_peer(entry.connection, |peer, wire| peer.received(&bytes, wire));
            }
            Event::ClientClosed => {
                self.with_peer(entry.connection, |peer, wire| peer.client_closed(wire));
            }
            Event::ToClient(action) => self.0.borrow_mut().arrive(entry.connection, action),
        }
    }

    /// Calls the peer without a borrow, so that it may use the world.
    fn with_peer(&self, connection: usize, call: impl FnOnce(&mut dyn Peer, &mut PeerActions)) {
        let now = self.now();
        let Some(mut peer) = self.0.borrow_mut().connections[connection].peer.take() else {
            return;
        };
        let mut wire = PeerActions::at(now);
        call(peer.as_mut(), &mut wire);
        let mut inner = self.0.borrow_mut();
        inner.connections[connection].peer = Some(peer);
        let latency = inner.latency;
        for (delay, action) in wire.actions {
            inner.schedule(delay + latency, connection, Event::ToClient(action));
        }
    }

    pub(crate) fn connect(&self, to: SocketAddr, ready: Rc<Readiness>) -> Endpoint {
        let mut inner = self.0.borrow_mut();
        let peer = inner.listeners.get_mut(&to).map(|accept| accept());
        inner.connections.push(Connection {
            ready,
            peer,
            outcome: None,
            arrived: VecDeque::new(),
            ended: false,
            broken: false,
            client_gone: false,
        });
        let connection = inner.connections.len() - 1;
        let round_trip = inner.latency * 2;
        inner.schedule(round_trip, connection, Event::Connected);
        Endpoint {
            world: self.clone(),
            connection,
        }
    }
}

impl Clock for World {
    fn now(&self) -> Time {
        self.0.borrow().now
    }
}

impl Inner {
    fn schedule(&mut self, delay: Duration, connection: usize, event: Event) {
        self.entries_made += 1;
        self.agenda.push(Entry {
            at: self.now + delay,
            number: self.entries_made,
            connection,
            event,
        });
    }

    fn accept(&mut self, connection: usize) {
        let connection = &mut self.connections[connection];
        connection.outcome = Some(match connection.peer {
            Some(_) => Ok(()),
            None => Err(io::ErrorKind::ConnectionRefused),
        });
        connection.ready.set_writable();
    }

    fn arrive(&mut self, connection: usize, action: Action) {
        let connection = &mut self.connections[connection];
        match action {
            Action::Send(bytes) => connection.arrived.extend(bytes),
            Action::Close => connection.ended = true,
            Action::Reset => connection.broken = true,
        }
        if connection.ended || connection.broken {
            connection.ready.set_ended();
        }
        connection.ready.set_readable();
    }
}

/// The client's side of a simulated connection.
pub(crate) struct Endpoint {
    world: World,
    connection: usize,
}

impl Endpoint {
    /// Clients have the address 10.255.0.1, and each connection a port of its own as long as
    /// there are any.
    pub(crate) fn local_addr(&self) -> SocketAddr {
        let port = u16::try_from(self.connection % 20_000).expect("below 20000");
        SocketAddr::from(([10, 255, 0, 1], 40_000 + port))
    }

    pub(crate) fn connected(&self) -> io::Result<()> {
        match self.world.0.borrow().connections[self.connection].outcome {
            Some(Ok(())) => Ok(()),
            Some(Err(kind)) => Err(kind.into()),
            None => Err(io::ErrorKind::NotConnected.into()),
        }
    }

    pub(crate) fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut inner = self.world.0.borrow_mut();
        let connection = &mut inner.connections[self.connection];
        if connection.broken {
            return Err(io::ErrorKind::ConnectionReset.into());
        }
        if connection.arrived.is_empty() {
            return if connection.ended {
                Ok(0)
            } else {
                Err(io::ErrorKind::WouldBlock.into())
            };
        }
        let count = buffer.len().min(connection.arrived.len());
        for (place, byte) in buffer.iter_mut().zip(connection.arrived.drain(..count)) {
            *place = byte;
        }
        Ok(count)
    }

    pub(crate) fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        let mut inner = self.world.0.borrow_mut();
        if inner.connections[self.connection].broken {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        let latency = inner.latency;
        inner.schedule(latency, self.connection, Event::ToServer(bytes.to_vec()));
        Ok(bytes.len())
    }

    pub(crate) fn shutdown(&self) {
        let mut inner = self.world.0.borrow_mut();
        let latency = inner.latency;
        inner.schedule(latency, self.connection, Event::ClientClosed);
    }

    pub(crate) fn close(&self) {
        let closed_before = std::mem::replace(
            &mut self.world.0.borrow_mut().connections[self.connection].client_gone,
            true,
        );
        if !closed_before {
            self.shutdown();
        }
    }
}
