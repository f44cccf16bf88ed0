//! Finds the number that somebody waits under.
//!
//! A table that grows moves all it has at once, which takes tens of milliseconds at a million
//! waiters. So there are many small ones, which grow one at a time.

use hashbrown::HashTable;

/// Tables; each is moved as it grows, so a part of the waiters this small at once.
const TABLE_COUNT: usize = 64;

/// Numbers of waiters by the hash of who waits.
#[derive(Debug, Clone)]
pub(super) struct Numbers {
    parts: Vec<HashTable<u32>>,
    len: u64,
}

impl Default for Numbers {
    fn default() -> Self {
        Self {
            parts: vec![HashTable::new(); TABLE_COUNT],
            len: 0,
        }
    }
}

impl Numbers {
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    pub(super) fn find(&self, hash: u64, is_it: impl FnMut(&u32) -> bool) -> Option<u32> {
        self.parts[part(hash)].find(hash, is_it).copied()
    }

    /// Adds a number that is not there; `hash_of` gives those of others.
    pub(super) fn insert(&mut self, hash: u64, number: u32, hash_of: impl Fn(&u32) -> u64) {
        self.parts[part(hash)].insert_unique(hash, number, hash_of);
        self.len += 1;
    }

    pub(super) fn remove(&mut self, hash: u64, number: u64) {
        let found = self.parts[part(hash)].find_entry(hash, |other| u64::from(*other) == number);
        if let Ok(entry) = found {
            entry.remove();
            self.len -= 1;
        }
    }
}

/// By bits that the tables themselves do not look at: they take the lowest and the highest.
fn part(hash: u64) -> usize {
    usize::try_from(hash >> 32).map_or(0, |bits| bits % TABLE_COUNT)
}

#[cfg(test)]
mod tests {
    use super::{Numbers, TABLE_COUNT};
    use crate::queue::tests::wid;

    #[test]
    fn a_long_line_grows_by_small_parts() {
        let mut numbers = Numbers::default();
        let hash = |number: &u32| wid(u64::from(*number)).hash();
        for number in 0..100_000 {
            numbers.insert(hash(&number), number, hash);
        }
        assert_eq!(numbers.len(), 100_000);
        let largest = numbers.parts.iter().map(hashbrown::HashTable::len).max();
        assert!(largest.unwrap() < 2 * 100_000 / TABLE_COUNT, "{largest:?}");
        let found = numbers.find(hash(&7), |number| *number == 7);
        assert_eq!(found, Some(7));
        numbers.remove(hash(&7), 7);
        numbers.remove(hash(&7), 7);
        assert_eq!(numbers.find(hash(&7), |number| *number == 7), None);
        assert_eq!(numbers.len(), 99_999);
    }
}
