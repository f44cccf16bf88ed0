//! The tags of a user's samples: run, scenario, group, and those the script adds.

use loadline_metrics::{Shard, TagSetId};

use super::{RunSettings, ScenarioSettings};

/// A user's tags. The interned set is kept until something changes.
#[derive(Debug, Default)]
pub(crate) struct VuTags {
    /// In order of precedence, weakest first; a later value of a key replaces an earlier.
    tags: Vec<(String, String)>,
    group: Option<String>,
    interned: Option<TagSetId>,
}

impl VuTags {
    /// The tags of a user outside any scenario.
    pub(crate) fn new(settings: &RunSettings) -> Self {
        let grouped = settings.system_tags.contains("group");
        Self {
            tags: settings.run_tags.clone(),
            group: grouped.then(String::new),
            interned: None,
        }
    }

    /// The tags of a user in `scenario`.
    pub(crate) fn enter(&mut self, settings: &RunSettings, scenario: &ScenarioSettings) {
        *self = Self::new(settings);
        if settings.system_tags.contains("scenario") {
            self.set("scenario", &scenario.name);
        }
        for (key, value) in &scenario.tags {
            self.set(key, value);
        }
    }

    /// Sets one tag. That of the group is where the user is: groups opened later are below it.
    pub(crate) fn set(&mut self, key: &str, value: &str) {
        self.changed();
        if let ("group", Some(group)) = (key, &mut self.group) {
            value.clone_into(group);
            return;
        }
        match self.tags.iter_mut().find(|(k, _)| k == key) {
            Some(pair) => value.clone_into(&mut pair.1),
            None => self.tags.push((key.to_owned(), value.to_owned())),
        }
    }

    /// Takes one tag away.
    pub(crate) fn remove(&mut self, key: &str) {
        self.changed();
        self.tags.retain(|(k, _)| k != key);
    }

    /// The tags scripts see in `exec.vu.tags`, the group among them.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&str, &str)> {
        let group = self.group.as_deref().map(|group| ("group", group));
        self.tags
            .iter()
            .map(|(key, value)| (key.as_str(), value.as_str()))
            .chain(group)
    }

    /// Goes to another group; gives back the one left. The root is empty.
    pub(crate) fn set_group(&mut self, path: String) -> String {
        self.changed();
        match &mut self.group {
            Some(group) => std::mem::replace(group, path),
            None => String::new(),
        }
    }

    /// The path of the present group.
    pub(crate) fn group(&self) -> &str {
        self.group.as_deref().unwrap_or_default()
    }

    /// The interned set.
    pub(crate) fn set_id(&mut self, shard: &mut Shard) -> TagSetId {
        if let Some(id) = self.interned {
            return id;
        }
        let pairs: Vec<(&str, &str)> = self.all().collect();
        let id = shard.tags.extend(TagSetId::EMPTY, &pairs);
        self.interned = Some(id);
        id
    }

    fn changed(&mut self) {
        self.interned = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entering_a_scenario_takes_the_scripts_own_tags_away() {
        let settings = RunSettings {
            run_tags: vec![("team".to_owned(), "a".to_owned())],
            system_tags: ["group", "scenario"].map(str::to_owned).into(),
            ..RunSettings::default()
        };
        let mut tags = VuTags::new(&settings);
        tags.set("mine", "1");
        tags.set_group("::g".to_owned());
        let scenario = ScenarioSettings {
            name: "s".to_owned(),
            ..ScenarioSettings::default()
        };
        tags.enter(&settings, &scenario);
        let all: Vec<_> = tags.all().collect();
        assert_eq!(all, [("team", "a"), ("scenario", "s"), ("group", "")]);
    }

    #[test]
    fn a_script_that_sets_the_tag_of_the_group_replaces_it() {
        let mut tags = VuTags::new(&RunSettings {
            system_tags: ["group".to_owned()].into(),
            ..RunSettings::default()
        });
        tags.set("group", "mine");
        assert_eq!(tags.all().collect::<Vec<_>>(), [("group", "mine")]);
        assert_eq!(tags.group(), "mine");
    }
}
