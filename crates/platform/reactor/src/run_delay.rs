//! How long a thread was ready to run and had no core, as the kernel counts it.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::time::Duration;

/// Reads the second figure of a thread's `schedstat`; a read takes about 1 µs.
#[derive(Debug)]
pub struct RunDelay(File);

impl RunDelay {
    /// That of the thread that calls. `None` where the kernel does not count.
    #[must_use]
    pub fn of_this_thread() -> Option<Self> {
        let delay = Self(File::open("/proc/thread-self/schedstat").ok()?);
        delay.read().is_some().then_some(delay)
    }

    /// The delay since the thread began.
    #[must_use]
    pub fn read(&self) -> Option<Duration> {
        let mut text = [0; 64];
        let length = self.0.read_at(&mut text, 0).ok()?;
        parse(std::str::from_utf8(&text[..length]).ok()?)
    }
}

fn parse(schedstat: &str) -> Option<Duration> {
    let waited = schedstat.split_ascii_whitespace().nth(1)?;
    waited.parse().ok().map(Duration::from_nanos)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_figure_is_the_wait() {
        let wait = Duration::from_nanos(83_000_000);
        assert_eq!(parse("5000000 83000000 42\n"), Some(wait));
        assert_eq!(parse("5000000\n"), None);
        assert_eq!(parse("a b c"), None);
    }
}
