//! The events of a socket: their names, handlers and objects.

use loadline_js::{Attributes, Ctx, Exception, Value};

use crate::host::Host;
use crate::modules::sockets;

/// What can happen to a socket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    Message,
    Error,
    Open,
    Close,
    Ping,
    Pong,
}

impl Event {
    /// In the order in which sockets show their handlers.
    pub(super) const ALL: [Self; 6] = [
        Self::Message,
        Self::Error,
        Self::Open,
        Self::Close,
        Self::Ping,
        Self::Pong,
    ];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Message => "message",
            Self::Error => "error",
            Self::Open => "open",
            Self::Close => "close",
            Self::Ping => "ping",
            Self::Pong => "pong",
        }
    }

    /// The property of its `on...` handler.
    pub(super) const fn property(self) -> &'static str {
        match self {
            Self::Message => "onmessage",
            Self::Error => "onerror",
            Self::Open => "onopen",
            Self::Close => "onclose",
            Self::Ping => "onping",
            Self::Pong => "onpong",
        }
    }

    /// The slot of its `on...` handler.
    pub(super) const fn own_slot(self) -> usize {
        self as usize
    }

    /// The slot of the handlers that were added.
    pub(super) const fn added_slot(self) -> usize {
        Self::ALL.len() + self as usize
    }

    /// An event of this kind, with these members more.
    pub(super) fn object(
        self,
        ctx: &Ctx,
        target: &Value,
        members: Vec<(&'static str, Value)>,
    ) -> Result<Value, Exception> {
        let event = ctx.object()?;
        let millis = Host::from_ctx(ctx).shared.since_epoch().as_nanos() as f64 / 1e6;
        event.define("type", self.name(), Attributes::FIXED)?;
        event.define("target", target, Attributes::FIXED)?;
        event.define("timestamp", millis, Attributes::FIXED)?;
        for (name, value) in members {
            event.define(name, value, Attributes::FIXED)?;
        }
        Ok(event)
    }

    /// Calls the handlers with `event`: its own first, then those added.
    pub(super) fn fire(self, socket: &Value, event: &Value) -> Result<(), Exception> {
        let event = std::slice::from_ref(event);
        if let Some(own) = socket.slot(self.own_slot()).filter(Value::is_function) {
            own.invoke(event)?;
        }
        sockets::call_handlers(socket, self.added_slot(), event)
    }
}
