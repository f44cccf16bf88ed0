//! What gates keep: commands of a log and snapshots, which another version or another hand may have
//! written. What is read is applied, and a snapshot, written and read again, is the same queue.
#![no_main]

use libfuzzer_sys::fuzz_target;
use loadline_fuzz::MemoryBound;
use loadline_gate::directory::{Directory, DirectoryChange};
use loadline_gate::queue::{Command, Queue};
use loadline_gate::replica::StateMachine;

/// A command may make a queue keep a visitor or a rule.
const BOUND: MemoryBound = MemoryBound {
    bytes_each: 100_000,
    bytes_base: 4 << 20,
};
/// The rules that entries say they were written under.
const VERSIONS: [u32; 3] = [1, 3, 5];

/// The highest number of a ticket that is shown: a gate signs those it gave out, and a queue keeps a place for each
/// number before it.
const TICKET_NUMBER_MAX: u64 = 10_000;

/// Whether a gate can have written a command.
trait WrittenByGates {
    fn is_written(&self) -> bool;
}

impl WrittenByGates for Command {
    fn is_written(&self) -> bool {
        !matches!(self, Self::Restore { seq, .. } if *seq > TICKET_NUMBER_MAX)
    }
}

impl WrittenByGates for DirectoryChange {
    fn is_written(&self) -> bool {
        true
    }
}

fn apply<M: StateMachine>(version: u32, bytes: &[u8])
where
    M::Command: WrittenByGates,
    M::Frozen: PartialEq + std::fmt::Debug,
{
    let mut machine = M::empty();
    let (mut rest, mut now_ms) = (bytes, 1_000);
    while let Ok((command, after)) = postcard::take_from_bytes::<M::Command>(rest) {
        if after.len() == rest.len() {
            break;
        }
        rest = after;
        if !command.is_written() {
            continue;
        }
        now_ms += 100;
        machine.apply(now_ms, version, command);
    }
    machine.take_events();
    same::<M>(machine.freeze());
}

/// A snapshot that was written is read as the same.
fn same<M: StateMachine>(frozen: M::Frozen)
where
    M::Frozen: PartialEq + std::fmt::Debug,
{
    let written = postcard::to_allocvec(&frozen).expect("snapshots are plain data");
    let read = M::read_frozen(&written).expect("what was written is read");
    assert_eq!(read, frozen);
    assert_eq!(M::thaw(read).freeze(), frozen);
}

fuzz_target!(|input: (u8, &[u8])| {
    let (version, bytes) = input;
    let version = VERSIONS[usize::from(version) % VERSIONS.len()];
    BOUND.hold(bytes.len(), || {
        apply::<Queue>(version, bytes);
        apply::<Directory>(version, bytes);
        let _ = Queue::read_frozen(bytes).map(|frozen| Queue::thaw(frozen).freeze());
        let _ = Directory::read_frozen(bytes).map(|frozen| Directory::thaw(frozen).freeze());
    });
});
