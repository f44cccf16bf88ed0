//! Both stores under the same judges, and what only a shared store must do.

use super::journal::Journal;
use super::redis::RedisStore;
use super::{LogStore, Position};
use crate::machines::no_listener;
use crate::queue::tests::guarantees::Judge;
use crate::queue::tests::wid;
use crate::queue::tests::witness::{Life, Seen1, Step, command_of, everybody, life, rules};
use crate::queue::{Command, Event, Queue, Reply, VisitorState};
use crate::replica::{Replica, ReplicaListener};
use futures_util::future::BoxFuture;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestRunner};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

mod losses;
mod reach;
mod server;

use server::Server;

/// Lives on a store take real time.
const LIFE_COUNT: u32 = 12;

/// What a replica told, and when the store took it.
type SeenEvents = Arc<Mutex<(Vec<Event>, u64)>>;

fn listening() -> (SeenEvents, ReplicaListener<Queue>) {
    let told = SeenEvents::default();
    let heard = told.clone();
    let listener = move |events: &[Event], _: &Queue, taken_ms: u64| {
        let mut told = heard.lock().unwrap();
        told.0.extend_from_slice(events);
        told.1 = taken_ms;
    };
    (told, Box::new(listener))
}

/// Lives one life, spread over gates of which each has its own way to the store, under all judges.
async fn live_on(stores: &[&dyn LogStore], name: &str, pass: impl Fn(u64)) {
    let mut runner = TestRunner::new(Config::default());
    let Life {
        rate_tenths,
        cap,
        steps,
    } = life().new_tree(&mut runner).unwrap().current();
    let policy = rules(rate_tenths, cap);
    let mut replicas = Vec::new();
    for (origin, store) in (1..).zip(stores) {
        let (told, listener) = listening();
        replicas.push((
            Replica::<Queue>::open(*store, name, origin, listener)
                .await
                .unwrap(),
            told,
        ));
    }
    let first = Command::Configure {
        policy: Box::new(policy.clone()),
        figure: None,
        expected: Some(1),
        actor: String::new(),
    };
    replicas[0].0.ask(first).await.unwrap();
    let mut judge = Judge::new(&policy);
    for (i, step) in steps.iter().enumerate() {
        let (replica, told) = &replicas[i % replicas.len()];
        // What another gate did is known here once something after it was done here.
        replica.ask(Command::Tick).await.unwrap();
        told.lock().unwrap().0.clear();
        let (before, command) = replica.look(|queue| {
            let command = match step {
                Step::Pass(_) => Command::Tick,
                step => command_of(queue, &policy, step),
            };
            (everybody(queue), command)
        });
        if let Step::Pass(ms) = step {
            pass(*ms);
        }
        let outcome = replica.ask(command).await.unwrap();
        let (events, at_ms) = told.lock().unwrap().clone();
        let let_in = events.into_iter().filter_map(|event| match event {
            Event::Ready(wid) => Some(wid),
            _ => None,
        });
        let let_in = let_in.collect();
        replica.look(|queue| {
            let after = everybody(queue);
            let seen = Seen1 {
                step: step.clone(),
                at_ms,
                before,
                after,
                let_in,
                outcome,
            };
            judge.all(queue, &seen).unwrap();
        });
    }
    let replicas: Vec<_> = replicas.into_iter().map(|(replica, _)| replica).collect();
    for replica in &replicas {
        replica.ask(Command::Tick).await.unwrap();
    }
    agree(&replicas).await;
}

/// Waits until all gates know the same of everybody. Each gate reads an entry in its own
/// time, so right after a command they may be an entry apart.
async fn agree(gates: &[Replica<Queue>]) {
    for pair in gates.windows(2) {
        let (mut left, mut right) = (pair[0].applied(), pair[1].applied());
        loop {
            left.mark_unchanged();
            right.mark_unchanged();
            let states = (pair[0].look(everybody), pair[1].look(everybody));
            if states.0 == states.1 {
                break;
            }
            let more =
                async { tokio::select!(_ = left.changed() => {}, _ = right.changed() => {}) };
            let more = tokio::time::timeout(Duration::from_secs(5), more).await;
            assert!(more.is_ok(), "the gates disagree: {states:?}");
        }
    }
}

static CLOCK_MS: AtomicU64 = AtomicU64::new(1_800_000_000_000);

fn set_clock() -> SystemTime {
    UNIX_EPOCH + Duration::from_millis(CLOCK_MS.load(Ordering::Relaxed))
}

#[tokio::test]
async fn f1_to_f7_hold_on_the_journal() {
    let home = tempfile::tempdir().unwrap();
    let store = Journal::open(home.path(), set_clock).unwrap();
    for life in 0..LIFE_COUNT {
        let pass = |ms: u64| {
            CLOCK_MS.fetch_add(ms.min(1_000), Ordering::Relaxed);
        };
        live_on(&[&store], &format!("life{life}"), pass).await;
    }
}

#[tokio::test]
async fn f1_to_f7_hold_on_redis_with_two_gates() {
    let server = Server::start();
    let store = |origin| RedisStore::new(&server.url(), "test", origin).unwrap();
    let stores = (store(1), store(2));
    for life in 0..LIFE_COUNT {
        live_on(&[&stores.0, &stores.1], &format!("life{life}"), |_| {}).await;
    }
}

/// Two gates at one Redis.
async fn two_gates(server: &Server) -> Vec<Replica<Queue>> {
    let mut gates = Vec::new();
    for origin in 1..=2 {
        let store = RedisStore::new(&server.url(), "test", origin).unwrap();
        gates.push(
            Replica::<Queue>::open(&store, "q", origin, no_listener())
                .await
                .unwrap(),
        );
    }
    gates
}

/// Two gates at one Redis, whose queue lets nobody in.
async fn two_holding(server: &Server) -> Vec<Replica<Queue>> {
    let gates = two_gates(server).await;
    let hold = crate::queue::Policy {
        mode: crate::queue::QueueMode::Hold,
        ..rules(1, 1)
    };
    gates[0]
        .ask(Command::Configure {
            policy: Box::new(hold),
            figure: None,
            expected: None,
            actor: String::new(),
        })
        .await
        .unwrap();
    gates
}

/// A thousand joins of one person, at once and at two gates: one ticket.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_joins_at_two_gates_are_one_ticket() {
    let server = Server::start();
    let gates = two_holding(&server).await;
    let joins = (0..1_000).map(|n| {
        let gate = gates[n % 2].clone();
        tokio::spawn(async move { gate.ask(Command::Join { wid: wid(1) }).await.unwrap() })
    });
    let joins: Vec<_> = joins.collect();
    let mut made = 0;
    for join in joins {
        match join.await.unwrap() {
            Reply::Joined(VisitorState::Waiting { seq: 1, ahead: 0 }) => made += 1,
            Reply::State(VisitorState::Waiting { seq: 1, ahead: 0 }) => {}
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(made, 1);
    assert_eq!(
        gates[1].look(|queue| (queue.waiting(), queue.totals().joined)),
        (1, 1)
    );
}

async fn join_until_taken(gate: &Replica<Queue>, n: u64) {
    while gate.ask(Command::Join { wid: wid(n) }).await.is_err() {}
}

/// Redis restarted without anything: what the gates know is not lost, and numbers go on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_redis_restarted_empty_is_written_anew_from_the_gates() {
    let mut server = Server::start();
    let gates = two_holding(&server).await;
    for n in 0..10 {
        gates[(n % 2) as usize]
            .ask(Command::Join { wid: wid(n) })
            .await
            .unwrap();
    }
    server.restart_empty();
    // A visitor who comes now waits for the log to be mended; neither gate forgets anybody.
    join_until_taken(&gates[1], 10).await;
    join_until_taken(&gates[0], 11).await;
    gates[1].ask(Command::Tick).await.unwrap();
    for gate in &gates {
        let seqs: Vec<_> = gate.look(|queue| (0..12).map(|n| queue.state(wid(n)).seq()).collect());
        assert_eq!(seqs, (1..=12).map(Some).collect::<Vec<_>>());
    }
    // A gate that starts now has it all too.
    let store = RedisStore::new(&server.url(), "test", 3).unwrap();
    let late = Replica::<Queue>::open(&store, "q", 3, no_listener())
        .await
        .unwrap();
    late.ask(Command::Tick).await.unwrap();
    assert_eq!(late.look(Queue::waiting), 12);
}

/// A log that nobody writes to is written anew all the same: until then a gate is not ready.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn gates_that_write_nothing_find_an_empty_redis_too() {
    let mut server = Server::start();
    let gates = two_holding(&server).await;
    server.restart_empty();
    // Gates that are away may be back before anybody looks: what tells is that the log is there again.
    let healed = async {
        while !server.has("test:{q}:meta") || !gates.iter().all(|gate| gate.is_reachable()) {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    // A gate may wait for the others for 10 s before it writes a lost log anew.
    let healed = tokio::time::timeout(Duration::from_secs(40), healed).await;
    assert!(healed.is_ok(), "the gates stay away from the store");
}

/// Redis set back by a moment: both gates come to the same state again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_redis_set_back_leaves_no_gate_behind() {
    let server = Server::start();
    let gates = two_gates(&server).await;
    for n in 0..5 {
        gates[0].ask(Command::Join { wid: wid(n) }).await.unwrap();
    }
    gates[1].ask(Command::Tick).await.unwrap();
    server.set_back("test:{q}:meta", "test:{q}:log", 2);
    for n in 5..9 {
        join_until_taken(&gates[(n % 2) as usize], n).await;
    }
    for gate in gates.iter().chain(&gates) {
        while gate.ask(Command::Tick).await.is_err() {}
    }
    agree(&gates).await;
    let seqs: Vec<_> = (0..9)
        .map(|n| gates[0].look(|queue| queue.state(wid(n)).seq()))
        .collect();
    let mut known: Vec<u64> = seqs.into_iter().flatten().collect();
    known.sort_unstable();
    known.dedup();
    assert_eq!(known.len(), 9, "nobody was lost and no number given twice");
}

#[tokio::test]
async fn a_snapshot_in_redis_stands_for_the_entries_before() {
    let server = Server::start();
    let store = RedisStore::new(&server.url(), "test", 1).unwrap();
    let opened = store.open("q").await.unwrap();
    for n in 0..6_u8 {
        opened.log.append(vec![n]).await.unwrap();
    }
    let snapshot = super::Snapshot {
        position: Position(4),
        bytes: vec![7; 1 << 20],
    };
    opened.log.save(snapshot.clone()).await.unwrap();
    let again = store.open("q").await.unwrap();
    assert_eq!(again.snapshot, Some(snapshot));
    let super::ReadResult::Entries(entries) = again.log.read(Position(4)).await.unwrap() else {
        panic!("broken");
    };
    let entries: Vec<_> = entries
        .into_iter()
        .map(|taken| (taken.position.0, taken.entry))
        .collect();
    assert_eq!(entries, [(5, vec![4]), (6, vec![5])]);
    assert_eq!(
        again.log.read(Position(2)).await.unwrap(),
        super::ReadResult::Broken,
        "cut off"
    );
}

/// C8 on a store: every entry appended twice, as by gates that do not know whether it was taken.
#[tokio::test]
async fn c08_everything_sent_twice_changes_nothing() {
    let home = tempfile::tempdir().unwrap();
    let journal = Journal::open(home.path(), set_clock).unwrap();
    let twice = Twice(journal);
    live_on(&[&twice], "twice", |ms| {
        CLOCK_MS.fetch_add(ms.min(1_000), Ordering::Relaxed);
    })
    .await;
}

struct Twice(Journal);

struct TwiceLog(Arc<dyn super::Log>);

impl LogStore for Twice {
    fn open<'a>(
        &'a self,
        name: &'a str,
    ) -> BoxFuture<'a, Result<super::OpenedLog, super::LogStoreError>> {
        Box::pin(async move {
            let super::OpenedLog { log, snapshot } = self.0.open(name).await?;
            Ok(super::OpenedLog {
                log: Arc::new(TwiceLog(log)),
                snapshot,
            })
        })
    }

    fn forget<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<(), super::LogStoreError>> {
        self.0.forget(name)
    }

    fn about(&self) -> String {
        self.0.about()
    }
}

impl super::Log for TwiceLog {
    fn append(&self, entry: Vec<u8>) -> BoxFuture<'_, Result<(), super::LogStoreError>> {
        Box::pin(async move {
            self.0.append(entry.clone()).await?;
            self.0.append(entry).await
        })
    }

    fn read(
        &self,
        position: Position,
    ) -> BoxFuture<'_, Result<super::ReadResult, super::LogStoreError>> {
        self.0.read(position)
    }

    fn save(&self, snapshot: super::Snapshot) -> BoxFuture<'_, Result<(), super::LogStoreError>> {
        self.0.save(snapshot)
    }

    fn repair<'a>(
        &'a self,
        mine: Position,
        freeze: super::SnapshotSource<'a>,
    ) -> BoxFuture<'a, Result<super::RepairSource, super::LogStoreError>> {
        self.0.repair(mine, freeze)
    }
}
