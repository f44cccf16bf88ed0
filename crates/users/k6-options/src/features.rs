//! Features of k6 that are switched on by name: `--features`, `K6_FEATURES`, the
//! configuration file.

use std::collections::{BTreeMap, BTreeSet};

use super::go::parse_bool;
use crate::log::{Entry, LogLevel};

/// A feature that is off unless it is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum K6Feature {
    /// Scripts cannot change `__ENV`.
    FreezeEnv,
    /// Tags of script, environment and flags are merged name by name.
    MergeRunTags,
    /// Trends go to Prometheus as native histograms.
    NativeHistograms,
}

/// The variable that switched native histograms on before there were features.
const NATIVE_HISTOGRAMS: &str = "K6_PROMETHEUS_RW_TREND_AS_NATIVE_HISTOGRAM";

impl K6Feature {
    /// All of them, by name.
    pub const ALL: [Self; 3] = [Self::FreezeEnv, Self::MergeRunTags, Self::NativeHistograms];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::FreezeEnv => "freeze-env",
            Self::MergeRunTags => "merge-run-tags",
            Self::NativeHistograms => "native-histograms",
        }
    }

    /// What `k6 features` says of it.
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::FreezeEnv => "Freeze __ENV object to prevent modifications from JS code",
            Self::MergeRunTags => "Merge run tags across config layers instead of replacing",
            Self::NativeHistograms => "Use native histograms for trend metrics",
        }
    }

    /// The tag that samples of a run with it have, with the value `true`.
    #[must_use]
    pub fn tag(self) -> String {
        format!("{TAG_START}{}", self.name().replace('-', "_"))
    }
}

/// How the names of those tags begin.
const TAG_START: &str = "k6_feature_";

/// The features that are on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct K6Features {
    active: BTreeSet<K6Feature>,
    /// What k6 logs about the names.
    pub entries: Vec<Entry>,
}

impl K6Features {
    /// From the source that counts: flags, else the environment, else the configuration file.
    #[must_use]
    pub fn resolve(
        flags: Option<&[String]>,
        environment: &BTreeMap<String, String>,
        config_file: Option<&[String]>,
    ) -> Self {
        let of_alias = environment
            .get(NATIVE_HISTOGRAMS)
            .is_some_and(|value| parse_bool(value) == Ok(true));
        let of_environment = environment.get("K6_FEATURES");
        let mut found = Self::default();
        if let Some(names) = flags {
            found.add(names, "cli");
        } else if of_alias || of_environment.is_some() {
            if of_alias {
                let alias = "Legacy env var detected, use --features or K6_FEATURES instead";
                let entry = Entry::new(LogLevel::Warning, alias)
                    .with("env", NATIVE_HISTOGRAMS)
                    .with("feature", K6Feature::NativeHistograms.name())
                    .with("lifecycle", "deprecated_alias")
                    .with("source", "env_legacy_alias");
                found.entries.push(entry);
                found.switch_on(K6Feature::NativeHistograms);
            }
            let names: Vec<String> = of_environment.into_iter().cloned().collect();
            found.add(&names, "env");
        } else if let Some(names) = config_file {
            found.add(names, "json");
        }
        found
    }

    fn add(&mut self, names: &[String], source: &str) {
        let mut seen = BTreeSet::new();
        let names = names.iter().flat_map(|names| names.split(','));
        for name in names.map(str::trim).filter(|name| !name.is_empty()) {
            if !seen.insert(name) {
                continue;
            }
            match K6Feature::ALL
                .into_iter()
                .find(|known| known.name() == name)
            {
                Some(feature) if self.active.contains(&feature) => {}
                Some(feature) => self.switch_on(feature),
                None => self.entries.push(
                    Entry::new(LogLevel::Error, "Unknown feature flag")
                        .with("feature", name)
                        .with("outcome", "unknown")
                        .with("source", source),
                ),
            }
        }
    }

    fn switch_on(&mut self, feature: K6Feature) {
        self.active.insert(feature);
        self.entries.push(
            Entry::new(LogLevel::Info, "Experimental feature enabled")
                .with("feature", feature.name())
                .with("lifecycle", "experimental"),
        );
    }

    /// Whether it is on.
    #[must_use]
    pub fn has(&self, feature: K6Feature) -> bool {
        self.active.contains(&feature)
    }

    /// Puts the names of those that are on where scripts and archives find them.
    pub fn write_to(&self, script_env: &mut BTreeMap<String, String>) {
        let names: Vec<&str> = self.active.iter().map(|feature| feature.name()).collect();
        if names.is_empty() {
            script_env.remove("K6_FEATURES");
        } else {
            script_env.insert("K6_FEATURES".to_owned(), names.join(","));
        }
    }

    /// The run's tags with those of the features that are on; nobody else sets these.
    #[must_use]
    pub fn tagged(
        &self,
        tags: Option<BTreeMap<String, String>>,
    ) -> Option<BTreeMap<String, String>> {
        let mut tags = tags.unwrap_or_default();
        tags.retain(|name, _| !name.starts_with(TAG_START));
        for feature in &self.active {
            tags.insert(feature.tag(), "true".to_owned());
        }
        (!tags.is_empty()).then_some(tags)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn environment(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        let pairs = pairs.iter();
        pairs.map(|(k, v)| ((*k).into(), (*v).into())).collect()
    }

    #[test]
    fn the_highest_source_counts_alone() {
        let env = environment(&[("K6_FEATURES", "freeze-env")]);
        let flags = names(&["merge-run-tags, merge-run-tags"]);
        let file = names(&["native-histograms"]);
        let of_flags = K6Features::resolve(Some(&flags), &env, Some(&file));
        assert!(of_flags.has(K6Feature::MergeRunTags) && !of_flags.has(K6Feature::FreezeEnv));
        assert_eq!(of_flags.entries.len(), 1);
        let of_env = K6Features::resolve(None, &env, Some(&file));
        assert!(of_env.has(K6Feature::FreezeEnv) && !of_env.has(K6Feature::NativeHistograms));
        let of_file = K6Features::resolve(None, &environment(&[]), Some(&file));
        assert!(of_file.has(K6Feature::NativeHistograms));
    }

    #[test]
    fn an_unknown_name_is_an_error_that_stops_nothing() {
        let found = K6Features::resolve(Some(&names(&["nope"])), &environment(&[]), None);
        assert_eq!(found.entries[0].level, LogLevel::Error);
        assert_eq!(found.tagged(None), None);
    }

    #[test]
    fn features_are_tags_and_a_variable_of_the_script() {
        let env = environment(&[(NATIVE_HISTOGRAMS, "1"), ("K6_FEATURES", "freeze-env")]);
        let found = K6Features::resolve(None, &env, None);
        let mut seen = environment(&[]);
        found.write_to(&mut seen);
        assert_eq!(seen["K6_FEATURES"], "freeze-env,native-histograms");
        let tags = environment(&[("k6_feature_other", "true"), ("a", "b")]);
        let tags = found.tagged(Some(tags)).unwrap();
        let names: Vec<&str> = tags.keys().map(String::as_str).collect();
        let expected = ["a", "k6_feature_freeze_env", "k6_feature_native_histograms"];
        assert_eq!(names, expected);
    }
}
