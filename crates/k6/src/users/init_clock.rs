//! The clock of a user's init code.
//!
//! Init code runs to its end in one piece: no other user has a turn and no worker waits
//! on the clock meanwhile. So a timer set there is due at once, in the order of the due
//! times: the clock is set ahead to it. Once init code is over this is the run's clock.

use std::cell::Cell;
use std::future::{Future, ready};
use std::pin::Pin;
use std::rc::Rc;

use loadline_js::Timer;
use loadline_units::{Clock, Time};

pub(crate) struct InitClock {
    of_run: Rc<dyn Timer>,
    /// How far init code has set it ahead; `None` once that is over. Timers do not
    /// outlive init code, so nothing sees the step back to the run's time.
    ahead: Cell<Option<Time>>,
}

impl InitClock {
    pub(crate) fn over(of_run: Rc<dyn Timer>) -> Rc<Self> {
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

impl Timer for InitClock {
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
