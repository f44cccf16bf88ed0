//! How people behave: sessions, pauses, retries.
//!
//! A table of fixed size holds the clients seen last. When it is full, clients whose session is
//! over are removed. If that is not enough, every second client (by hash) is ignored from then
//! on, and the counts of the others are scaled. So counts are right on average, and ratios are
//! those of whole clients.

/// The number of slots, 24 bytes each.
const SLOT_COUNT: usize = 1 << 20;
/// The table is cleaned up at this number of used slots.
const USED_SLOTS_MAX: usize = SLOT_COUNT / 4 * 3;
/// A longer pause than this ends a session, in seconds.
pub(super) const SESSION_ENDS: i64 = 1800;
/// A request that is repeated within this many seconds after its failure is a retry.
const RETRY_WITHIN: i64 = 30;

/// A request of a client.
#[derive(Debug, Clone, Copy)]
pub(super) struct ClientRequest {
    /// A hash of the client.
    pub(super) client: u64,
    pub(super) time: i64,
    /// A hash of what was asked for.
    pub(super) request: u64,
    pub(super) has_failed: bool,
    /// Whether its line came long after later ones, so that what is known of the client is not
    /// what was just before it.
    pub(super) is_late: bool,
}

/// The bits of a slot's request that say something else.
const FAILED_BIT: u64 = 1;
const LATE_BIT: u64 = 2;

/// A client and its last request.
#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    /// 0 is a free slot.
    client: u64,
    time: i64,
    /// Its last request, with [`FAILED_BIT`] and [`LATE_BIT`].
    request: u64,
}

#[derive(Debug)]
pub(super) struct Clients {
    slots: Vec<Slot>,
    used: usize,
    /// One client of 2^`halvings` is counted.
    halvings: u32,
    pub(super) sessions: f64,
    /// Requests of the clients that are counted.
    pub(super) requests: u64,
    pub(super) retries: u64,
    /// Pauses within sessions, counted by whole seconds.
    pub(super) pauses: Vec<u64>,
}

impl Default for Clients {
    fn default() -> Self {
        Self {
            slots: Vec::new(),
            used: 0,
            halvings: 0,
            sessions: 0.0,
            requests: 0,
            retries: 0,
            pauses: vec![0; usize::try_from(SESSION_ENDS).unwrap_or(0) + 1],
        }
    }
}

impl Clients {
    /// Counts a request of a client. Requests come in the order of their times, but for late ones.
    pub(super) fn add(&mut self, added: &ClientRequest) {
        let client = added.client.max(1);
        if client.trailing_zeros() < self.halvings {
            return;
        }
        if self.slots.is_empty() {
            self.slots = vec![Slot::default(); SLOT_COUNT];
        }
        self.requests += 1;
        let request = added.request & !(FAILED_BIT | LATE_BIT);
        let late = if added.is_late { LATE_BIT } else { 0 };
        let now = Slot {
            client,
            time: added.time,
            request: request | late | u64::from(added.has_failed),
        };
        let index = self.place(client);
        let slot = self.slots[index];
        self.slots[index] = now;
        if slot.client == 0 {
            self.used += 1;
            self.sessions += f64::from(self.halvings).exp2();
            if self.used > USED_SLOTS_MAX {
                self.clean(added.time);
            }
            return;
        }
        let pause = added.time - slot.time;
        let has_returned = slot.request & LATE_BIT > late;
        // The session that a client returns to was counted when it began.
        if pause.abs() > SESSION_ENDS {
            if !has_returned {
                self.sessions += f64::from(self.halvings).exp2();
            }
            return;
        }
        // A jump back is no pause, and nor is the way back from there.
        let Ok(seconds) = usize::try_from(pause) else {
            return;
        };
        if has_returned {
            return;
        }
        self.pauses[seconds] += 1;
        let is_same = slot.request & !(FAILED_BIT | LATE_BIT) == request;
        if is_same && slot.request & FAILED_BIT != 0 && pause <= RETRY_WITHIN {
            self.retries += 1;
        }
    }

    /// The client's slot, or a free one for it.
    fn place(&self, client: u64) -> usize {
        let wanted = client.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 44;
        let mut index = usize::try_from(wanted).unwrap_or(0) & (SLOT_COUNT - 1);
        loop {
            let found = self.slots[index].client;
            if found == client || found == 0 {
                return index;
            }
            index = (index + 1) & (SLOT_COUNT - 1);
        }
    }

    fn clean(&mut self, now: i64) {
        let mut kept: Vec<Slot> = std::mem::take(&mut self.slots);
        kept.retain(|slot| slot.client != 0 && now - slot.time <= SESSION_ENDS);
        while kept.len() > SLOT_COUNT / 2 {
            self.halvings += 1;
            let halvings = self.halvings;
            kept.retain(|slot| slot.client.trailing_zeros() >= halvings);
        }
        self.slots = vec![Slot::default(); SLOT_COUNT];
        self.used = kept.len();
        for slot in kept {
            let index = self.place(slot.client);
            self.slots[index] = slot;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::hash;
    use super::*;

    const fn request(client: u64, time: i64, request: u64, has_failed: bool) -> ClientRequest {
        ClientRequest {
            client,
            time,
            request,
            has_failed,
            is_late: false,
        }
    }

    #[test]
    fn a_long_pause_begins_another_session() {
        let mut clients = Clients::default();
        for time in [0, 5, 10, 10 + SESSION_ENDS + 1] {
            clients.add(&request(7, time, 2, false));
        }
        assert!((clients.sessions - 2.0).abs() < 1e-9);
        assert_eq!(clients.pauses[5], 2);
    }

    #[test]
    fn the_same_request_after_its_failure_is_a_retry() {
        let mut clients = Clients::default();
        clients.add(&request(7, 0, 8, true));
        clients.add(&request(7, 1, 8, false));
        clients.add(&request(7, 2, 8, false));
        clients.add(&request(7, 3, 4, true));
        clients.add(&request(7, 3 + RETRY_WITHIN + 1, 4, false));
        assert_eq!(clients.retries, 1);
    }

    #[test]
    fn sessions_are_estimated_when_thousands_of_clients_are_too_many_to_keep() {
        let mut clients = Clients::default();
        let all = 4_000_000_u64;
        for client in 0..all {
            clients.add(&request(hash(&client.to_le_bytes(), 1), 0, 2, false));
        }
        assert!(clients.halvings > 0);
        let error = clients.sessions / all as f64 - 1.0;
        assert!(error.abs() < 0.01, "off by {error}");
    }
}
