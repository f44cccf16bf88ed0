//! Joins what the sources of a run gave to one whole.
//!
//! Two sources may tell the same of the same thing: a process's CPU time stands in `/proc` and on
//! the process's own page. Only the first is taken then, for two counters in one series would be
//! none. Whether they are about one thing is told by the ports it listens on; sources of different
//! things get the instance or host into what their signals are about.

use std::collections::{BTreeMap, BTreeSet};

use loadline_record::signals::{
    Entity, Label, SignalKind, SignalSeries, Signals, SourceKind, SourceNote, SourceStatus,
    TargetSetting,
};

use crate::answering::{self, ByProcess, Look};
use crate::reading::Reading;

/// What one source gave so far.
#[derive(Debug, Clone)]
pub(crate) struct Observed {
    pub(crate) signals: Signals,
    pub(crate) status: SourceStatus,
    /// `127.0.0.1:8080`: what it is about listens there.
    pub(crate) places: BTreeSet<String>,
    /// When it last answered.
    pub(crate) last_ms: Option<u64>,
    /// Sources behind it.
    pub(crate) behind: Vec<SourceStatus>,
    /// What it gave of several things, each by where that listens.
    pub(crate) parts: BTreeMap<String, Signals>,
    /// What it gave of each of the processes that answered.
    by_process: ByProcess,
    /// Several processes answer, each an instance of its own.
    is_several: bool,
}

impl Observed {
    /// A source that gave nothing yet.
    pub(crate) fn new(status: SourceStatus) -> Self {
        Self {
            signals: Signals::default(),
            status,
            places: BTreeSet::new(),
            last_ms: None,
            behind: Vec::new(),
            parts: BTreeMap::new(),
            by_process: ByProcess::default(),
            is_several: false,
        }
    }

    /// Takes one reading.
    pub(crate) fn take(&mut self, reading: Reading, at_ms: u64) {
        self.status.answered(at_ms);
        let before_ms = self.last_ms.replace(at_ms);
        if let Some(process) = &reading.answering {
            let look = Look {
                at_ms,
                before_ms,
                before: &reading.before,
                values: &reading.values,
            };
            self.by_process.take(process, &look);
        } else {
            if let Some(before_ms) = before_ms {
                for (kind, entity, value) in reading.before {
                    self.signals.push(kind, &entity, before_ms, value);
                }
            }
            for (kind, entity, value) in reading.values {
                self.signals.push(kind, &entity, at_ms, value);
            }
        }
        take_dated(&mut self.signals, reading.dated, reading.settings);
        for (place, part) in reading.parts {
            let part_of = self.parts.entry(place).or_default();
            take_dated(part_of, part.dated, part.settings);
        }
        if !reading.sources.is_empty() {
            self.behind = reading.sources;
        }
    }

    /// Its parts, each as if it were a source.
    fn apart(mut self) -> Vec<Self> {
        let parts = std::mem::take(&mut self.parts).into_iter();
        let parts = parts.map(|(place, signals)| Self {
            signals,
            places: BTreeSet::from([place]),
            ..Self::new(self.status.clone())
        });
        let parts: Vec<Self> = parts.collect();
        std::iter::once(self).chain(parts).collect()
    }

    /// The same with all processes in one, and without counters of which nobody knows whose they are.
    fn settled(mut self) -> Self {
        let (signals, note) = std::mem::take(&mut self.by_process).joined();
        self.is_several = note.is_some();
        if let Some(note) = note {
            self.status.remark(note);
        }
        for series in signals.series() {
            self.signals.add(series);
        }
        let is_of_pages = matches!(self.status.kind, SourceKind::Page | SourceKind::Prometheus);
        if is_of_pages {
            let parts = std::iter::once(&mut self.signals).chain(self.parts.values_mut());
            let mut most = 0;
            for part in parts.filter(|part| answering::is_mixed(part)) {
                most = answering::processes_min(part).max(most);
                *part = answering::without_counters(part);
            }
            if most > 0 {
                self.status.remark(SourceNote::MixedProcesses(most));
            }
        }
        self
    }

    fn has(&self, series: &SignalSeries) -> bool {
        let mut own = self.signals.of_kind(series.kind);
        own.any(|own| own.entity == series.entity)
    }

    fn is_about_the_same_as(&self, other: &Self) -> bool {
        !self.places.is_disjoint(&other.places)
    }

    fn hosts(&self) -> BTreeSet<&str> {
        self.places.iter().map(|place| host_of(place)).collect()
    }

    /// Which labels tell this source's signals from those of others about other things.
    fn labels(&self, all: &[Self]) -> Vec<(Label, String)> {
        let Some(place) = self.places.first() else {
            return Vec::new();
        };
        let others = all.iter().filter(|other| !other.places.is_empty());
        let mut clashing = others.flat_map(|other| {
            let (is_same, hosts) = (self.is_about_the_same_as(other), other.hosts());
            let is_same_host = !self.hosts().is_disjoint(&hosts);
            let own = self.signals.series().iter();
            own.filter(move |own| other.has(own)).map(move |own| {
                let of_host = is_of_host(own.kind);
                (of_host, if of_host { is_same_host } else { is_same })
            })
        });
        let clashes: BTreeSet<bool> = clashing
            .by_ref()
            .filter(|(_, is_same)| !is_same)
            .map(|(of_host, _)| of_host)
            .collect();
        let mut labels = Vec::new();
        if clashes.contains(&false) {
            labels.push((Label::Instance, place.clone()));
        }
        if clashes.contains(&true) {
            labels.push((Label::Host, host_of(place).to_owned()));
        }
        labels
    }
}

fn take_dated(
    signals: &mut Signals,
    dated: Vec<(u64, SignalKind, Entity, f64)>,
    settings: Vec<TargetSetting>,
) {
    for (at_ms, kind, entity, value) in dated {
        signals.push(kind, &entity, at_ms, value);
    }
    for setting in settings {
        signals.set(setting);
    }
}

/// What a signal is about, with the labels that tell it from others.
fn named(kind: SignalKind, entity: &Entity, labels: &[(Label, String)]) -> Entity {
    let wanted = if is_of_host(kind) {
        Label::Host
    } else {
        Label::Instance
    };
    let found = labels.iter().find(|(label, _)| *label == wanted);
    match found {
        Some((label, name)) if entity.get(*label).is_none() => entity.clone().with(*label, name),
        _ => entity.clone(),
    }
}

fn host_of(place: &str) -> &str {
    place.rsplit_once(':').map_or(place, |(host, _)| host)
}

/// Whether a kind is about a machine and its network, which several processes share.
fn is_of_host(kind: SignalKind) -> bool {
    let name = kind.name();
    let beginnings = ["host-", "network-", "segments-", "accept-queue-overflows"];
    beginnings
        .iter()
        .any(|beginning| name.starts_with(beginning))
}

/// Heap and collections count twice where the runtime tells them, too: under names of its own.
fn is_reported_by_runtime(one: &Observed, kind: SignalKind, all: &[Observed]) -> bool {
    let is_of_runtime = ["heap-", "collection-", "compilation-"]
        .iter()
        .any(|beginning| kind.name().starts_with(beginning));
    let mut others = all.iter().filter(|other| {
        let is_process = other.status.kind == SourceKind::Process;
        // Traces and metrics that are sent here come from nowhere.
        !is_process && (other.places.is_empty() || other.is_about_the_same_as(one))
    });
    one.status.kind == SourceKind::Process
        && is_of_runtime
        && others.any(|other| other.signals.of_kind(kind).next().is_some())
}

/// The system tells of all processes together what each of them tells of itself.
fn is_reported_together(one: &Observed, kind: SignalKind, all: &[Observed]) -> bool {
    let mut processes = all.iter().filter(|other| {
        other.status.kind == SourceKind::Process && other.is_about_the_same_as(one)
    });
    one.is_several && processes.any(|other| other.signals.of_kind(kind).next().is_some())
}

/// All signals, and how each source fared.
pub(crate) fn joined(all: Vec<Observed>) -> Signals {
    let all: Vec<Observed> = all.into_iter().map(Observed::settled).collect();
    let mut signals = Signals::default();
    let sources = all.iter().flat_map(|one| {
        let own = std::iter::once(&one.status);
        own.chain(&one.behind).cloned()
    });
    signals.sources = sources.collect();
    let mut all: Vec<Observed> = all.into_iter().flat_map(Observed::apart).collect();
    // What the system says of a process is more exact than what the process says of itself.
    all.sort_by_key(|one| match one.status.kind {
        SourceKind::Process => 0,
        SourceKind::Remote => 1,
        _ => 2,
    });
    for one in &all {
        let labels = one.labels(&all);
        let series = one.signals.series().iter();
        let new: Vec<(&SignalSeries, Entity)> = series
            .filter(|series| !is_reported_by_runtime(one, series.kind, &all))
            .filter(|series| !is_reported_together(one, series.kind, &all))
            .map(|series| (series, named(series.kind, &series.entity, &labels)))
            .filter(|(series, entity)| signals.of_kind(series.kind).all(|s| s.entity != *entity))
            .collect();
        for (series, entity) in new {
            for point in series.points() {
                signals.push(series.kind, &entity, point.at_ms, point.value);
            }
        }
        for setting in one.signals.settings() {
            let entity = named(SignalKind::ProcessCpu, &setting.entity, &labels);
            signals.set(TargetSetting::new(&setting.name, &setting.value, entity));
        }
    }
    signals
}

#[cfg(test)]
mod tests {
    use super::*;

    fn observed(name: &str, kind: SourceKind, places: &[&str], cpu: f64) -> Observed {
        let mut one = Observed::new(SourceStatus::new(name, kind));
        one.places = places.iter().map(|place| (*place).to_owned()).collect();
        for second in 0..3 {
            let mut reading = Reading::default();
            reading.add(SignalKind::ProcessCpu, Entity::new(), cpu);
            one.take(reading, second * 1000);
        }
        one
    }

    fn cpus(signals: &Signals) -> Vec<(String, f64)> {
        let series = signals.of_kind(SignalKind::ProcessCpu);
        series
            .map(|series| (series.entity.to_string(), series.points()[0].value))
            .collect()
    }

    #[test]
    fn of_one_process_the_systems_figures_are_taken() {
        let page = observed("page", SourceKind::Page, &["127.0.0.1:8080"], 1.0);
        let places = ["127.0.0.1:8080", "127.0.0.1:9090"];
        let process = observed("pid", SourceKind::Process, &places, 2.0);
        let signals = joined(vec![page, process]);
        assert_eq!(cpus(&signals), [(String::new(), 2.0)]);
        let names: Vec<&str> = signals.sources.iter().map(|s| s.name.as_str()).collect();
        assert_eq!(
            names,
            ["page", "pid"],
            "sources stay in the order they were given"
        );
    }

    #[test]
    fn pauses_that_the_runtime_tells_are_not_counted_again() {
        let pauses = |kind, places: &[&str], collector: &str| {
            let mut one = observed("one", kind, places, 1.0);
            let entity = Entity::new().with(Label::Collector, collector);
            for second in 0..3 {
                let mut reading = Reading::default();
                reading.add(SignalKind::CollectionPauseTime, entity.clone(), 1.0);
                one.take(reading, second * 1000 + 100);
            }
            one
        };
        let process = || pauses(SourceKind::Process, &["127.0.0.1:8080"], "Serial full");
        let told =
            |all: Vec<Observed>| joined(all).of_kind(SignalKind::CollectionPauseTime).count();
        assert_eq!(told(vec![process()]), 1);
        let page = pauses(SourceKind::Page, &["127.0.0.1:8080"], "Copy");
        assert_eq!(told(vec![process(), page]), 1);
        let sent = pauses(SourceKind::Otlp, &[], "Copy");
        assert_eq!(told(vec![process(), sent]), 1);
        let other = pauses(SourceKind::Page, &["127.0.0.1:9090"], "Copy");
        assert_eq!(told(vec![process(), other]), 2);
    }

    #[test]
    fn two_processes_get_their_names() {
        let a = observed("a", SourceKind::Page, &["10.0.0.1:8080"], 1.0);
        let b = observed("b", SourceKind::Page, &["10.0.0.2:8080"], 2.0);
        let signals = joined(vec![a, b]);
        let expected = [
            ("instance=10.0.0.1:8080", 1.0),
            ("instance=10.0.0.2:8080", 2.0),
        ];
        assert_eq!(
            cpus(&signals),
            expected.map(|(name, value)| (name.to_owned(), value))
        );
    }

    /// Workers of a server that forks: the system counts all of them, each worker's page itself alone.
    #[test]
    fn what_the_system_tells_of_all_processes_is_not_counted_again_for_each() {
        let mut page = Observed::new(SourceStatus::new("page", SourceKind::Page));
        page.places.insert("127.0.0.1:8080".to_owned());
        for look in 0..6_u64 {
            let mut reading = Reading::default();
            let count = if look % 2 == 0 { 90.0 } else { 10.0 };
            reading.add(SignalKind::ProcessCpu, Entity::new(), count);
            reading.add(SignalKind::ServerRequests, Entity::new(), count);
            reading.answering = Some(crate::answering::Answering {
                key: (look % 2).to_string(),
                ..Default::default()
            });
            page.take(reading, look * 1000);
        }
        let process = observed("pid", SourceKind::Process, &["127.0.0.1:8080"], 2.0);
        let signals = joined(vec![page, process]);
        assert_eq!(cpus(&signals), [(String::new(), 2.0)]);
        let requests = signals.of_kind(SignalKind::ServerRequests);
        let of: Vec<String> = requests.map(|series| series.entity.to_string()).collect();
        assert_eq!(of, ["instance=process 1", "instance=process 2"]);
        let notes = &signals.sources[0].notes;
        assert_eq!(notes[..], [SourceNote::SeveralProcesses(2)]);
    }

    #[test]
    fn parts_of_one_source_get_their_names_and_one_that_is_looked_at_directly_is_the_same() {
        let mut prometheus = Observed::new(SourceStatus::new("p", SourceKind::Prometheus));
        let part = |cpu: f64| Reading {
            dated: vec![(500, SignalKind::ProcessCpu, Entity::new(), cpu)],
            ..Reading::default()
        };
        let parts = [("10.0.0.1:8080", 7.0), ("10.0.0.2:8080", 8.0)];
        let reading = Reading {
            parts: parts
                .map(|(place, cpu)| (place.to_owned(), part(cpu)))
                .to_vec(),
            ..Reading::default()
        };
        prometheus.take(reading, 900);
        let page = observed("page", SourceKind::Process, &["10.0.0.2:8080"], 2.0);
        let expected = [
            ("instance=10.0.0.2:8080", 2.0),
            ("instance=10.0.0.1:8080", 7.0),
        ];
        let signals = joined(vec![prometheus, page]);
        assert_eq!(
            cpus(&signals),
            expected.map(|(name, value)| (name.to_owned(), value))
        );
        assert_eq!(signals.sources.len(), 2);
    }
}
