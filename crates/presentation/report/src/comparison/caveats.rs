//! What keeps two sides from being alike, in words.

use loadline_analysis::compare::{Caveat, LoadChange, LoadChanges, SettingChange};
use loadline_text::{Catalog, Message, grouped, percent, records, significant};

use super::ComparisonFacts;

/// Changes of one run's load that are listed; a search makes many.
const CHANGES_MAX: usize = 4;
/// Settings of the target that are listed.
const SETTINGS_MAX: usize = 8;

pub(super) fn lines(caveat: &Caveat, facts: &ComparisonFacts, catalog: &Catalog) -> Vec<String> {
    let line = |message: Message| vec![catalog.text(&message)];
    match caveat {
        Caveat::OtherLoad { before, after } => line(records::compare_load(
            significant(*before),
            significant(*after),
        )),
        Caveat::LoadChanged { runs } => {
            let lines = runs.iter().map(|run| load_changed(run, catalog));
            lines.collect()
        }
        Caveat::OtherTest => line(records::compare_other_test()),
        Caveat::OtherMachine => line(records::compare_other_machine()),
        Caveat::OtherTarget { changes } => line(other_target(changes, catalog)),
        Caveat::OneSideObserved { before, .. } => {
            let side = if *before > 0 {
                &facts.before
            } else {
                &facts.after
            };
            line(records::compare_one_side_observed(side))
        }
        Caveat::NotValid { runs } => line(records::compare_not_valid(runs.join(", "), runs.len())),
        Caveat::SecondsLeft { before, after } => line(records::compare_seconds_left(
            &facts.before,
            *before,
            &facts.after,
            *after,
        )),
    }
}

/// That the target was set up differently, and how.
pub(crate) fn other_target(changes: &[SettingChange], catalog: &Catalog) -> Message {
    let listed = changes.iter().take(SETTINGS_MAX).map(|change| {
        let message = records::compare_setting(&change.name, &change.before, &change.after);
        catalog.text(&message)
    });
    let mut listed: Vec<String> = listed.collect();
    let more = changes.len().saturating_sub(SETTINGS_MAX);
    if more > 0 {
        listed.push(catalog.text(&records::compare_settings_more(more)));
    }
    records::compare_other_target(listed.join(", "))
}

fn load_changed(run: &LoadChanges, catalog: &Catalog) -> String {
    let listed = run.changes.iter().take(CHANGES_MAX);
    let mut changes: Vec<String> = listed.map(|change| load_change(change, catalog)).collect();
    let more = run.changes.len().saturating_sub(CHANGES_MAX);
    if more > 0 {
        changes.push(catalog.text(&records::compare_load_more(more)));
    }
    let changes = changes.join(", ");
    catalog.text(&records::compare_load_changed(&run.run, changes))
}

fn load_change(change: &LoadChange, catalog: &Catalog) -> String {
    let what = match (change.change.as_str(), change.to) {
        ("paused", _) => catalog.text(&records::load_paused()),
        ("resumed", _) => catalog.text(&records::load_resumed()),
        ("scaled", Some(share)) => catalog.text(&records::load_scaled(percent(share))),
        ("level", Some(level)) => catalog.text(&records::load_level(significant(level))),
        // Of a newer version of this program.
        (other, _) => other.to_owned(),
    };
    let by = match change.by.as_str() {
        "key" => catalog.text(&records::load_by_key()),
        "rest-api" => catalog.text(&records::load_by_rest_api()),
        "search" => catalog.text(&records::load_by_search()),
        other => other.to_owned(),
    };
    let at = grouped(change.at_seconds, 0);
    catalog.text(&records::compare_load_change(what, by, at))
}
