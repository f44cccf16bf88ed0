//! What a Java virtual machine counts of itself, in the file that `jstat` reads.
//!
//! HotSpot keeps its counters in `hsperfdata_USER/PID` of its temporary folder, for every program
//! that may read them. So heap and collections of a process are known without a page of metrics.

mod counters;

use std::fs::{self, File};
use std::io::Read;
use std::path::PathBuf;

use loadline_record::signals::{Entity, Label, SignalKind};

use super::command_line;
use crate::reading::Reading;
use counters::Counters;

/// Larger files are none of HotSpot's.
const FILE_BYTES_MAX: u64 = 1 << 20;
/// Collectors that HotSpot numbers.
const COLLECTORS_MAX: usize = 4;
/// Generations that hold objects; a third one holds classes.
const HEAP_GENERATIONS: usize = 2;
const SPACES_MAX: usize = 4;

/// The counters of the first JVM among a process and those below it.
#[derive(Debug, Default)]
pub(super) struct JavaMachine {
    file: Option<PathBuf>,
    /// Collections of the whole heap so far.
    full: Option<f64>,
    /// The share of the old generation that was full after the last of them.
    after_full: Option<f64>,
}

impl JavaMachine {
    /// Looks anew for the file.
    pub(super) fn refresh(&mut self, members: &[i32]) {
        let file = members.iter().find_map(|pid| file_of(*pid));
        if file != self.file {
            *self = Self {
                file,
                ..Self::default()
            };
        }
    }

    /// Gives nothing for what is no JVM, or keeps its counters to itself.
    pub(super) fn give(&mut self, cores: f64, reading: &mut Reading) {
        let Some(counters) = self
            .file
            .as_ref()
            .and_then(|file| Counters::read(&bytes_of(file)?))
        else {
            return;
        };
        let Some(second) = counters
            .number("sun.os.hrt.frequency")
            .filter(|one| *one > 0.0)
        else {
            return;
        };
        let mut add = |kind, entity, value| reading.add(kind, entity, value);
        for collector in collectors(&counters) {
            let entity = || Entity::new().with(Label::Collector, &collector.name);
            add(
                SignalKind::CollectionPauseTime,
                entity(),
                collector.time / second,
            );
            add(SignalKind::CollectionPauses, entity(), collector.count);
        }
        let heap = Heap::from_counters(&counters);
        add(SignalKind::HeapUsed, Entity::new(), heap.used);
        if heap.most > 0.0 {
            add(SignalKind::HeapMax, Entity::new(), heap.most);
        }
        if let Some(share) = self.after_full(&counters, &heap) {
            add(SignalKind::HeapAfterCollectionShare, Entity::new(), share);
        }
        if let Some(time) = counters.number("java.ci.totalTime") {
            add(SignalKind::CompilationTime, Entity::new(), time / second);
        }
        give_settings(&counters, cores, reading);
    }

    /// How full the old generation was after the last collection of it that was seen.
    fn after_full(&mut self, counters: &Counters, heap: &Heap) -> Option<f64> {
        let full = collectors(counters)
            .filter(|one| one.is_full)
            .map(|one| one.count)
            .sum();
        let is_new = self.full.replace(full).is_some_and(|before| full > before);
        if is_new && heap.old_most > 0.0 {
            self.after_full = Some((heap.old / heap.old_most).min(1.0));
        }
        self.after_full
    }
}

fn file_of(pid: i32) -> Option<PathBuf> {
    // In a container the process has another number, and a root of its own.
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let inner = status
        .lines()
        .find_map(|line| line.strip_prefix("NSpid:"))?;
    let inner = inner.split_whitespace().next_back()?;
    let folders = fs::read_dir(format!("/proc/{pid}/root/tmp"))
        .ok()?
        .flatten();
    let mut of_users =
        folders.filter(|one| one.file_name().to_string_lossy().starts_with("hsperfdata_"));
    of_users.find_map(|folder| Some(folder.path().join(inner)).filter(|file| file.is_file()))
}

fn bytes_of(file: &PathBuf) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(file)
        .ok()?
        .take(FILE_BYTES_MAX)
        .read_to_end(&mut bytes)
        .ok()?;
    Some(bytes)
}

/// Collections of one kind, as far as they stop the program.
struct Collector {
    name: String,
    count: f64,
    /// In ticks.
    time: f64,
    is_full: bool,
}

fn collectors(counters: &Counters) -> impl Iterator<Item = Collector> {
    (0..COLLECTORS_MAX).filter_map(move |number| {
        let of = |what: &str| format!("sun.gc.collector.{number}.{what}");
        let name = counters.text(&of("name"))?;
        Some(Collector {
            is_full: is_full(number, &name),
            count: counters.number(&of("invocations"))?,
            time: counters.number(&of("time"))?,
            name,
        })
    })
}

/// After which collections the old generation holds little but what lives: the second collector's, except
/// for collectors that work beside the program, which have one kind.
fn is_full(number: usize, name: &str) -> bool {
    number == 1 || name.starts_with("Z ")
}

/// Bytes of the heap.
#[derive(Debug, Default)]
struct Heap {
    used: f64,
    most: f64,
    old: f64,
    old_most: f64,
}

impl Heap {
    fn from_counters(counters: &Counters) -> Self {
        let used = |generation: usize| {
            let spaces = (0..SPACES_MAX).filter_map(|space| {
                counters.number(&format!(
                    "sun.gc.generation.{generation}.space.{space}.used"
                ))
            });
            spaces.sum::<f64>()
        };
        let most = |generation: usize| {
            let name = format!("sun.gc.generation.{generation}.maxCapacity");
            counters.number(&name).unwrap_or(0.0)
        };
        // Regions of G1 belong to either generation: each may be as large as the heap.
        let is_shared = counters
            .text("sun.gc.policy.name")
            .is_some_and(|name| name == "GarbageFirst");
        Self {
            used: (0..HEAP_GENERATIONS).map(used).sum(),
            most: if is_shared {
                most(1)
            } else {
                (0..HEAP_GENERATIONS).map(most).sum()
            },
            old: used(1),
            old_most: most(1),
        }
    }
}

fn give_settings(counters: &Counters, cores: f64, reading: &mut Reading) {
    let text = |name| counters.text(name).unwrap_or_default();
    reading.set("jvm.version", &text("java.property.java.version"));
    let names: Vec<String> = collectors(counters).map(|one| one.name).collect();
    reading.set(
        "jvm.collector",
        names
            .first()
            .and_then(|name| name.split(' ').next())
            .unwrap_or_default(),
    );
    let flags = text("java.rt.vmArgs");
    // Those of JAVA_TOOL_OPTIONS are among them, which no command line shows.
    let told = command_line::jvm_flags(flags.split(' '));
    reading.set("jvm.flags", &told);
    reading.set("jvm.processors", &processors(&told, cores).to_string());
}

/// How many processors the JVM takes itself to have, and sizes its pools by.
fn processors(flags: &str, cores: f64) -> f64 {
    let told = flags
        .split(' ')
        .find_map(|flag| flag.strip_prefix("-XX:ActiveProcessorCount="));
    told.and_then(|told| told.parse().ok())
        .unwrap_or_else(|| cores.ceil().max(1.0))
}

#[cfg(test)]
mod tests;
