//! Under which version of the rules an entry or a snapshot was written.
//!
//! All gates of a store must do the same with an entry, so it says which rules it was written
//! under, and every gate that reads it applies those. Gates of two versions can work side by
//! side: each writes the newest version that all gates around know. A gate that meets a later
//! version than it knows stops, instead of coming to another state than the others.
//!
//! The first version carries no mark, since it is older than marks are: its entries begin with
//! the number of a gate, which is never 0, its snapshots with something that no mark is.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::storage::RULES_VERSION;

/// What was written before versions were.
pub(super) const FIRST_VERSION: u32 = 1;
const ENTRY_MARK: &[u8] = &[0, 0xff, b'R'];
const SNAPSHOT_MARK: &[u8] = b"llrules\0";

/// Why bytes cannot be read.
#[derive(Debug, Clone, thiserror::Error)]
pub(super) enum UnreadableError {
    #[error(
        "it was written under version {found} of the rules, and this program knows them up to {RULES_VERSION}: use the version of the other gates, or a later one"
    )]
    Later { found: u32 },
    #[error("{0}")]
    Form(#[from] postcard::Error),
}

pub(super) fn write_entry(version: u32, entry: &impl Serialize) -> Vec<u8> {
    write(ENTRY_MARK, version, entry)
}

/// The version of an entry, and what it holds.
pub(super) fn read_entry<T: DeserializeOwned>(bytes: &[u8]) -> Result<(u32, T), UnreadableError> {
    let (version, rest) = read(ENTRY_MARK, bytes)?;
    Ok((version, postcard::from_bytes(rest)?))
}

pub(super) fn write_snapshot(version: u32, frozen: &impl Serialize) -> Vec<u8> {
    write(SNAPSHOT_MARK, version, frozen)
}

/// A snapshot without its mark.
pub(super) fn read_snapshot(bytes: &[u8]) -> Result<&[u8], UnreadableError> {
    read(SNAPSHOT_MARK, bytes).map(|(_, rest)| rest)
}

fn write(mark: &[u8], version: u32, value: &impl Serialize) -> Vec<u8> {
    let mut bytes = Vec::new();
    if version > FIRST_VERSION {
        bytes.extend_from_slice(mark);
        bytes = postcard::to_extend(&version, bytes).expect("a Vec takes everything");
    }
    postcard::to_extend(value, bytes).expect("commands and machines are plain data")
}

fn read<'a>(mark: &[u8], bytes: &'a [u8]) -> Result<(u32, &'a [u8]), UnreadableError> {
    let Some(rest) = bytes.strip_prefix(mark) else {
        return Ok((FIRST_VERSION, bytes));
    };
    let (found, rest) = postcard::take_from_bytes(rest)?;
    if found <= RULES_VERSION {
        Ok((found, rest))
    } else {
        Err(UnreadableError::Later { found })
    }
}

#[cfg(test)]
mod tests {
    use super::{FIRST_VERSION, read_entry, read_snapshot, write_entry, write_snapshot};
    use crate::storage::RULES_VERSION;

    #[test]
    fn the_version_of_an_entry_is_read_back_and_the_first_has_no_mark() {
        let entry = (u64::MAX, 7_u64, vec!["a", "b"]);
        for version in FIRST_VERSION..=RULES_VERSION {
            let bytes = write_entry(version, &entry);
            let (found, same) = read_entry::<(u64, u64, Vec<String>)>(&bytes).unwrap();
            assert_eq!((found, same.1), (version, 7));
        }
        let plain = postcard::to_allocvec(&entry).unwrap();
        assert_eq!(write_entry(FIRST_VERSION, &entry), plain);
        let frozen = write_snapshot(RULES_VERSION, &entry);
        assert_eq!(read_snapshot(&frozen).unwrap(), plain);
    }

    #[test]
    fn a_later_version_is_refused_and_named() {
        let bytes = write_entry(RULES_VERSION + 1, &7_u64);
        let refused = read_entry::<u64>(&bytes).unwrap_err().to_string();
        let names = format!("version {} of the rules", RULES_VERSION + 1);
        assert!(refused.contains(&names), "{refused}");
        assert!(read_snapshot(&write_snapshot(RULES_VERSION + 1, &7_u64)).is_err());
    }
}
