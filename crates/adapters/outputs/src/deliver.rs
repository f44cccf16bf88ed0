//! One output's thread: takes frames in order and sends each until the receiver accepts it.

use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError};

use crate::catalog::SharedCatalog;
use crate::queue::Queue;
use crate::sink::Sink;

/// The wait after a first failure; it doubles up to the longest wait.
const FIRST_WAIT: Duration = Duration::from_millis(100);
const LAST_WAIT: Duration = Duration::from_secs(2);

/// What the thread reports about delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum DeliveryEvent {
    /// The receiver does not accept what is sent.
    Failing(String),
    /// The receiver accepts again.
    Recovered,
}

/// Delivers until the queue is closed and empty. Calls `publish` with its progress. Returns
/// `false` if delivery was given up before that.
pub(crate) fn deliver(
    sink: &mut dyn Sink,
    queue: &Queue,
    catalog: &SharedCatalog,
    give_up: &Receiver<()>,
    publish: &dyn Fn(&dyn Sink),
    tell: &dyn Fn(DeliveryEvent),
) -> bool {
    loop {
        let frame = queue.pop();
        let is_last = frame.is_none();
        if let Some(frame) = frame {
            sink.take(frame, &catalog.read());
        }
        publish(sink);
        let is_delivered = insist(sink, is_last, give_up, tell);
        publish(sink);
        if !is_delivered {
            return false;
        }
        if is_last {
            return true;
        }
    }
}

/// Flushes until it succeeds.
fn insist(
    sink: &mut dyn Sink,
    all: bool,
    give_up: &Receiver<()>,
    tell: &dyn Fn(DeliveryEvent),
) -> bool {
    let mut wait = FIRST_WAIT;
    let mut is_failing = false;
    loop {
        match sink.flush(all) {
            Ok(()) => break,
            Err(reason) => {
                if !is_failing {
                    tell(DeliveryEvent::Failing(reason));
                }
                is_failing = true;
            }
        }
        match give_up.recv_timeout(wait) {
            Err(RecvTimeoutError::Timeout) => wait = (wait * 2).min(LAST_WAIT),
            Ok(()) | Err(RecvTimeoutError::Disconnected) => return false,
        }
    }
    if is_failing {
        tell(DeliveryEvent::Recovered);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    use crate::catalog::Catalog;
    use crate::frame::Frame;
    use crate::queue::InputKind;
    use crate::sink::Tally;
    use crate::spool::Spool;

    /// Fails a given number of times.
    struct Stubborn {
        failures: u32,
        tally: Tally,
    }

    impl Sink for Stubborn {
        fn take(&mut self, _: Frame, _: &Catalog) {}

        fn flush(&mut self, _: bool) -> Result<(), String> {
            if self.failures == 0 {
                self.tally.points += 1;
                return Ok(());
            }
            self.failures -= 1;
            Err("closed".to_owned())
        }

        fn pending(&self) -> u64 {
            0
        }

        fn tally(&self) -> &Tally {
            &self.tally
        }
    }

    fn delivered(failures: u32, gives_up: bool) -> (bool, u64, Vec<DeliveryEvent>) {
        let queue = Queue::new(InputKind::Sums, Spool::new(std::env::temp_dir(), 1 << 20));
        queue.close();
        let mut sink = Stubborn {
            failures,
            tally: Tally::default(),
        };
        let troubles = RefCell::new(Vec::new());
        let (sender, give_up) = crossbeam_channel::bounded(1);
        if gives_up {
            sender.send(()).unwrap();
        }
        let tell = |trouble| troubles.borrow_mut().push(trouble);
        let catalog = SharedCatalog::default();
        let ended = deliver(&mut sink, &queue, &catalog, &give_up, &|_| {}, &tell);
        (ended, sink.tally.points, troubles.into_inner())
    }

    #[test]
    fn what_failed_is_sent_again_and_each_outage_is_told_once() {
        let expected = vec![
            DeliveryEvent::Failing("closed".to_owned()),
            DeliveryEvent::Recovered,
        ];
        assert_eq!(delivered(2, false), (true, 1, expected));
    }

    #[test]
    fn given_up_is_not_delivered() {
        let expected = vec![DeliveryEvent::Failing("closed".to_owned())];
        assert_eq!(delivered(9, true), (false, 0, expected));
    }
}
