//! Tenants' public keys as the key set has them, made once.
//!
//! A key is derived from the installation's secret, which costs more than to answer with it.

use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::ids::TenantId;
use crate::tokens::{Secret, admission};

/// Key sets that are kept; when there are more, all are made anew.
const KEY_SETS_MAX: usize = 4_096;

/// Members of key sets, by tenant and generation.
#[derive(Default)]
pub(super) struct PublicKeys(Mutex<HashMap<(TenantId, u32), Vec<Value>>>);

impl PublicKeys {
    pub(super) fn key_set(&self, secret: &Secret, tenants: &[(TenantId, u32)]) -> Vec<Value> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut keys = Vec::new();
        for (tenant, generation) in tenants {
            if kept.len() >= KEY_SETS_MAX {
                kept.clear();
            }
            let made = || admission::public_keys(secret, *tenant, *generation);
            let of_one = kept.entry((*tenant, *generation)).or_insert_with(made);
            keys.extend_from_slice(of_one);
        }
        keys
    }
}

#[cfg(test)]
mod tests {
    use super::PublicKeys;
    use crate::ids::TenantId;
    use crate::tokens::{Secret, admission};

    #[test]
    fn keys_are_those_of_each_tenant_and_generation() {
        let secret = Secret::new([9; 32]);
        let keys = PublicKeys::default();
        let tenants = [(TenantId([1; 8]), 1), (TenantId([2; 8]), 3)];
        let made: Vec<_> = tenants
            .iter()
            .flat_map(|(id, generation)| admission::public_keys(&secret, *id, *generation))
            .collect();
        for _ in 0..2 {
            assert_eq!(keys.key_set(&secret, &tenants), made);
        }
        assert_ne!(keys.key_set(&secret, &[(TenantId([1; 8]), 2)]), made[..3]);
    }
}
