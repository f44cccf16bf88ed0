//! A connection of Engine.IO and the namespaces that share it.
//!
//! [`super::transport`] moves packets between [`Connection::outgoing`] and the server; everything here
//! is what a flow's steps and the transport both see.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use loadline_net::Client;
use loadline_reactor::ReactorHandle;
use serde_json::Value;

use super::options::Options;
use super::packet::{self, EnginePacket, Packet, Said};
use crate::vu::{Local, Vu};

/// How far a namespace is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Joined {
    Waiting,
    Yes,
    /// Why not, in the client's words.
    Failed(String),
    /// The server took it away; events wait for a new connection, or for ever.
    Left,
}

/// A namespace of a connection.
#[derive(Debug)]
pub(super) struct Namespace {
    pub(super) joined: Joined,
    /// Whether it is joined again when the connection is opened anew.
    is_active: bool,
    /// Packets that wait until it is joined.
    buffer: Vec<String>,
    /// The number of the next event that is to be answered.
    next: u64,
    answers: HashMap<u64, Vec<Value>>,
    /// The channel that a step listens to, and what came.
    pub(super) heard: Option<(String, VecDeque<Vec<Value>>)>,
}

impl Default for Namespace {
    fn default() -> Self {
        Self {
            joined: Joined::Waiting,
            is_active: true,
            buffer: Vec::new(),
            next: 0,
            answers: HashMap::new(),
            heard: None,
        }
    }
}

/// A connection.
pub(super) struct Connection {
    pub(super) local: Rc<Local>,
    pub(super) client: Client,
    pub(super) handle: ReactorHandle,
    pub(super) origin: String,
    pub(super) options: Options,
    /// Packets to write.
    pub(super) outgoing: RefCell<VecDeque<String>>,
    /// Set when the flow is over: what is left is written, then the connection closes.
    pub(super) is_closing: Cell<bool>,
    /// Set by whatever a step may wait for.
    pub(super) changed: Rc<Cell<bool>>,
    is_open: Cell<bool>,
    namespaces: RefCell<HashMap<String, Namespace>>,
    /// An event that waits for its bytes, and those that came.
    unfinished: RefCell<Option<(Packet, Vec<Vec<u8>>)>>,
}

impl Connection {
    pub(super) fn new(
        vu: &Rc<Vu>,
        origin: String,
        options: Options,
        changed: Rc<Cell<bool>>,
    ) -> Rc<Self> {
        Rc::new(Self {
            local: vu.local.clone(),
            client: vu.agent.client().clone(),
            handle: vu.handle.clone(),
            origin,
            options,
            outgoing: RefCell::default(),
            is_closing: Cell::new(false),
            changed,
            is_open: Cell::new(false),
            namespaces: RefCell::default(),
            unfinished: RefCell::default(),
        })
    }

    /// Looks at a namespace, if it was ever joined.
    pub(super) fn namespace<T>(
        &self,
        name: &str,
        look: impl FnOnce(&mut Namespace) -> T,
    ) -> Option<T> {
        self.namespaces.borrow_mut().get_mut(name).map(look)
    }

    /// Joins a namespace: at once, or as soon as the connection is open.
    pub(super) fn join(&self, name: &str) {
        self.namespaces
            .borrow_mut()
            .insert(name.to_owned(), Namespace::default());
        if self.is_open.get() {
            self.write(packet::connect(name, self.options.auth.as_ref()));
        }
    }

    /// Sends an event; gives the number of its answer, if it is to be answered.
    pub(super) fn emit(&self, name: &str, items: &[Value], is_answered: bool) -> Option<u64> {
        let (number, text, is_joined) = self.namespace(name, |namespace| {
            let number = is_answered.then_some(namespace.next);
            namespace.next += u64::from(is_answered);
            let text = packet::event(name, number, items);
            (number, text, namespace.joined == Joined::Yes)
        })?;
        if is_joined {
            self.write(text);
        } else {
            self.namespace(name, |namespace| namespace.buffer.push(text));
        }
        number
    }

    /// Takes the answer to an event, if it is there.
    pub(super) fn answer(&self, name: &str, number: u64) -> Option<Vec<Value>> {
        self.namespace(name, |namespace| namespace.answers.remove(&number))?
    }

    /// Leaves all namespaces and closes.
    pub(super) fn close(&self) {
        let mut joined: Vec<String> = Vec::new();
        for (name, namespace) in self.namespaces.borrow_mut().iter_mut() {
            namespace.is_active = false;
            if namespace.joined == Joined::Yes {
                joined.push(name.clone());
            }
        }
        joined.sort();
        for name in joined {
            self.write(packet::disconnect(&name));
        }
        self.is_closing.set(true);
    }

    fn write(&self, text: String) {
        self.outgoing.borrow_mut().push_back(text);
        self.changed.set(true);
    }

    /// The connection is open: joins its namespaces.
    pub(super) fn opened(&self) {
        self.is_open.set(true);
        let mut names: Vec<String> = Vec::new();
        for (name, namespace) in self.namespaces.borrow().iter() {
            if namespace.is_active {
                names.push(name.clone());
            }
        }
        names.sort();
        for name in names {
            self.write(packet::connect(&name, self.options.auth.as_ref()));
        }
    }

    /// The connection could not be opened.
    pub(super) fn failed(&self, error: &str) {
        for namespace in self.namespaces.borrow_mut().values_mut() {
            if namespace.joined == Joined::Waiting {
                namespace.joined = Joined::Failed(error.to_owned());
            }
        }
        self.changed.set(true);
    }

    /// The connection broke. Returns whether some namespace wants it again.
    pub(super) fn lost(&self) -> bool {
        self.is_open.set(false);
        self.outgoing.borrow_mut().clear();
        let mut is_wanted = false;
        for namespace in self.namespaces.borrow_mut().values_mut() {
            if namespace.joined == Joined::Yes {
                namespace.joined = Joined::Left;
            }
            is_wanted |= namespace.is_active;
        }
        self.changed.set(true);
        is_wanted && self.options.reconnects && !self.is_closing.get()
    }

    /// Takes a packet in.
    pub(super) fn take(&self, packet: EnginePacket) {
        match packet {
            EnginePacket::Ping => self.write("3".to_owned()),
            EnginePacket::Message(text) => {
                if let Some(packet) = Packet::read(&text) {
                    if packet.attachments > 0 {
                        *self.unfinished.borrow_mut() = Some((packet, Vec::new()));
                    } else {
                        self.handle_packet(packet);
                    }
                }
            }
            EnginePacket::Bytes(bytes) => {
                let waiting = self.unfinished.borrow_mut().take();
                if let Some((mut packet, mut frames)) = waiting {
                    frames.push(bytes);
                    if frames.len() < packet.attachments {
                        *self.unfinished.borrow_mut() = Some((packet, frames));
                    } else {
                        packet.attach(frames);
                        self.handle_packet(packet);
                    }
                }
            }
            EnginePacket::Open(_)
            | EnginePacket::Close
            | EnginePacket::Pong(_)
            | EnginePacket::Other => {}
        }
    }

    fn handle_packet(&self, packet: Packet) {
        let mut buffered = Vec::new();
        self.namespace(&packet.namespace, |namespace| match packet.said {
            Said::Connected => {
                namespace.joined = Joined::Yes;
                buffered = std::mem::take(&mut namespace.buffer);
            }
            Said::Disconnected => {
                namespace.joined = Joined::Left;
                namespace.is_active = false;
            }
            Said::Refused(message) => {
                namespace.joined = Joined::Failed(message);
                namespace.is_active = false;
            }
            Said::Acknowledged(number, items) => {
                namespace.answers.insert(number, items);
            }
            Said::Event(mut items) => {
                if let Some((channel, events)) = &mut namespace.heard
                    && items.first().is_some_and(|name| name == channel.as_str())
                {
                    items.remove(0);
                    events.push_back(items);
                }
            }
        });
        for text in buffered {
            self.write(text);
        }
        self.changed.set(true);
    }
}
