//! A load plan as text, as JSON, and compared with the run made from it.

pub mod document;

use std::fmt::Write;

use loadline_sizing::{
    Deviation, FigureUnit, LoadPlan, NoteKind, PlanFigure, Setting, SettingScope, SettingsBlock,
};
use loadline_text::{Catalog, Message, plan, significant};
use serde_json::{Value, json};

/// The whole plan: figures with their reasons, then blocks of settings to paste.
#[must_use]
pub fn text(load: &LoadPlan, catalog: &Catalog) -> String {
    let mut text = String::new();
    if !load.figures.is_empty() {
        let _ = writeln!(text, "{}", catalog.text(&plan::heading_load()));
        figures(&mut text, &load.figures, catalog);
    }
    for block in &load.blocks {
        if !text.is_empty() {
            text.push('\n');
        }
        let instances = FigureUnit::Count.show(block.instances);
        let _ = writeln!(text, "{}", catalog.text(&plan::heading_settings(instances)));
        figures(&mut text, &block.figures, catalog);
        text.push('\n');
        text.push_str(&paste(block, catalog));
    }
    if let Some(missing) = &load.settings_missing {
        let _ = writeln!(text, "\n{}", catalog.text(missing));
    }
    text
}

/// Figures under each other, the results in one column.
fn figures(text: &mut String, figures: &[PlanFigure], catalog: &Catalog) {
    let labels: Vec<String> = figures.iter().map(|f| catalog.text(&f.label)).collect();
    let widths = labels.iter().map(|label| width(label));
    let widest = widths.max().unwrap_or(0);
    let assumes = catalog.text(&plan::label_assumes());
    let doubts = catalog.text(&plan::label_doubts());
    let mut said: Vec<&Message> = Vec::new();
    for (figure, label) in figures.iter().zip(&labels) {
        let padding = " ".repeat(widest - width(label));
        let shown = figure.shown();
        let result = if figure.unit == FigureUnit::Holds {
            format!("{} {shown}", figure.formula)
        } else if figure.formula == shown {
            shown
        } else {
            format!("{} {} {shown}", figure.formula, figure.relation())
        };
        let _ = write!(text, "  {label}{padding}  {result}");
        if let Some(source) = figure.source {
            let _ = write!(text, "   [{source}]");
        }
        text.push('\n');
        for note in &figure.notes {
            // Each assumption is shown once: repeating it under four figures would hide the others.
            if said.contains(&&note.text) {
                continue;
            }
            said.push(&note.text);
            let kind = match note.kind {
                NoteKind::Assumes => &assumes,
                NoteKind::Doubts => &doubts,
            };
            let _ = writeln!(text, "      {kind}: {}", catalog.text(&note.text));
        }
    }
}

fn width(text: &str) -> usize {
    unicode_width::UnicodeWidthStr::width(text)
}

/// A block of settings in the format of the file.
fn paste(block: &SettingsBlock, catalog: &Catalog) -> String {
    let mut text = String::new();
    let of = |place: SettingScope| {
        let settings = block.settings.iter();
        settings.filter(move |setting| setting.place == place)
    };
    let _ = writeln!(
        text,
        "# application.yml. {}",
        catalog.text(&plan::settings_are_a_start())
    );
    let mut open: Vec<&str> = Vec::new();
    for setting in of(SettingScope::Application) {
        yaml_line(&mut text, &mut open, setting, catalog);
    }
    if of(SettingScope::Jvm).next().is_some() {
        for setting in of(SettingScope::Jvm) {
            let flag = format!("{}{}", setting.key, setting.value);
            let _ = writeln!(text, "# {flag}: {}", reason(setting, catalog));
        }
        let flags: Vec<String> = of(SettingScope::Jvm)
            .map(|setting| format!("{}{}", setting.key, setting.value))
            .collect();
        let _ = writeln!(text, "JAVA_TOOL_OPTIONS=\"{}\"", flags.join(" "));
    }
    text
}

/// A line of nested YAML, after those of its parents that are not open yet.
fn yaml_line<'a>(
    text: &mut String,
    open: &mut Vec<&'a str>,
    setting: &'a Setting,
    catalog: &Catalog,
) {
    let parts: Vec<&str> = setting.key.split('.').collect();
    let (name, parents) = parts.split_last().unwrap_or((&setting.key, &[]));
    let shared = open.iter().zip(parents).take_while(|(a, b)| a == b).count();
    open.truncate(shared);
    for parent in &parents[shared..] {
        let _ = writeln!(text, "{}{parent}:", "  ".repeat(open.len()));
        open.push(parent);
    }
    let line = format!("{}{name}: {}", "  ".repeat(open.len()), setting.value);
    let _ = writeln!(text, "{line:<36} # {}", reason(setting, catalog));
}

/// What speaks for a setting, in one line.
fn reason(setting: &Setting, catalog: &Catalog) -> String {
    let reasons = setting.reasons.iter().map(|reason| catalog.text(reason));
    reasons.collect::<Vec<_>>().join("; ")
}

/// The whole plan for programs. Texts are in the catalogue's language, keys never change.
#[must_use]
pub fn json(load: &LoadPlan, catalog: &Catalog) -> Value {
    let figure = |figure: &PlanFigure| {
        let notes: Vec<Value> = figure
            .notes
            .iter()
            .map(|note| {
                let kind = match note.kind {
                    NoteKind::Assumes => "assumes",
                    NoteKind::Doubts => "doubts",
                };
                json!({"kind": kind, "key": note.text.key(), "text": catalog.text(&note.text)})
            })
            .collect();
        json!({
            "id": figure.id,
            "label": catalog.text(&figure.label),
            "value": figure.value,
            "unit": figure.unit.name(),
            "shown": figure.shown(),
            "formula": figure.formula,
            "source": figure.source,
            "notes": notes,
        })
    };
    let blocks: Vec<Value> = load
        .blocks
        .iter()
        .map(|block| {
            let settings: Vec<Value> = block
                .settings
                .iter()
                .map(|setting| {
                    let place = match setting.place {
                        SettingScope::Application => "application.yml",
                        SettingScope::Jvm => "jvm",
                    };
                    json!({"in": place, "key": setting.key, "value": setting.value, "reason": reason(setting, catalog)})
                })
                .collect();
            let figures: Vec<Value> = block.figures.iter().map(figure).collect();
            json!({"instances": block.instances, "figures": figures, "settings": settings})
        })
        .collect();
    let features: Vec<Value> = load
        .features
        .iter()
        .map(|load| {
            let feature = &load.feature;
            json!({
                "name": feature.name, "method": feature.method, "path": feature.path,
                "share": load.share, "peak_rate": load.peak_rate,
                "p95_s": feature.p95, "error_rate": feature.errors,
            })
        })
        .collect();
    let inputs: serde_json::Map<String, Value> = load
        .inputs
        .written
        .iter()
        .map(|(name, text)| (name.clone(), Value::from(text.as_str())))
        .collect();
    json!({
        "inputs": inputs,
        "figures": load.figures.iter().map(figure).collect::<Vec<_>>(),
        "features": features,
        "blocks": blocks,
    })
}

fn rate(value: f64) -> String {
    FigureUnit::PerSecond.show(value)
}

/// The lines before a run that compare the test with its plan.
#[must_use]
pub fn before(deviation: &Deviation, catalog: &Catalog) -> Vec<String> {
    let (offered, planned) = (rate(deviation.offered), rate(deviation.planned));
    let mut lines = Vec::new();
    if let Some((at_goal, at_best)) = deviation.ceiling {
        let best = if at_best.is_finite() {
            rate(at_best)
        } else {
            "∞".to_owned()
        };
        if deviation.is_out_of_reach() {
            lines.push(catalog.text(&plan::run_out_of_reach(best, planned)));
            return lines;
        }
        lines.push(catalog.text(&plan::run_ceiling(rate(at_goal), best, &planned)));
    }
    lines.push(if deviation.is_same() {
        catalog.text(&plan::run_is_planned(offered, planned))
    } else {
        catalog.text(&plan::run_differs(offered, planned, times(deviation)))
    });
    lines
}

/// The line after a run that compares the load sent in so many of its seconds, the busiest, with the plan.
#[must_use]
pub fn after(deviation: &Deviation, seconds: usize, catalog: &Catalog) -> String {
    let (sent, planned) = (rate(deviation.offered), rate(deviation.planned));
    if deviation.is_same() {
        catalog.text(&plan::run_sent_planned(sent, planned, seconds))
    } else {
        catalog.text(&plan::run_sent_differs(
            sent,
            planned,
            times(deviation),
            seconds,
        ))
    }
}

fn times(deviation: &Deviation) -> String {
    significant(deviation.ratio())
}

#[cfg(test)]
mod tests {
    use super::*;
    use loadline_sizing::PlanInputs;
    use loadline_text::Lang;

    fn case_c() -> LoadPlan {
        let mut inputs = PlanInputs::default();
        inputs
            .read([
                ("dau", "10000"),
                ("requests-per-user", "5"),
                ("peak-factor", "10"),
                ("response-time", "100ms,500ms"),
                ("think-time", "1s"),
                ("cores", "2"),
                ("memory", "2GiB"),
                ("service-time", "40ms"),
                ("measured-response", "73.52ms"),
                ("db-max-connections", "100"),
                ("instances", "1,3"),
            ])
            .unwrap();
        LoadPlan::from_inputs(&inputs).unwrap()
    }

    #[test]
    fn a_plan_shows_every_figure_with_its_reasons() {
        insta::assert_snapshot!("plan_en", text(&case_c(), &Catalog::new(Lang::En)));
        insta::assert_snapshot!("plan_ko", text(&case_c(), &Catalog::new(Lang::Ko)));
    }

    #[test]
    fn a_plan_as_json_keeps_numbers_and_keys() {
        let json = json(&case_c(), &Catalog::new(Lang::En));
        let peak = &json["figures"][1];
        assert_eq!(peak["id"], "peak-rate");
        assert!((peak["value"].as_f64().unwrap() - 5.787).abs() < 0.001);
        assert_eq!(json["blocks"][1]["instances"], 3.0);
        assert_eq!(json["inputs"]["dau"], "10000");
    }

    #[test]
    fn a_run_is_compared_with_its_plan_in_words() {
        let catalog = Catalog::new(Lang::En);
        let sent = Deviation::measured(5.787, 92.6);
        insta::assert_snapshot!(after(&sent, 10, &catalog), @"plan: 92.6/s sent in the busiest 10 s, 16.0 times the planned peak 5.79/s");
        let ceiling = Deviation {
            planned: 200.0,
            offered: 114.3,
            ceiling: Some((114.3, 160.0)),
        };
        insta::assert_snapshot!(before(&ceiling, &catalog).join("\n"), @"plan: the script cannot exceed 160/s whatever the target does; the goal is 200/s. Add users or take an arrival rate");
    }
}
