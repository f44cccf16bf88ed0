//! Probes: how long something that is ready waits until a worker handles it.
//!
//! A thread of its own sends each worker the present instant at random times. The worker
//! takes it as it takes an answer and records how old it is then, as `read_lag`: the wait
//! for a core, the rest of the turn it was in, and half of the next turn's work, which is
//! what an answer has before it on average. The gaps are exponential, so probes see a worker
//! as often idle as it is idle (PASTA: R. Wolff, Operations Research 30, 1982). The instant
//! is taken as it is sent: it does not matter when the thread itself gets a core.

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use loadline_units::{Clock, Time, random_bits};

use crate::command::Command;
use crate::shared::Shared;

/// The mean gap between two probes: 2,000 of each worker in 10 s, some 0.1 % of a core.
const GAP_MS: f64 = 5.0;

/// Sends probes until it is dropped.
pub(crate) struct Prober {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Prober {
    /// Starts the thread.
    ///
    /// # Errors
    /// The kernel's.
    pub(crate) fn start(
        shared: Arc<Shared>,
        clock: impl Clock + Send + 'static,
    ) -> std::io::Result<Self> {
        let (stop, stopped) = bounded(0);
        let thread = std::thread::Builder::new()
            .name("prober".to_owned())
            .spawn(move || probe(&shared, &clock, &stopped))?;
        Ok(Self {
            stop: Some(stop),
            thread: Some(thread),
        })
    }
}

impl Drop for Prober {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            // It only waits and sends; a panic in it would be seen by its lack of probes.
            let _ = thread.join();
        }
    }
}

fn probe(shared: &Shared, clock: &impl Clock, stopped: &Receiver<()>) {
    for index in 0.. {
        match stopped.recv_timeout(gap(index)) {
            Err(RecvTimeoutError::Timeout) => {}
            Ok(()) | Err(RecvTimeoutError::Disconnected) => return,
        }
        shared.send_all(|| Command::Probe { sent: clock.now() });
    }
}

/// Gap `index`: exponential.
fn gap(index: u64) -> Duration {
    let uniform = ((random_bits(0, index) >> 11) + 1) as f64 / (1_u64 << 53) as f64;
    Duration::from_secs_f64(-uniform.ln() * GAP_MS / 1000.0)
}

/// The probes a worker took in this turn and has not answered.
#[derive(Debug, Default)]
pub(crate) struct Probes {
    sent: Vec<Time>,
}

impl Probes {
    pub(crate) fn take(&mut self, sent: Time) {
        self.sent.push(sent);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.sent.is_empty()
    }

    /// How old each is at `now`, ms.
    pub(crate) fn answer(&mut self, now: Time) -> impl Iterator<Item = f64> + '_ {
        self.sent.drain(..).map(move |sent| now.millis_since(sent))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_probe_is_as_old_as_it_was_long_on_its_way_and_answered_once() {
        let at = |ms| Time::ZERO + Duration::from_millis(ms);
        let mut probes = Probes::default();
        probes.take(at(10));
        probes.take(at(18));
        let lags: Vec<f64> = probes.answer(at(25)).collect();
        assert_eq!(
            lags,
            [15.0, 7.0],
            "all that waited while the worker was away count"
        );
        assert!(probes.is_empty());
    }

    #[test]
    fn gaps_are_exponential() {
        let gaps: Vec<f64> = (0..20_000).map(|n| gap(n).as_secs_f64() * 1000.0).collect();
        let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
        assert!((mean - GAP_MS).abs() < 0.15, "{mean}");
        let long = gaps.iter().filter(|gap| **gap > 2.0 * GAP_MS).count() as f64;
        let share = long / gaps.len() as f64;
        assert!((share - (-2.0_f64).exp()).abs() < 0.01, "{share}");
    }
}
