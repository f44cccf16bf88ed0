//! Merges the options of all sources.
//!
//! Lowest precedence first: defaults, configuration file, script, environment, flags.

use std::collections::BTreeMap;

use super::error::{OptionsError, Warning};
use super::set::Options;
use super::sources::{ExtraSettings, OptionsLayer, ScriptOptions};
use super::values::{SummaryTrendStat, SystemTags, check_trend_stats};
use super::version::K6Version;

/// The options of all sources.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Layers {
    /// The configuration file's.
    pub config_file: OptionsLayer,
    /// The script's.
    pub script: ScriptOptions,
    /// The environment's.
    pub environment: OptionsLayer,
    /// The flags'.
    pub flags: OptionsLayer,
    /// Whether tags of all of them are merged name by name.
    pub merge_tags: bool,
    /// Whose rules hold.
    pub version: K6Version,
}

/// Merged options, defaults included.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ConsolidatedOptions {
    /// The options; system tags and trend statistics are always set.
    pub options: Options,
    /// Settings that are not options.
    pub extras: ExtraSettings,
    /// What to say, in k6's order.
    pub warnings: Vec<Warning>,
}

impl Layers {
    /// Merges the sources.
    ///
    /// # Errors
    /// [`OptionsError::TrendStat`] when the statistics that win are none.
    pub fn consolidate(self) -> Result<ConsolidatedOptions, OptionsError> {
        let mut warnings = self.script.warnings;
        let sources = [
            &self.config_file.options,
            &self.script.options,
            &self.environment.options,
            &self.flags.options,
        ];
        let merged = self.merge_tags.then(|| merged_tags(sources));
        let mut options = Options::default().under(self.config_file.options);
        let above = [
            ("script", self.script.options),
            ("env", self.environment.options),
            ("cli", self.flags.options),
        ];
        for (by, upper) in above {
            if options.scenarios.is_some() && upper.shapes_load() {
                warnings.push(Warning::ScenariosOverridden { by });
            }
            options = options.under(upper);
        }
        if let Some(merged) = merged {
            options.tags = merged;
        }
        options.version = self.version;
        options.system_tags.get_or_insert_with(SystemTags::default);
        let stats = options
            .summary_trend_stats
            .get_or_insert_with(|| SummaryTrendStat::DEFAULT.map(str::to_owned).to_vec());
        check_trend_stats(stats).map_err(OptionsError::TrendStat)?;
        let extras = self.config_file.extras.under(self.environment.extras);
        Ok(ConsolidatedOptions {
            options,
            extras: extras.under(self.flags.extras),
            warnings,
        })
    }
}

/// The tags of all sources, lowest first; the higher one wins on a name that both have.
fn merged_tags(sources: [&Options; 4]) -> Option<BTreeMap<String, String>> {
    let tags = sources
        .into_iter()
        .filter_map(|options| options.tags.clone());
    let merged: BTreeMap<String, String> = tags.flatten().collect();
    (!merged.is_empty()).then_some(merged)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn out(names: &[&str]) -> OptionsLayer {
        let out = Some(names.iter().map(|name| (*name).to_owned()).collect());
        OptionsLayer {
            options: Options::default(),
            extras: ExtraSettings {
                out,
                ..ExtraSettings::default()
            },
        }
    }

    #[test]
    fn outputs_of_the_highest_source_that_has_some_win() {
        let layers = Layers {
            config_file: out(&["json"]),
            environment: out(&["csv"]),
            flags: out(&[]),
            ..Layers::default()
        };
        let consolidated = layers.consolidate().unwrap();
        assert_eq!(consolidated.extras.out, Some(vec!["csv".to_owned()]));
    }
}
