//! Puts the requests of clients in the order of their times, within a file and over several, so
//! that what people did does not depend on the order in which files are given.
//!
//! Of each file as much waits as was read of it since the others came to the same time, and of
//! what was read the last minute: servers write requests when they end, some with the time at
//! which they began.

use std::collections::VecDeque;

use super::clients::{ClientRequest, Clients};

/// Lines of one file are put in order over so many seconds. What comes later than that is late.
pub(super) const DISORDER_SECONDS_MAX: i64 = 60;
/// More than these seconds, a power of two.
const BUCKET_COUNT: i64 = 64;
/// So many requests wait at most to be put in order; 32 bytes each.
const HELD_MAX: usize = 1 << 18;

/// A request that waits until other files come to its time.
#[derive(Debug)]
struct WaitingRequest {
    /// The latest time that its file had before it, or its own.
    reached: i64,
    request: ClientRequest,
}

/// What of a file waits.
#[derive(Debug)]
struct WaitingFile {
    id: usize,
    is_ended: bool,
    requests: VecDeque<WaitingRequest>,
}

/// Requests of all files on their way to [`Clients`].
#[derive(Debug, Default)]
pub(super) struct RequestOrder {
    files: Vec<WaitingFile>,
    window: Window,
}

impl RequestOrder {
    pub(super) fn begin_file(&mut self, id: usize) {
        self.files.push(WaitingFile {
            id,
            is_ended: false,
            requests: VecDeque::new(),
        });
    }

    pub(super) fn end_file(&mut self, id: usize) {
        if let Some(file) = self.files.iter_mut().find(|file| file.id == id) {
            file.is_ended = true;
        }
    }

    /// Takes a request of a file that has come to the time `reached`.
    pub(super) fn take(&mut self, id: usize, reached: i64, request: ClientRequest) {
        if let Some(file) = self.files.iter_mut().find(|file| file.id == id) {
            file.requests.push_back(WaitingRequest { reached, request });
        }
    }

    /// Counts what no file can come before any more, up to a time that another file begins at.
    /// The file that has to be read on for more, if one has.
    pub(super) fn advance(&mut self, until: Option<i64>, clients: &mut Clients) -> Option<usize> {
        let until = until.unwrap_or(i64::MAX);
        loop {
            self.files
                .retain(|file| !file.is_ended || !file.requests.is_empty());
            let mut earliest: Option<(i64, usize)> = None;
            // The one after the earliest, which ends its turn.
            let mut second = (i64::MAX, usize::MAX);
            for (index, file) in self.files.iter().enumerate() {
                let Some(head) = file.requests.front() else {
                    return Some(file.id);
                };
                let place = (head.reached, index);
                match earliest {
                    Some(known) if known < place => second = second.min(place),
                    Some(known) => {
                        second = known;
                        earliest = Some(place);
                    }
                    None => earliest = Some(place),
                }
            }
            let (reached, index) = earliest?;
            if reached > until {
                return None;
            }
            let waiting = &mut self.files[index].requests;
            while let Some(head) = waiting.front()
                && head.reached <= until
                && (head.reached, index) <= second
                && let Some(head) = waiting.pop_front()
            {
                self.window.take(head.request, clients);
            }
        }
    }

    /// Counts all that waits.
    pub(super) fn finish(&mut self, clients: &mut Clients) {
        for file in &mut self.files {
            file.is_ended = true;
        }
        self.advance(None, clients);
        self.window.pass_on(i64::MAX, clients);
    }
}

/// The last seconds, each with its requests.
#[derive(Debug)]
struct Window {
    /// By the last bits of the second.
    buckets: Vec<Vec<ClientRequest>>,
    /// The first second that is not counted yet.
    from: i64,
    newest: i64,
    held: usize,
}

impl Default for Window {
    fn default() -> Self {
        Self {
            buckets: (0..BUCKET_COUNT).map(|_| Vec::new()).collect(),
            from: i64::MIN,
            newest: i64::MIN,
            held: 0,
        }
    }
}

impl Window {
    fn take(&mut self, mut request: ClientRequest, clients: &mut Clients) {
        if request.time < self.from {
            request.is_late = true;
            clients.add(&request);
            return;
        }
        if request.time > self.newest {
            self.newest = request.time;
            self.pass_on(self.newest - DISORDER_SECONDS_MAX, clients);
        }
        self.bucket(request.time).push(request);
        self.held += 1;
        if self.held > HELD_MAX {
            while self.held > HELD_MAX / 2 && self.from < self.newest {
                self.pass_on(self.from + 1, clients);
            }
            // More of this very second may come.
            if self.held > HELD_MAX / 2 {
                self.count(self.newest, clients);
            }
        }
    }

    fn bucket(&mut self, second: i64) -> &mut Vec<ClientRequest> {
        let index = usize::try_from(second.rem_euclid(BUCKET_COUNT)).unwrap_or(0);
        &mut self.buckets[index]
    }

    fn count(&mut self, second: i64, clients: &mut Clients) {
        let mut requests = std::mem::take(self.bucket(second));
        self.held -= requests.len();
        for request in requests.drain(..) {
            clients.add(&request);
        }
        // Its memory serves the next second of this bucket.
        *self.bucket(second) = requests;
    }

    /// Counts all seconds before `to`.
    fn pass_on(&mut self, to: i64, clients: &mut Clients) {
        let last = to.min(self.from.saturating_add(BUCKET_COUNT));
        let mut second = self.from;
        while second < last && self.held > 0 {
            self.count(second, clients);
            second += 1;
        }
        self.from = to;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(client: u64, time: i64) -> ClientRequest {
        ClientRequest {
            client,
            time,
            request: 8,
            has_failed: false,
            is_late: false,
        }
    }

    fn pauses(times: &[i64]) -> Vec<(usize, u64)> {
        let mut order = RequestOrder::default();
        let mut clients = Clients::default();
        order.begin_file(0);
        let mut reached = i64::MIN;
        for time in times {
            reached = reached.max(*time);
            order.take(0, reached, at(7, *time));
            order.advance(None, &mut clients);
        }
        order.finish(&mut clients);
        let counted = clients.pauses.iter().copied().enumerate();
        counted.filter(|(_, count)| *count > 0).collect()
    }

    #[test]
    fn lines_within_a_minute_are_put_in_order() {
        assert_eq!(pauses(&[100, 130, 110, 125]), [(5, 1), (10, 1), (15, 1)]);
    }

    /// Seen: a jump back in time counted as a pause below a second.
    #[test]
    fn a_jump_back_is_no_pause_and_nor_is_the_way_from_there() {
        let jump = [1000, 1100, 500, 520, 1101, 1200];
        assert_eq!(pauses(&jump), [(1, 1), (20, 1), (99, 1)]);
    }

    #[test]
    fn more_than_is_held_loses_nothing() {
        let mut order = RequestOrder::default();
        let mut clients = Clients::default();
        order.begin_file(0);
        let all = u64::try_from(HELD_MAX).unwrap() + 10;
        for number in 0..all {
            order.take(0, 50, at(number % 1000 + 1, 50));
        }
        order.finish(&mut clients);
        assert_eq!(clients.requests, all);
        assert_eq!(clients.pauses[0], all - 1000);
    }
}
