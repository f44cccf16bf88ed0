//! How slow the machine was while a script ran: by a small piece of work, always the same, done again and again beside the
//! runs, and by how long the threads of the program waited for a core, which the kernel counts.
//!
//! What takes processor time takes longer on a core that is shared, and a script that counts what it does in a second then
//! counts less. Only this evidence lets a comparison allow for it.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Pause between two pieces of work.
const WORK_INTERVAL: Duration = Duration::from_millis(25);

/// Rounds of one piece of work: a few milliseconds, more than the scheduler gives a sleeper for nothing.
const WORK_ROUNDS: u64 = 300_000;

/// From here on a core counts as shared.
const SHARED_CORE_RATIO_MIN: f64 = 1.5;

/// One piece of work; times are from when the pace was first taken.
#[derive(Debug, Clone, Copy)]
struct Piece {
    began: Duration,
    took: Duration,
}

/// A thread that works and keeps how long each piece took. It ends when this is dropped.
#[derive(Debug)]
pub(super) struct Pace {
    origin: Instant,
    pieces: Arc<Mutex<Vec<Piece>>>,
    /// Closed to end the thread.
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Pace {
    #[expect(
        clippy::disallowed_methods,
        reason = "it measures this machine, which no other clock can"
    )]
    pub(super) fn start() -> Self {
        let origin = Instant::now();
        let pieces: Arc<Mutex<Vec<Piece>>> = Arc::default();
        let (stop, stopped) = channel();
        let thread = std::thread::spawn({
            let pieces = Arc::clone(&pieces);
            move || {
                while stopped.recv_timeout(WORK_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                    let began = origin.elapsed();
                    work();
                    let took = origin.elapsed().saturating_sub(began);
                    let mut pieces = pieces.lock().unwrap_or_else(PoisonError::into_inner);
                    pieces.push(Piece { began, took });
                }
            }
        });
        Self {
            origin,
            pieces,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// How long the pace has been taken.
    pub(super) fn now(&self) -> Duration {
        self.origin.elapsed()
    }

    /// How many times longer the work took between `from` and `to` than when it took least; 1 when nothing is known.
    pub(super) fn slowness(&self, from: Duration, to: Duration) -> f64 {
        let pieces = self.pieces.lock().unwrap_or_else(PoisonError::into_inner);
        slowness(&pieces, from, to)
    }
}

impl Drop for Pace {
    fn drop(&mut self) {
        self.stop.take();
        if let Some(thread) = self.thread.take() {
            // It cannot panic, and nothing depends on it any more.
            let _ended = thread.join();
        }
    }
}

/// Whether a machine this slow may be what a difference comes from.
pub(super) fn is_shared(slowness: f64) -> bool {
    slowness >= SHARED_CORE_RATIO_MIN
}

fn slowness(pieces: &[Piece], from: Duration, to: Duration) -> f64 {
    let least = pieces.iter().map(|piece| piece.took).min();
    let during = pieces
        .iter()
        .filter(|piece| piece.began < to && piece.began + piece.took > from);
    let (mut sum, mut count) = (Duration::ZERO, 0_u32);
    for piece in during {
        sum += piece.took;
        count += 1;
    }
    match least.filter(|least| count > 0 && !least.is_zero()) {
        Some(least) => sum.as_secs_f64() / f64::from(count) / least.as_secs_f64(),
        None => 1.0,
    }
}

/// Nanoseconds that each thread of a process ran and waited for a core.
#[derive(Debug, Default)]
pub(super) struct Waits(BTreeMap<String, (u64, u64)>);

impl Waits {
    /// Reads what the kernel counts; a thread that has ended keeps what was read last.
    pub(super) fn read(&mut self, process: u32) {
        let Ok(threads) = std::fs::read_dir(format!("/proc/{process}/task")) else {
            return; // it has ended
        };
        for thread in threads.flatten() {
            let text = std::fs::read_to_string(thread.path().join("schedstat"));
            if let Some(times) = text.ok().as_deref().and_then(times) {
                self.0
                    .insert(thread.file_name().to_string_lossy().into_owned(), times);
            }
        }
    }

    /// How many times longer its work took than it would have on a core of its own; 1 when nothing is known.
    #[expect(clippy::cast_precision_loss, reason = "nanoseconds of seconds")]
    pub(super) fn slowness(&self) -> f64 {
        let ran: u64 = self.0.values().map(|(ran, _)| ran).sum();
        let waited: u64 = self.0.values().map(|(_, waited)| waited).sum();
        match ran {
            0 => 1.0,
            ran => 1.0 + waited as f64 / ran as f64,
        }
    }
}

/// The first two numbers of a thread's `schedstat`.
fn times(text: &str) -> Option<(u64, u64)> {
    let mut numbers = text.split_whitespace().map_while(|word| word.parse().ok());
    Some((numbers.next()?, numbers.next()?))
}

fn work() {
    let mut state = 1_u64;
    for round in 0..black_box(WORK_ROUNDS) {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(round);
    }
    black_box(state);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slowness_is_how_much_longer_the_same_work_took_meanwhile() {
        let at = Duration::from_millis;
        let piece = |began, ms| Piece {
            began: at(began),
            took: Duration::from_millis(ms),
        };
        let pieces = [piece(0, 4), piece(100, 12), piece(200, 20), piece(300, 4)];
        assert!((slowness(&pieces, at(90), at(230)) - 4.0).abs() < 1e-9);
        assert!((slowness(&pieces, at(290), at(400)) - 1.0).abs() < 1e-9);
        assert!(
            (slowness(&pieces, at(900), at(950)) - 1.0).abs() < 1e-9,
            "nothing is known"
        );
        assert!((slowness(&[], at(0), at(9)) - 1.0).abs() < 1e-9);
        assert!(is_shared(4.0) && !is_shared(1.2));
    }

    #[test]
    fn what_the_kernel_counts_of_a_process_is_read() {
        assert_eq!(times("300 900 17\n"), Some((300, 900)));
        assert_eq!(times(""), None);
        let waits = Waits(BTreeMap::from([
            ("1".to_owned(), (300, 500)),
            ("2".to_owned(), (0, 400)),
        ]));
        assert!((waits.slowness() - 4.0).abs() < 1e-9);
        assert!((Waits::default().slowness() - 1.0).abs() < 1e-9);
        let mut own = Waits::default();
        own.read(std::process::id());
        assert!(!own.0.is_empty());
    }

    #[test]
    fn the_same_work_is_done_again_and_again() {
        let pace = Pace::start();
        while pace.pieces.lock().unwrap().len() < 3 {
            std::thread::yield_now();
        }
        assert!(pace.slowness(Duration::ZERO, pace.now()) >= 1.0);
    }
}
