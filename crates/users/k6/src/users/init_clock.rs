//! The clock of a user's init code.
//!
//! Init code runs in one piece: meanwhile no other user runs and the worker does not wait. So a
//! timer set by init code does not really wait: the clock jumps ahead to the time it is due.
//! Timers still fire in the order of their due times. After init code the clock is that of the
//! run.

use std::cell::Cell;
use std::future::{Future, ready};
use std::pin::Pin;
use std::rc::Rc;

use loadline_js::ScriptTimer;
use loadline_units::{Clock, Time};

pub(crate) struct InitClock {
    of_run: Rc<dyn ScriptTimer>,
    /// How far init code has set it ahead; `None` once that is over. Timers do not
    /// outlive init code, so nothing sees the step back to the run's time.
    ahead: Cell<Option<Time>>,
}

impl InitClock {
    pub(crate) fn over(of_run: Rc<dyn ScriptTimer>) -> Rc<Self> {
        Rc::new(Self {
            ahead: Cell::new(Some(of_run.now())),
            of_run,
        })
    }

    pub(crate) fn end_init(&self) {
        self.ahead.set(None);
    }
}

impl Clock for InitClock {
    fn now(&self) -> Time {
        let now = self.of_run.now();
        self.ahead.get().map_or(now, |ahead| now.max(ahead))
    }
}

impl ScriptTimer for InitClock {
    fn sleep_until(&self, at: Time) -> Pin<Box<dyn Future<Output = ()>>> {
        match self.ahead.get() {
            Some(ahead) => {
                self.ahead.set(Some(ahead.max(at)));
                Box::pin(ready(()))
            }
            None => self.of_run.sleep_until(at),
        }
    }
}
