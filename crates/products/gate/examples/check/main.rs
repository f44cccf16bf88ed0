//! Judges a gate by what its visitors were told and by what its store has.
//!
//! It knows nothing of the queue's code but how to read the store's totals: the visitors'
//! logs (written by `crowd --log`) say who joined, who was told to come in, and when.
//!
//! ```text
//! check --cap 400 --journal DIR --queue q_... crowd-1.log crowd-2.log
//! check --cap 400 --redis redis://127.0.0.1:6379 --queue q_... crowd.log
//! ```
#![expect(clippy::print_stdout, reason = "a program for the terminal")]
#![expect(clippy::unwrap_used, reason = "a test program ends by panicking")]

use std::process::ExitCode;

mod judge;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let mut logs = Vec::new();
    let (mut cap, mut place, mut queue) = (None, None, String::new());
    let mut words = args.into_iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--cap" => cap = words.next().and_then(|text| text.parse().ok()),
            "--queue" => queue = words.next().unwrap_or_default(),
            "--journal" | "--redis" => place = words.next().map(|text| (word.clone(), text)),
            file => logs.push(std::fs::read_to_string(file).unwrap()),
        }
    }
    let lines = judge::parse(&logs.join("\n"));
    let (kind, place) = place.unwrap();
    let store = store_totals(&kind, &place, &queue);
    let found = judge::judge(&lines, &store, cap.unwrap_or(u64::MAX));
    println!(
        "{} lines, {} visitors; the store has {} joined, {} admitted, {} claimed",
        lines.len(),
        judge::visitors(&lines),
        store.joined,
        store.admitted,
        store.claimed
    );
    for fault in &found {
        println!("FAULT {fault}");
    }
    println!(
        "{}",
        if found.is_empty() {
            "no fault"
        } else {
            "faults found"
        }
    );
    if found.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// What the store says happened in all.
fn store_totals(kind: &str, place: &str, queue: &str) -> judge::StoreTotals {
    use loadline_gate::queue::{Command, Queue};
    use loadline_gate::replica::Replica;
    use loadline_gate::storage::LogStore;
    use loadline_gate::storage::journal::Journal;
    use loadline_gate::storage::redis::RedisStore;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let store: Box<dyn LogStore> = match kind {
            "--redis" => Box::new(RedisStore::new(place, "llgate", u64::MAX).unwrap()),
            _ => Box::new(
                Journal::open(std::path::Path::new(place), || std::time::UNIX_EPOCH).unwrap(),
            ),
        };
        let replica = Replica::<Queue>::open(&*store, queue, u64::MAX, Box::new(|_, _, _| {}))
            .await
            .unwrap();
        replica.ask(Command::Tick).await.unwrap();
        replica.look(|queue| {
            let totals = queue.totals();
            judge::StoreTotals {
                joined: totals.joined,
                admitted: totals.admitted,
                claimed: totals.claimed,
            }
        })
    })
}
