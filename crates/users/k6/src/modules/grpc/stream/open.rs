//! The open streams of an iteration, and how they end with it.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use loadline_js::{Ctx, Value};
use loadline_net::GrpcChannel;

use super::{Stream, fire_end};
use crate::host::{Host, IterationHook, LastWords};

/// The streams a user has begun in an iteration. Those still open at its end are
/// cancelled: scripts may hold on to them. Their objects are kept for the handlers.
#[derive(Default)]
pub(in crate::modules::grpc) struct Streams(RefCell<Vec<(Weak<Stream>, Value)>>);

impl Streams {
    pub(in crate::modules::grpc) fn note(ctx: &Ctx, stream: &Rc<Stream>, object: &Value) {
        let streams = Host::hook::<Self>(ctx);
        let mut noted = streams.0.borrow_mut();
        noted.retain(|(stream, _)| stream.upgrade().is_some_and(|s| !s.done.get()));
        noted.push((Rc::downgrade(stream), object.clone()));
    }

    /// Cancels the streams on a connection that is closed.
    pub(in crate::modules::grpc) fn cancel(ctx: &Ctx, channel: &GrpcChannel) {
        let Some(streams) = ctx.try_host::<Self>() else {
            return;
        };
        let streams: Vec<_> = streams
            .0
            .borrow()
            .iter()
            .filter_map(|(stream, _)| stream.upgrade())
            .collect();
        for stream in streams.iter().filter(|stream| stream.channel.is(channel)) {
            stream.cancelled.set(true);
            stream.wake();
        }
    }
}

impl IterationHook for Streams {
    /// As in k6, open streams end when their iteration is interrupted.
    fn last_words(&self) -> Option<LastWords> {
        let open = |(stream, object): (Weak<Stream>, Value)| {
            let stream = stream
                .upgrade()
                .filter(|stream| !stream.done.replace(true))?;
            drop((stream.sender.take(), stream.receiver.take()));
            Some(object)
        };
        let objects: Vec<_> = self.0.take().into_iter().filter_map(open).collect();
        (!objects.is_empty()).then(|| -> LastWords {
            Box::new(move |ctx| objects.iter().try_for_each(|object| fire_end(ctx, object)))
        })
    }

    fn end(&self) -> (u64, u64) {
        for (stream, _) in self.0.take() {
            let Some(stream) = stream.upgrade() else {
                continue;
            };
            stream.done.set(true);
            drop((stream.sender.take(), stream.receiver.take()));
        }
        (0, 0)
    }
}
