//! How gates go on with a log that was lost, set back, or is at another server now.
//!
//! Each gate says up to where it knows the log, and waits until all gates that were there
//! lately have spoken. What any of them had applied may have been told to somebody, so the
//! log goes on from the one that knows most: from Redis itself if it lacks nothing, else
//! from a gate's memory under a new generation. Generations are counted: a gate that comes
//! later never takes a log back from a newer one.
//!
//! A gate that says nothing for ten seconds is not waited for any longer, and after an end
//! of all gates nobody is there who could say. Then something that was told may be lost:
//! the state goes on *after a loss*, in which no number is given that may have been given.

use ::redis::{RedisError, Script};
use std::time::Duration;
use tokio::time::Instant;

use super::connector::ServerConnection;
use super::errors::away;
use super::{RedisLog, fresh_id, scripts};
use crate::storage::{
    LogStoreError, MemoryState, Position, RepairSource, Snapshot, SnapshotSource,
};

/// How long gates are waited for that are not known of.
const UNKNOWN_GATES_TIMEOUT: Duration = Duration::from_millis(600);
/// How long gates are waited for that were there lately.
const KNOWN_GATES_TIMEOUT: Duration = Duration::from_secs(10);
/// How long the one that knows most may take to write the log anew.
const REWRITE_TIMEOUT: Duration = Duration::from_secs(15);
/// Between two looks at what the others said.
const VOICES_CHECK_INTERVAL: Duration = Duration::from_millis(150);

/// Generation and position, compared in this order: what a gate, or Redis, has of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Extent {
    ordinal: u64,
    position: u64,
}

/// What one gate said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Voice {
    gate: u64,
    has: Extent,
    /// It had read or written the log before it was lost.
    remembers: bool,
}

/// What is to be done.
#[derive(Debug, PartialEq, Eq)]
enum Resolution {
    /// Others are still to exchange_positions, or to act.
    Wait,
    /// Redis lacks nothing.
    GoOn,
    /// This gate writes the log anew.
    Write(MemoryState),
}

/// The log in Redis, and what the gates said.
struct CouncilState {
    generation: String,
    count: u64,
    server: String,
    voices: Vec<Voice>,
}

/// How many generations a log has had, by the generation's name.
fn ordinal(generation: &str) -> u64 {
    let (number, _) = generation.split_once('.').unwrap_or_default();
    number.parse().unwrap_or(0)
}

/// A name for the generation after one.
pub(super) fn generation_after(generation: &str) -> String {
    format!("{}.{}", ordinal(generation) + 1, fresh_id())
}

/// Decides for `gate`. `in_redis` is what Redis has of the log, `expected` are the other
/// gates that were there lately, `waited` is how long they were waited for.
fn resolve(
    gate: u64,
    in_redis: Extent,
    voices: &[Voice],
    expected: &[u64],
    waited: Duration,
) -> Resolution {
    let spoke = |gate: &u64| voices.iter().any(|voice| voice.gate == *gate);
    let all_spoke = expected.iter().all(spoke);
    if waited < UNKNOWN_GATES_TIMEOUT || (!all_spoke && waited < KNOWN_GATES_TIMEOUT) {
        return Resolution::Wait;
    }
    let is_whole = all_spoke && voices.iter().any(|voice| voice.remembers);
    let best = voices.iter().max_by_key(|voice| (voice.has, voice.gate));
    let Some(best) = best.filter(|best| best.has >= in_redis) else {
        return Resolution::GoOn;
    };
    if is_whole && best.has == in_redis {
        return Resolution::GoOn;
    }
    if best.gate != gate {
        Resolution::Wait
    } else if is_whole {
        Resolution::Write(MemoryState::Whole)
    } else {
        Resolution::Write(MemoryState::AfterLoss)
    }
}

impl RedisLog {
    pub(super) async fn repair_log(
        &self,
        mine: Position,
        freeze: SnapshotSource<'_>,
    ) -> Result<RepairSource, LogStoreError> {
        // Whatever was open may lead to a server that is gone.
        self.reader.begin_anew(&self.keys.log).await;
        self.to_write.end().await;
        let lost_at = self.last_good();
        let begin = Instant::now();
        loop {
            let mut to_redis = self.to_write.connection().await?;
            let own = self.generation.lock().await.clone();
            let council = self.exchange_positions(mine, &mut to_redis).await?;
            if council.generation == own && council.count > mine.0 {
                return self.read_on(mine, council.count, &mut to_redis).await;
            }
            let in_order = council.generation == own && council.count == mine.0;
            if in_order && council.server == to_redis.server && !self.has_diverged() {
                return Ok(RepairSource::ReadOn);
            }
            if ordinal(&council.generation) > ordinal(&own) {
                return self.go_over(council, &mut to_redis).await;
            }
            let in_redis = Extent {
                ordinal: ordinal(&council.generation),
                position: council.count,
            };
            let expected = self.presence.around(lost_at);
            let waited = begin.elapsed();
            match resolve(self.origin, in_redis, &council.voices, &expected, waited) {
                Resolution::Wait if waited > REWRITE_TIMEOUT => return Err(self.broken()),
                Resolution::Wait => tokio::time::sleep(VOICES_CHECK_INTERVAL).await,
                Resolution::GoOn => {
                    self.confirm(&council, &mut to_redis).await?;
                    if council.generation != own {
                        return self.go_over(council, &mut to_redis).await;
                    }
                    return Ok(RepairSource::ReadOn);
                }
                Resolution::Write(memory) => {
                    let snapshot = freeze(memory);
                    self.write_anew(&council, &snapshot, &mut to_redis).await?;
                    return Ok(match memory {
                        MemoryState::Whole => RepairSource::Own,
                        MemoryState::AfterLoss => RepairSource::Other {
                            end: snapshot.position,
                            snapshot,
                        },
                    });
                }
            }
        }
    }

    /// Publishes how much this gate knows and reads what the others published.
    async fn exchange_positions(
        &self,
        mine: Position,
        to_redis: &mut ServerConnection,
    ) -> Result<CouncilState, LogStoreError> {
        let own = self.generation.lock().await.clone();
        let word = format!(
            "{} {} {}",
            ordinal(&own),
            mine.0,
            u8::from(self.remembers())
        );
        let script = Script::new(scripts::SPEAK);
        let mut call = script.key(&self.keys.meta);
        call.key(&self.keys.council).arg(self.origin).arg(word);
        type SpeakReply = (String, u64, String, Vec<String>);
        let told: Result<SpeakReply, RedisError> =
            call.invoke_async(&mut to_redis.connection).await;
        let (generation, count, server, said) = told.map_err(away)?;
        let voices = said
            .chunks_exact(2)
            .filter_map(|pair| voice(&pair[0], &pair[1]));
        Ok(CouncilState {
            generation,
            count,
            server,
            voices: voices.collect(),
        })
    }

    /// Others have gone on: what is behind is read, or taken from the snapshot if it was cut
    /// off. A gate beside a log that was set back and continued takes what the log says.
    async fn read_on(
        &self,
        mine: Position,
        count: u64,
        to_redis: &mut ServerConnection,
    ) -> Result<RepairSource, LogStoreError> {
        let diverged = self.take_diverged();
        let snapshot = self.load_snapshot(&mut to_redis.connection).await?;
        let is_newer = |snapshot: &Snapshot| snapshot.position > mine;
        if !diverged && !snapshot.as_ref().is_some_and(is_newer) {
            return Ok(RepairSource::ReadOn);
        }
        let snapshot = snapshot.unwrap_or_else(Snapshot::of_nothing);
        self.know(snapshot.position, None).await;
        Ok(RepairSource::Other {
            snapshot,
            end: Position(count),
        })
    }

    /// Goes on with another generation, from its beginning.
    async fn go_over(
        &self,
        council: CouncilState,
        to_redis: &mut ServerConnection,
    ) -> Result<RepairSource, LogStoreError> {
        let snapshot = self.load_snapshot(&mut to_redis.connection).await?;
        let snapshot = snapshot.unwrap_or_else(Snapshot::of_nothing);
        self.take_diverged();
        self.know(snapshot.position, None).await;
        *self.generation.lock().await = council.generation;
        Ok(RepairSource::Other {
            snapshot,
            end: Position(council.count),
        })
    }

    async fn confirm(
        &self,
        council: &CouncilState,
        to_redis: &mut ServerConnection,
    ) -> Result<(), LogStoreError> {
        let script = Script::new(scripts::CONFIRM);
        let mut call = script.key(&self.keys.meta);
        call.key(&self.keys.council)
            .arg(&council.generation)
            .arg(council.count)
            .arg(&to_redis.server);
        let done: u64 = call
            .invoke_async(&mut to_redis.connection)
            .await
            .map_err(away)?;
        if done == 0 {
            Err(self.broken())
        } else {
            Ok(())
        }
    }

    async fn write_anew(
        &self,
        council: &CouncilState,
        snapshot: &Snapshot,
        to_redis: &mut ServerConnection,
    ) -> Result<(), LogStoreError> {
        let name = self.send(snapshot).await?;
        let next = generation_after(&self.generation.lock().await);
        let script = Script::new(scripts::TAKE_OVER);
        let mut call = script.key(&self.keys.meta);
        call.key(&self.keys.log)
            .key(&self.keys.council)
            .key(&name)
            .arg(&council.generation)
            .arg(&next)
            .arg(snapshot.position.0)
            .arg(&to_redis.server);
        let done: u64 = call
            .invoke_async(&mut to_redis.connection)
            .await
            .map_err(away)?;
        if done == 0 {
            return Err(self.broken());
        }
        self.take_diverged();
        self.know(snapshot.position, None).await;
        *self.generation.lock().await = next;
        Ok(())
    }

    fn broken(&self) -> LogStoreError {
        LogStoreError::Broken {
            log: self.name.clone(),
        }
    }
}

/// A gate's word: `<ordinal> <position> <whether it remembers>`.
fn voice(gate: &str, word: &str) -> Option<Voice> {
    let mut numbers = word.split(' ').map(str::parse);
    let mut next = || numbers.next()?.ok();
    Some(Voice {
        gate: gate.parse().ok()?,
        has: Extent {
            ordinal: next()?,
            position: next()?,
        },
        remembers: next()? == 1,
    })
}

#[cfg(test)]
mod tests {
    use super::{
        Extent, KNOWN_GATES_TIMEOUT, Resolution, UNKNOWN_GATES_TIMEOUT, Voice, ordinal, resolve,
        voice,
    };
    use crate::storage::MemoryState;

    const EMPTY: Extent = extent(0, 0);

    const fn extent(ordinal: u64, position: u64) -> Extent {
        Extent { ordinal, position }
    }

    fn voice_of(gate: u64, ordinal: u64, position: u64) -> Voice {
        Voice {
            gate,
            has: extent(ordinal, position),
            remembers: true,
        }
    }

    #[test]
    fn the_gate_that_knows_most_writes_a_lost_log_anew() {
        let voices = [voice_of(1, 1, 100), voice_of(2, 1, 130)];
        let decide = |gate, other| resolve(gate, EMPTY, &voices, &[other], UNKNOWN_GATES_TIMEOUT);
        assert_eq!(decide(1, 2), Resolution::Wait);
        assert_eq!(decide(2, 1), Resolution::Write(MemoryState::Whole));
    }

    #[test]
    fn a_gate_that_was_there_is_waited_for_and_without_it_something_may_be_lost() {
        let voices = [voice_of(1, 1, 100)];
        let decide = |waited| resolve(1, EMPTY, &voices, &[2], waited);
        assert_eq!(decide(UNKNOWN_GATES_TIMEOUT), Resolution::Wait);
        assert_eq!(
            decide(KNOWN_GATES_TIMEOUT),
            Resolution::Write(MemoryState::AfterLoss)
        );
    }

    #[test]
    fn a_log_that_lacks_nothing_goes_on_at_another_server() {
        let voices = [voice_of(1, 1, 100), voice_of(2, 1, 90)];
        let decide = |redis| resolve(1, redis, &voices, &[2], UNKNOWN_GATES_TIMEOUT);
        assert_eq!(decide(extent(1, 100)), Resolution::GoOn);
        assert_eq!(decide(extent(1, 101)), Resolution::GoOn);
        assert_eq!(decide(extent(1, 99)), Resolution::Write(MemoryState::Whole));
    }

    #[test]
    fn where_no_gate_remembers_an_old_copy_is_not_taken_for_the_last_state() {
        let started = Voice {
            remembers: false,
            ..voice_of(1, 1, 100)
        };
        let decide = |redis| resolve(1, redis, &[started], &[], UNKNOWN_GATES_TIMEOUT);
        assert_eq!(
            decide(extent(1, 100)),
            Resolution::Write(MemoryState::AfterLoss)
        );
    }

    #[test]
    fn a_newer_generation_counts_more_than_a_longer_old_one() {
        let voices = [voice_of(1, 1, 900), voice_of(2, 2, 500)];
        assert_eq!(
            resolve(1, EMPTY, &voices, &[2], UNKNOWN_GATES_TIMEOUT),
            Resolution::Wait
        );
        assert_eq!(
            resolve(2, EMPTY, &voices, &[1], UNKNOWN_GATES_TIMEOUT),
            Resolution::Write(MemoryState::Whole)
        );
        assert_eq!(ordinal("12.00ff"), 12);
        assert_eq!(ordinal("00ffab"), 0, "as before generations were counted");
    }

    #[test]
    fn what_a_gate_says_is_read_back() {
        assert_eq!(voice("7", "2 31 1"), Some(voice_of(7, 2, 31)));
        assert_eq!(voice("7", "31"), None);
    }
}
