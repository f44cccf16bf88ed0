//! A stream: its state and its reader.
//!
//! The steps are named as in the Streams standard, which k6 follows.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use loadline_js::{Args, Attributes, Ctx, Exception, Value};

use super::fail;
use super::fifo::Fifo;
use super::prototypes::Prototypes;
use super::reader::Reader;

/// Slots of a stream's object.
pub(super) const SLOT_SOURCE: usize = 0;
pub(super) const SLOT_PULL: usize = 1;
pub(super) const SLOT_CANCEL: usize = 2;
pub(super) const SLOT_SIZE: usize = 3;
pub(super) const SLOT_CONTROLLER: usize = 4;
const SLOT_READER: usize = 5;
const SLOT_STORED_ERROR: usize = 6;
/// What was thrown, where `SLOT_STORED_ERROR` is k6's record of it.
const SLOT_THROWN: usize = 7;
const SLOT_CHUNKS: usize = 8;

/// The state of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Readable,
    Closed,
    Errored,
}

/// Everything about a stream except its values.
#[derive(Debug)]
pub(super) struct StreamState {
    pub(super) state: Cell<State>,
    pub(super) started: Cell<bool>,
    pub(super) pulling: Cell<bool>,
    pub(super) pull_again: Cell<bool>,
    pub(super) close_requested: Cell<bool>,
    pub(super) high_water_mark: f64,
    pub(super) chunks: Fifo,
    /// How large each of the chunks is.
    pub(super) sizes: RefCell<VecDeque<f64>>,
    pub(super) total: Cell<f64>,
    was_thrown: Cell<bool>,
}

/// A stream and its object.
#[derive(Clone)]
pub(super) struct Stream {
    pub(super) object: Value,
    pub(super) facts: Rc<StreamState>,
}

impl Stream {
    /// A stream that was not started.
    pub(super) fn make(
        ctx: &Ctx,
        high_water_mark: f64,
        size: &Value,
    ) -> Result<(Self, Value), Exception> {
        let facts = Rc::new(StreamState {
            state: Cell::new(State::Readable),
            started: Cell::new(false),
            pulling: Cell::new(false),
            pull_again: Cell::new(false),
            close_requested: Cell::new(false),
            high_water_mark,
            chunks: Fifo::new(SLOT_CHUNKS),
            sizes: RefCell::default(),
            total: Cell::new(0.0),
            was_thrown: Cell::new(false),
        });
        let values = vec![ctx.bool(false), ctx.null()];
        let object = Prototypes::from_ctx(ctx)
            .stream
            .object(facts.clone(), values)?;
        object.set_slot(SLOT_SIZE, size.clone());
        let stream = Self {
            object: object.clone(),
            facts,
        };
        Ok((stream, object))
    }

    /// The stream that is this object.
    pub(super) fn from_object(object: Value) -> Option<Self> {
        let facts = object.host::<StreamState>()?;
        Some(Self { object, facts })
    }

    /// The stream a function was made for.
    pub(super) fn bound(args: &Args<'_>) -> Self {
        Self::from_object(args.slot(0)).expect("the function was made for a stream")
    }

    pub(super) fn state(&self) -> State {
        self.facts.state.get()
    }

    pub(super) fn slot(&self, slot: usize) -> Option<Value> {
        self.object.slot(slot).filter(|value| !value.is_undefined())
    }

    pub(super) fn reader(&self) -> Option<Reader> {
        Reader::from_object(self.slot(SLOT_READER)?)
    }

    /// Locks the stream to a reader, or unlocks it.
    pub(super) fn lock(&self, reader: Option<&Value>) -> Result<(), Exception> {
        match reader {
            Some(reader) => self.object.set_slot(SLOT_READER, reader.clone()),
            None => self.object.clear_slot(SLOT_READER),
        }
        self.object
            .define("locked", reader.is_some(), Attributes::ALL)
    }

    /// What the stream failed with.
    pub(super) fn error(&self, ctx: &Ctx) -> Value {
        self.object
            .slot(SLOT_STORED_ERROR)
            .unwrap_or_else(|| ctx.undefined())
    }

    /// The same as readers that come later are rejected with it.
    pub(super) fn error_object(&self, ctx: &Ctx) -> Result<Value, Exception> {
        if !self.facts.was_thrown.get() {
            return fail::as_thrown(ctx, self.error(ctx));
        }
        let thrown = self.object.slot(SLOT_THROWN);
        fail::to_object(ctx, thrown.unwrap_or_else(|| ctx.undefined()))
    }

    /// `ReadableStreamClose`
    pub(super) fn close(&self, ctx: &Ctx) -> Result<(), Exception> {
        if self.state() != State::Readable {
            let text = "cannot close a stream that is not readable";
            return Err(fail::named(ctx, "AssertionError", text));
        }
        self.facts.state.set(State::Closed);
        let Some(reader) = self.reader() else {
            return Ok(());
        };
        reader.closed(ctx)
    }

    /// `ReadableStreamError`, of a stream that can be read
    pub(super) fn fail(&self, reason: Value) -> Result<(), Exception> {
        self.facts.state.set(State::Errored);
        self.object.set_slot(SLOT_STORED_ERROR, reason.clone());
        match self.reader() {
            None => Ok(()),
            Some(reader) => reader.failed(&reason),
        }
    }

    /// Notes that the stream's error is the record of what a function threw.
    pub(super) fn note_thrown(&self, value: Value) {
        self.facts.was_thrown.set(true);
        self.object.set_slot(SLOT_THROWN, value);
    }
}

/// The value of an argument that was left out: `null`, as in k6.
pub(super) fn or_null(ctx: &Ctx, args: &Args<'_>) -> Value {
    if args.is_empty() {
        ctx.null()
    } else {
        args.get(0)
    }
}
