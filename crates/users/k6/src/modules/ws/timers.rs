//! Timers of a socket, which end with it. Their callbacks are stored in a slot of the
//! socket's object, by number.

use std::collections::BTreeMap;
use std::time::Duration;

use loadline_js::{Args, Ctx, Exception, Value};
use loadline_units::Time;

use super::go_error;
use super::socket::{Socket, TIMERS};

/// When timers are due.
#[derive(Default)]
pub(super) struct Timers {
    due: BTreeMap<(Time, u64), Option<Duration>>,
    made: u64,
}

impl Timers {
    /// The one due next.
    pub(super) fn next(&self) -> Option<(Time, u64)> {
        self.due.keys().next().copied()
    }

    fn add(&mut self, now: Time, length: Duration, repeats: bool) -> u64 {
        self.made += 1;
        self.due
            .insert((now + length, self.made), repeats.then_some(length));
        self.made
    }

    /// Takes the one due next off the list; one that repeats is due again, turns that were
    /// missed left out. Answers whether it repeats.
    fn take(&mut self, now: Time) -> bool {
        let Some(((due, id), every)) = self.due.pop_first() else {
            return false;
        };
        let Some(every) = every else { return false };
        let mut again = due + every;
        if again <= now {
            again = now + every;
        }
        self.due.insert((again, id), Some(every));
        true
    }
}

/// `setTimeout(callback, ms)`, `setInterval(callback, ms)`
pub(super) fn set(ctx: &Ctx, args: &Args<'_>, repeats: bool) -> Result<(), Exception> {
    let socket = args.this_host::<Socket>()?;
    let (callback, millis) = (args.get(0), args.get(1));
    if !callback.is_function() && !callback.is_undefined() {
        return Err(Exception::type_error(format!(
            "could not convert function call parameter 0: could not convert {} to sobek.Callable",
            callback.to_text()?
        )));
    }
    let millis = if millis.is_undefined() {
        0.0
    } else {
        millis.to_number()?
    };
    let length = Duration::try_from_secs_f64(millis / 1e3).unwrap_or_default();
    if length.is_zero() {
        let name = if repeats { "setInterval" } else { "setTimeout" };
        return Err(go_error(
            ctx,
            format!("{name} requires a >0 timeout parameter, received {millis:.2}"),
        ));
    }
    let id = socket.timers.borrow_mut().add(ctx.now(), length, repeats);
    let object = args.this();
    let callbacks = match object.slot(TIMERS).filter(Value::is_object) {
        Some(callbacks) => callbacks,
        None => {
            let made = ctx.object()?;
            object.set_slot(TIMERS, made.clone());
            made
        }
    };
    callbacks.set(ctx.atom(&id.to_string()), callback)
}

/// The function of the timer that is due; `id` is its number.
pub(super) fn take_due(
    ctx: &Ctx,
    socket: &Socket,
    object: &Value,
    id: u64,
) -> Result<Value, Exception> {
    let repeats = socket.timers.borrow_mut().take(ctx.now());
    let key = ctx.atom(&id.to_string());
    let callbacks = object.slot(TIMERS).unwrap_or_else(|| ctx.undefined());
    let callback = callbacks.get(&key)?;
    if !repeats {
        callbacks.delete(&key)?;
    }
    Ok(callback)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_leaves_out_the_turns_it_missed() {
        let at = |millis| Time::ZERO + Duration::from_millis(millis);
        let mut timers = Timers::default();
        timers.add(at(0), Duration::from_millis(10), true);
        timers.add(at(0), Duration::from_millis(5), false);
        assert_eq!(timers.next(), Some((at(5), 2)));
        assert!(!timers.take(at(5)));
        assert_eq!(timers.next(), Some((at(10), 1)));
        assert!(timers.take(at(11)));
        assert_eq!(timers.next(), Some((at(20), 1)));
        assert!(timers.take(at(47)));
        assert_eq!(timers.next(), Some((at(57), 1)));
    }
}
