//! Reads `config.phases`: when users arrive.

use crate::phrase::Phrase;

use super::{
    ARRIVAL_RATE_MAX, DiagnosticKind, Duration, KeyScope, PHASE_SECONDS_MAX, PhaseArrivals,
    PhaseConfig, Reader, Yaml, YamlMap, YamlNode, ms, shown, text_to_number, to_text,
};

impl Reader<'_> {
    pub(super) fn phases(&mut self, map: &YamlMap) -> Vec<PhaseConfig> {
        let Some(node) = map.get("phases") else {
            return Vec::new();
        };
        match &node.value {
            Yaml::List(items) => {
                let mode = map.get("mode").and_then(YamlNode::as_text);
                items
                    .iter()
                    .filter_map(|item| self.phase(item, mode))
                    .collect()
            }
            Yaml::Null => Vec::new(),
            _ => {
                self.wrong_type("phases", node, Phrase::List);
                Vec::new()
            }
        }
    }

    fn phase(&mut self, node: &YamlNode, mode: Option<&str>) -> Option<PhaseConfig> {
        let map = self.map_of("phases", node)?;
        self.keys(KeyScope::Phase, map);
        let present = |key: &str| map.get(key).is_some_and(|node| node.value != Yaml::Null);
        let rate = if present("arrivalRate") {
            Some(self.rate(map, "arrivalRate")?)
        } else {
            None
        };
        let ramp = if present("rampTo") {
            Some(self.rate(map, "rampTo")?)
        } else {
            None
        };
        let length_key =
            if present("pause") && rate.is_none() && ramp.is_none() && !present("arrivalCount") {
                "pause"
            } else {
                "duration"
            };
        let (length, written) = match map.get(length_key) {
            Some(node) if node.value != Yaml::Null => {
                (self.phase_length(length_key, node)?, shown(node))
            }
            _ => {
                self.find(
                    node.mark,
                    DiagnosticKind::Missing {
                        key: "duration",
                        place: "phase",
                    },
                );
                return None;
            }
        };
        let poisson = match map.get("mode").and_then(YamlNode::as_text).or(mode) {
            None | Some("uniform") => false,
            Some("poisson") => true,
            Some(_) => {
                self.bad_value("mode", map.get("mode").unwrap_or(node), Phrase::ModeNames);
                return None;
            }
        };
        // If several are given, Artillery uses the first of these.
        let arrivals = match (ramp, rate) {
            _ if length_key == "pause" => PhaseArrivals::Pause,
            (Some(to), from) if to > 0.0 || from.is_some() => PhaseArrivals::Ramp {
                from: from.unwrap_or(0.0),
                to,
            },
            (_, Some(rate)) if rate > 0.0 => PhaseArrivals::Rate { rate, poisson },
            _ if present("arrivalCount") => PhaseArrivals::Count(self.count(map, "arrivalCount")?),
            (_, Some(_)) => PhaseArrivals::Pause,
            _ => {
                self.find(
                    node.mark,
                    DiagnosticKind::Missing {
                        key: "arrivalRate",
                        place: "phase",
                    },
                );
                return None;
            }
        };
        let most = if present("maxVusers") {
            Some(self.count(map, "maxVusers")?)
        } else {
            None
        };
        Some(PhaseConfig {
            name: self.text_at(map, "name"),
            length,
            written,
            arrivals,
            most,
        })
    }

    fn rate(&mut self, map: &YamlMap, key: &str) -> Option<f64> {
        let node = map.get(key)?;
        let rate = self.number_of(key, node)?;
        if !(0.0..=ARRIVAL_RATE_MAX).contains(&rate) {
            self.bad_value(key, node, Phrase::RateRange);
            return None;
        }
        Some(rate)
    }

    pub(super) fn count(&mut self, map: &YamlMap, key: &str) -> Option<u64> {
        let node = map.get(key)?;
        let count = self.number_of(key, node)?;
        if !(0.0..=1e12).contains(&count) || count.fract() != 0.0 {
            self.bad_value(key, node, Phrase::WholeNumber);
            return None;
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a whole number up to 10^12"
        )]
        Some(count as u64)
    }

    /// Whole numbers are seconds; texts are parsed by `ms`.
    fn phase_length(&mut self, key: &str, node: &YamlNode) -> Option<Duration> {
        let text = match &node.value {
            Yaml::Number(_) | Yaml::Text(_) => to_text(Some(&node.to_json())),
            _ => {
                self.wrong_type(key, node, Phrase::SecondsOrMinutes);
                return None;
            }
        };
        let number = text_to_number(&text);
        let is_whole = !number.is_nan() && number.fract() == 0.0 && !text.trim().is_empty();
        // Artillery takes 0.5 as half a millisecond.
        let is_fraction = matches!(node.value, Yaml::Number(_)) && !self.options.strict_compat;
        let seconds = if is_whole || is_fraction {
            Some(number)
        } else {
            ms::parse(&text).map(|millis| millis / 1000.0)
        };
        match seconds {
            Some(seconds) if seconds > 0.0 && seconds <= PHASE_SECONDS_MAX => {
                Some(ms::duration(seconds * 1000.0))
            }
            Some(_) => {
                self.bad_value(key, node, Phrase::PhaseRange);
                None
            }
            None => {
                self.bad_value(key, node, Phrase::PhaseLength);
                None
            }
        }
    }
}
