//! Artillery files. Its arrival rates are whole virtual users per second, so a level is
//! held with `arrivalCount`, which is exact below one per second too.

use std::fmt::Write;

use loadline_text::{Catalog, Message, plan};

use super::{
    BREAKPOINT, GeneratedFile, Kind, LOAD, SMOKE, SOAK, SPIKE, STRESS, TestSpec, at_least, planned,
};
use crate::feature::FeatureLoad;
use crate::plan_file::PlannedTest;

/// All tests of a plan with comments in the catalogue's language, and what each is meant to
/// offer.
#[must_use]
pub fn files(spec: &TestSpec, catalog: &Catalog) -> (Vec<GeneratedFile>, Vec<PlannedTest>) {
    let everything: Vec<_> = spec.loads.iter().zip(&spec.samples).collect();
    let mut files = vec![smoke(spec, catalog)];
    // Offers nothing that was planned.
    let mut tests = vec![planned("smoke.yml", 0.0)];
    for kind in [LOAD, STRESS, SPIKE, SOAK, BREAKPOINT] {
        let name = format!("{}.yml", kind.name);
        let mut text = head(spec, kind.name, &(kind.about)(), catalog);
        text.push_str(&phases(&levels(spec, kind)));
        text.push_str(&ensure(spec.p95, spec.errors));
        text.push_str(&weighted(&everything));
        tests.push(planned(&name, spec.peak_rate * kind.times));
        files.push(GeneratedFile { name, text });
    }
    for (load, samples) in &everything {
        let name = format!("api-{}.yml", load.feature.name);
        let about = plan::test_about_api();
        let mut text = head(spec, name.trim_end_matches(".yml"), &about, catalog);
        text.push_str(&phases(&[Level::Hold(spec.hold, load.peak_rate)]));
        let feature = &load.feature;
        text.push_str(&ensure(spec.p95_of(feature), spec.errors_of(feature)));
        text.push_str(&weighted(&[(*load, *samples)]));
        tests.push(planned(&name, load.peak_rate));
        files.push(GeneratedFile { name, text });
    }
    files.push(flow(spec, &everything, catalog));
    tests.push(PlannedTest {
        file: "user-flow.yml".to_owned(),
        peak_rate: spec.peak_rate,
        requests_per_iteration: spec.requests_per_iteration as f64,
        think_time_s: spec.think,
    });
    (files, tests)
}

/// A part of the load: seconds, and users per second.
enum Level {
    Hold(f64, f64),
    Ramp(f64, f64, f64),
}

fn levels(spec: &TestSpec, kind: Kind) -> Vec<Level> {
    let peak = spec.peak_rate;
    let ramp = (spec.hold / 5.0).clamp(5.0, 60.0);
    match kind.name {
        "stress" => {
            let hold = spec.hold / 4.0;
            let held = [1.0, 1.5, 2.0, 3.0].map(|times| Level::Hold(hold, peak * times));
            held.into_iter().collect()
        }
        "spike" => vec![
            Level::Hold(ramp, peak * 0.5),
            Level::Hold((spec.hold / 5.0).max(30.0), peak * kind.times),
            Level::Hold(ramp, peak * 0.5),
        ],
        "soak" => vec![Level::Hold(
            (spec.hold * 12.0).max(3600.0),
            peak * kind.times,
        )],
        "breakpoint" => vec![Level::Ramp(
            (spec.hold * 2.0).max(600.0),
            0.0,
            peak * kind.times,
        )],
        _ => vec![Level::Ramp(ramp, 0.0, peak), Level::Hold(spec.hold, peak)],
    }
}

/// A text in double quotes, which YAML reads as JSON does.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A comment on requests that should have a body and have none; empty where all have theirs.
fn bodies_missing(spec: &TestSpec, catalog: &Catalog) -> String {
    let features = spec.without_body();
    if features.is_empty() {
        return String::new();
    }
    let told = catalog.text(&plan::tests_without_body(features.join(", ")));
    format!("# {told}\n")
}

fn head(spec: &TestSpec, name: &str, about: &Message, catalog: &Catalog) -> String {
    let by = catalog.text(&plan::test_written_by(name, catalog.text(about)));
    let bare = bodies_missing(spec, catalog);
    format!(
        "# {by}\n{bare}\
         config:\n\
         \x20 target: {}\n",
        quoted(&spec.target)
    )
}

fn phases(levels: &[Level]) -> String {
    let mut text = String::from("  phases:\n");
    for level in levels {
        let _ = match level {
            Level::Hold(length, rate) => writeln!(
                text,
                "    - duration: {}\n      arrivalCount: {}",
                at_least(*length, 1),
                at_least((rate * length).round(), 1)
            ),
            Level::Ramp(length, from, to) => writeln!(
                text,
                "    - duration: {}\n      arrivalRate: {}\n      rampTo: {}",
                at_least(*length, 1),
                at_least(from.round(), 1),
                at_least(to.round(), 1)
            ),
        };
    }
    text
}

fn ensure(p95: f64, errors: f64) -> String {
    format!(
        "  plugins:\n    ensure: {{}}\n  ensure:\n    maxErrorRate: {}\n    thresholds:\n      - http.response_time.p95: {}\n",
        errors * 100.0,
        super::k6::trimmed(p95 * 1000.0)
    )
}

fn request(load: &FeatureLoad, samples: &[String], indent: &str) -> String {
    let feature = &load.feature;
    let path = samples.first().unwrap_or(&feature.path);
    // Templates that were never seen filled get a number.
    let mut url = path.clone();
    if let Some((before, rest)) = path.split_once('{')
        && let Some((_, after)) = rest.split_once('}')
    {
        url = format!("{before}{{{{ $randomNumber(1, 1000) }}}}{after}");
    }
    let mut text = format!(
        "{indent}- {}:\n{indent}    url: {}\n{indent}    name: {}\n",
        feature.method.to_ascii_lowercase(),
        quoted(&url),
        quoted(&feature.name)
    );
    if let Some(body) = &feature.body {
        let _ = write!(
            text,
            "{indent}    headers:\n{indent}      content-type: application/json\n{indent}    body: {}\n",
            quoted(body)
        );
    }
    text
}

fn weighted(loads: &[(&FeatureLoad, &Vec<String>)]) -> String {
    let mut text = String::from("scenarios:\n");
    for (load, samples) in loads {
        let _ = write!(
            text,
            "  - name: {}\n    weight: {}\n    flow:\n{}",
            quoted(&load.feature.name),
            at_least((load.share * 1000.0).round(), 1),
            request(load, samples, "      ")
        );
    }
    text
}

fn smoke(spec: &TestSpec, catalog: &Catalog) -> GeneratedFile {
    let mut text = head(spec, SMOKE, &plan::test_about_smoke(), catalog);
    text.push_str("  phases:\n    - duration: 1\n      arrivalCount: 3\n");
    text.push_str("  plugins:\n    ensure: {}\n  ensure:\n    maxErrorRate: 0\n");
    let everything: Vec<_> = spec.loads.iter().zip(&spec.samples).collect();
    text.push_str("scenarios:\n");
    text.push_str(&in_turn("flow", everything.iter(), 0.0));
    GeneratedFile {
        name: "smoke.yml".to_owned(),
        text,
    }
}

fn in_turn<'a>(
    name: &str,
    loads: impl Iterator<Item = &'a (&'a FeatureLoad, &'a Vec<String>)>,
    think: f64,
) -> String {
    let mut text = format!("  - name: {}\n    flow:\n", quoted(name));
    for (load, samples) in loads {
        text.push_str(&request(load, samples, "      "));
    }
    if think > 0.0 {
        let _ = writeln!(text, "      - think: {think}");
    }
    text
}

fn flow(
    spec: &TestSpec,
    everything: &[(&FeatureLoad, &Vec<String>)],
    catalog: &Catalog,
) -> GeneratedFile {
    let about = plan::test_about_open_flow();
    let mut text = head(spec, "user-flow", &about, catalog);
    let requests = spec.requests_per_iteration;
    let arrivals = spec.peak_rate / requests as f64;
    text.push_str(&phases(&[Level::Hold(spec.hold, arrivals)]));
    text.push_str(&ensure(spec.p95, spec.errors));
    text.push_str("scenarios:\n");
    // Where one flow does not make each call equally often, others begin where it ends.
    let mut starts: Vec<usize> = (0..everything.len())
        .map(|flow| flow * requests % everything.len())
        .collect();
    starts.sort_unstable();
    starts.dedup();
    for start in &starts {
        let name = match starts.len() {
            1 => "flow".to_owned(),
            _ => format!("flow-{}", start + 1),
        };
        let calls = everything.iter().cycle().skip(*start).take(requests);
        text.push_str(&in_turn(&name, calls, spec.think));
    }
    GeneratedFile {
        name: "user-flow.yml".to_owned(),
        text,
    }
}
