//! Joins what the sources of a run gave to one whole.
//!
//! Two sources may tell the same of the same thing: a process's CPU time stands in `/proc` and on
//! the process's own page. Only the first is taken then, for two counters in one series would be
//! none. Whether they are about one thing is told by the ports it listens on; sources of different
//! things get the instance or host into what their signals are about.

use std::collections::BTreeSet;

use loadline_record::signals::{
    Entity, Label, SignalKind, SignalSeries, Signals, SourceKind, SourceStatus, TargetSetting,
};

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
}

impl Observed {
    /// Takes one reading.
    pub(crate) fn take(&mut self, reading: Reading, at_ms: u64) {
        self.status.answered(at_ms);
        if let Some(last_ms) = self.last_ms.replace(at_ms) {
            for (kind, entity, value) in reading.before {
                self.signals.push(kind, &entity, last_ms, value);
            }
        }
        for (kind, entity, value) in reading.values {
            self.signals.push(kind, &entity, at_ms, value);
        }
        for setting in reading.settings {
            self.signals.set(setting);
        }
    }

    fn has(&self, series: &SignalSeries) -> bool {
        let mut own = self.signals.of(series.kind);
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

/// What a signal is about, with the labels that tell it from others.
fn named(kind: SignalKind, entity: &Entity, labels: &[(Label, String)]) -> Entity {
    let wanted = match is_of_host(kind) {
        true => Label::Host,
        false => Label::Instance,
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

/// All signals, and how each source fared.
pub(crate) fn joined(mut all: Vec<Observed>) -> Signals {
    let mut signals = Signals::default();
    signals.sources = all.iter().map(|one| one.status.clone()).collect();
    // What the system says of a process is more exact than what the process says of itself.
    all.sort_by_key(|one| one.status.kind != SourceKind::Process);
    for one in &all {
        let labels = one.labels(&all);
        let new: Vec<(&SignalSeries, Entity)> = one
            .signals
            .series()
            .iter()
            .map(|series| (series, named(series.kind, &series.entity, &labels)))
            .filter(|(series, entity)| signals.of(series.kind).all(|s| s.entity != *entity))
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
        let mut one = Observed {
            signals: Signals::default(),
            status: SourceStatus::new(name, kind),
            places: places.iter().map(|place| (*place).to_owned()).collect(),
            last_ms: None,
        };
        for second in 0..3 {
            let mut reading = Reading::default();
            reading.add(SignalKind::ProcessCpu, Entity::new(), cpu);
            one.take(reading, second * 1000);
        }
        one
    }

    fn cpus(signals: &Signals) -> Vec<(String, f64)> {
        let series = signals.of(SignalKind::ProcessCpu);
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
}
