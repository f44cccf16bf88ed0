//! How many connections or streams one address holds.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::addresses::block;

const SHARD_COUNT: usize = 64;
/// Of one address, unless it was set: as many as a large office behind one address has.
const DEFAULT_HELD_MAX: u32 = 2_000;

/// Counts by address.
#[derive(Debug)]
pub(super) struct Held {
    /// `None` for the usual; 0 for no limit.
    most: Option<u32>,
    shards: Vec<Mutex<HashMap<IpAddr, u32>>>,
}

/// One of them, given back when dropped.
#[derive(Debug)]
pub(super) struct HeldPlace(Option<(Arc<Held>, IpAddr)>);

impl Held {
    pub(super) fn new(most: Option<u32>) -> Arc<Self> {
        Arc::new(Self {
            most,
            shards: (0..SHARD_COUNT).map(|_| Mutex::default()).collect(),
        })
    }

    /// Takes one for `address`; `None` when it holds as many as it may.
    pub(super) fn take(self: &Arc<Self>, address: IpAddr) -> Option<HeldPlace> {
        // From this machine itself: a proxy on the same machine, or a test.
        let is_near = self.most.is_none() && address.to_canonical().is_loopback();
        let most = self.most.unwrap_or(DEFAULT_HELD_MAX);
        if most == 0 || is_near {
            return Some(HeldPlace::none());
        }
        let address = block(address);
        let mut shard = self.shard(address);
        let held = shard.entry(address).or_insert(0);
        if *held >= most {
            return None;
        }
        *held += 1;
        drop(shard);
        Some(HeldPlace(Some((self.clone(), address))))
    }

    fn shard(&self, address: IpAddr) -> MutexGuard<'_, HashMap<IpAddr, u32>> {
        let bytes = match address {
            IpAddr::V4(v4) => u128::from(v4.to_bits()),
            IpAddr::V6(v6) => v6.to_bits() >> 64,
        };
        let shard = usize::try_from(bytes % SHARD_COUNT as u128).unwrap_or(0);
        let shard = self.shards[shard].lock();
        shard.unwrap_or_else(PoisonError::into_inner)
    }
}

impl HeldPlace {
    /// One that counts nowhere.
    pub(super) fn none() -> Self {
        Self(None)
    }
}

impl Drop for HeldPlace {
    fn drop(&mut self) {
        let Some((held, address)) = self.0.take() else {
            return;
        };
        let mut shard = held.shard(address);
        if let Some(count) = shard.get_mut(&address) {
            *count -= 1;
            if *count == 0 {
                shard.remove(&address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Held;
    use std::net::IpAddr;

    #[test]
    fn an_address_holds_its_share_and_gives_it_back() {
        let held = Held::new(Some(2));
        let one: IpAddr = "192.0.2.1".parse().unwrap();
        let places: Vec<_> = (0..2).map(|_| held.take(one).unwrap()).collect();
        assert!(held.take(one).is_none());
        assert!(held.take("192.0.2.2".parse().unwrap()).is_some());
        drop(places);
        assert!(held.take(one).is_some());
        assert!(
            held.shards
                .iter()
                .all(|shard| shard.lock().unwrap().is_empty())
        );
    }

    #[test]
    fn this_machine_is_limited_only_when_that_was_set() {
        let near: IpAddr = "127.0.0.1".parse().unwrap();
        let usual = Held::new(None);
        let places: Vec<_> = (0..3_000).filter_map(|_| usual.take(near)).collect();
        assert_eq!(places.len(), 3_000);
        assert_eq!(
            (0..9).filter_map(|_| Held::new(Some(0)).take(near)).count(),
            9
        );
        let set = Held::new(Some(1));
        let _first = set.take(near).unwrap();
        assert!(set.take(near).is_none());
    }
}
