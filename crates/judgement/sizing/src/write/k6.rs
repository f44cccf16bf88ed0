//! k6 scripts. Each stands alone, so that it can be moved; `BASE_URL`, `HOLD` and `RAMP`
//! are environment variables with the plan's values as defaults.

use std::fmt::Write;

use loadline_text::{Catalog, Message, plan};

use super::{
    BREAKPOINT, GeneratedFile, Kind, LOAD, SMOKE, SOAK, SPIKE, STRESS, TestSpec, at_least, length,
    planned, whole_rate,
};
use crate::feature::{Feature, FeatureLoad};
use crate::plan_file::PlannedTest;

/// All tests of a plan with comments in the catalogue's language, and what each is meant to
/// offer.
#[must_use]
pub fn files(spec: &TestSpec, catalog: &Catalog) -> (Vec<GeneratedFile>, Vec<PlannedTest>) {
    let mut files = vec![smoke(spec, catalog)];
    // Offers nothing that was planned.
    let mut tests = vec![planned("smoke.js", 0.0)];
    for kind in [LOAD, STRESS, SPIKE, SOAK, BREAKPOINT] {
        files.push(open(spec, kind, catalog));
        tests.push(planned(
            &format!("{}.js", kind.name),
            spec.peak_rate * kind.times,
        ));
    }
    for (load, samples) in spec.loads.iter().zip(&spec.samples) {
        let file = per_api(spec, load, samples, catalog);
        tests.push(planned(&file.name, load.peak_rate));
        files.push(file);
    }
    files.push(flow(spec, catalog));
    tests.push(PlannedTest {
        file: "user-flow.js".to_owned(),
        peak_rate: spec.peak_rate,
        requests_per_iteration: spec.requests_per_iteration as f64,
        think_time_s: spec.think,
    });
    (files, tests)
}

/// A comment on requests that should have a body and have none; empty where all have theirs.
fn bodies_missing(spec: &TestSpec, catalog: &Catalog) -> String {
    let features = spec.without_body();
    if features.is_empty() {
        return String::new();
    }
    let told = catalog.text(&plan::tests_without_body(features.join(", ")));
    format!("// {told}\n")
}

fn head(name: &str, about: &Message, spec: &TestSpec, imports: &str, catalog: &Catalog) -> String {
    let by = catalog.text(&plan::test_written_by(name, catalog.text(about)));
    let bare = bodies_missing(spec, catalog);
    format!(
        "// {by}\n{bare}\
         import http from 'k6/http';\n\
         import {{ {imports} }} from 'k6';\n\
         \n\
         const BASE_URL = __ENV.BASE_URL || {};\n",
        quoted(&spec.target)
    )
}

/// A text as a JavaScript literal. JSON's are, but for what would end a script block.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text)
        .to_string()
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

/// The request functions and the weighted choice among them.
fn requests<'a>(loads: impl Iterator<Item = (&'a FeatureLoad, &'a Vec<String>)>) -> String {
    let mut text = String::from("\nconst CALLS = [\n");
    for (load, samples) in loads {
        let Feature {
            name,
            method,
            path,
            body,
            ..
        } = &load.feature;
        let paths = if samples.is_empty() {
            vec![path.clone()]
        } else {
            samples.clone()
        };
        let paths: Vec<String> = paths.iter().map(|path| quoted(path)).collect();
        let body = body.as_ref().map_or("null".to_owned(), |body| quoted(body));
        let _ = writeln!(
            text,
            "  {{ name: {}, method: {}, paths: [{}], body: {body}, weight: {:.6} }},",
            quoted(name),
            quoted(method),
            paths.join(", "),
            load.share
        );
    }
    text.push_str(
        "];\n\
         \n\
         function send(call) {\n\
         \x20 const path = call.paths[Math.floor(Math.random() * call.paths.length)]\n\
         \x20   .replace(/\\{[^}]*\\}/g, () => String(1 + Math.floor(Math.random() * 1000)));\n\
         \x20 const res = http.request(call.method, BASE_URL + path, call.body, {\n\
         \x20   headers: call.body === null ? {} : { 'Content-Type': 'application/json' },\n\
         \x20   tags: { name: call.name },\n\
         \x20 });\n\
         \x20 check(res, { [`${call.name}: status is 2xx or 3xx`]: (r) => r.status >= 200 && r.status < 400 });\n\
         }\n",
    );
    text
}

const CHOICE: &str = "\n\
    const WHOLE = CALLS.reduce((sum, call) => sum + call.weight, 0);\n\
    \n\
    export default function () {\n\
    \x20 let left = Math.random() * WHOLE;\n\
    \x20 send(CALLS.find((call) => (left -= call.weight) < 0) || CALLS[CALLS.length - 1]);\n\
    }\n";

/// Goals as thresholds; with `abort` the run ends when one is crossed.
fn thresholds(spec: &TestSpec, abort: bool) -> String {
    let judged = |expression: String| {
        let quoted = quoted(&expression);
        if abort {
            format!("{{ threshold: {quoted}, abortOnFail: true, delayAbortEval: '10s' }}")
        } else {
            quoted
        }
    };
    let mut text = String::from("  thresholds: {\n");
    let rate = |errors: f64| {
        if errors > 0.0 {
            format!("rate<{}", trimmed(errors))
        } else {
            "rate==0".to_owned()
        }
    };
    let p95 = |seconds: f64| format!("p(95)<{}", trimmed(seconds * 1000.0));
    let _ = writeln!(
        text,
        "    http_req_failed: [{}],",
        judged(rate(spec.errors))
    );
    let _ = writeln!(text, "    http_req_duration: [{}],", judged(p95(spec.p95)));
    for load in &spec.loads {
        let feature = &load.feature;
        if feature.p95.is_some() {
            let metric = quoted(&format!("http_req_duration{{name:{}}}", feature.name));
            let _ = writeln!(
                text,
                "    {metric}: [{}],",
                judged(p95(spec.p95_of(feature)))
            );
        }
        if feature.errors.is_some() {
            let metric = quoted(&format!("http_req_failed{{name:{}}}", feature.name));
            let _ = writeln!(
                text,
                "    {metric}: [{}],",
                judged(rate(spec.errors_of(feature)))
            );
        }
    }
    text.push_str("  },\n");
    text
}

pub(super) fn trimmed(value: f64) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn smoke(spec: &TestSpec, catalog: &Catalog) -> GeneratedFile {
    let about = plan::test_about_smoke();
    let mut text = head(SMOKE, &about, spec, "check", catalog);
    let _ = write!(
        text,
        "\nexport const options = {{\n\
         \x20 scenarios: {{\n\
         \x20   smoke: {{ executor: 'shared-iterations', vus: 1, iterations: 3, maxDuration: '1m' }},\n\
         \x20 }},\n\
         \x20 thresholds: {{ checks: ['rate==1'], http_req_failed: ['rate==0'] }},\n\
         }};\n"
    );
    text.push_str(&requests(spec.loads.iter().zip(&spec.samples)));
    text.push_str("\nexport default function () {\n  CALLS.forEach(send);\n}\n");
    GeneratedFile {
        name: "smoke.js".to_owned(),
        text,
    }
}

/// Users that are ready, and at most: those of Little's law with room, and those it takes
/// when every answer comes late.
fn users(spec: &TestSpec, rate: f64) -> (u64, u64) {
    let ready = at_least(rate * spec.p95 * 2.0, 5).min(5_000);
    let most = at_least(rate * (spec.p95 * 10.0).max(2.0), 20).min(20_000);
    (ready, most.max(ready))
}

/// A stage: how long (a JavaScript expression) and where to.
type Stage = (&'static str, u64);

fn open(spec: &TestSpec, kind: Kind, catalog: &Catalog) -> GeneratedFile {
    let (peak, unit) = whole_rate(spec.peak_rate * kind.times);
    let part = |times: f64| {
        #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
        let part = peak as f64 * times / kind.times;
        at_least(part.round(), 1)
    };
    let stages: Vec<Stage> = match kind.name {
        "load" => vec![("RAMP", peak), ("HOLD", peak)],
        "stress" => [1.0, 1.5, 2.0, 3.0]
            .iter()
            .flat_map(|times| [("RAMP", part(*times)), ("HOLD", part(*times))])
            .collect(),
        "spike" => vec![
            ("RAMP", part(0.5)),
            ("'10s'", peak),
            ("HOLD", peak),
            ("'10s'", part(0.5)),
            ("RAMP", part(0.5)),
        ],
        "breakpoint" => vec![("HOLD", peak)],
        _ => vec![("RAMP", peak), ("HOLD", peak)],
    };
    let hold = match kind.name {
        "stress" => spec.hold / 4.0,
        "spike" => (spec.hold / 5.0).max(30.0),
        "soak" => (spec.hold * 12.0).max(3600.0),
        "breakpoint" => (spec.hold * 2.0).max(600.0),
        _ => spec.hold,
    };
    let (ready, most) = users(spec, spec.peak_rate * kind.times);
    let mut text = head(kind.name, &(kind.about)(), spec, "check", catalog);
    let _ = write!(
        text,
        "const RAMP = __ENV.RAMP || '{}';\n\
         const HOLD = __ENV.HOLD || '{}';\n\
         \n\
         export const options = {{\n\
         \x20 scenarios: {{\n\
         \x20   {}: {{\n\
         \x20     executor: 'ramping-arrival-rate', // {open}\n\
         \x20     startRate: 0,\n\
         \x20     timeUnit: '{unit}',\n\
         \x20     preAllocatedVUs: {ready},\n\
         \x20     maxVUs: {most},\n\
         \x20     stages: [\n",
        length((hold / 5.0).clamp(5.0, 60.0)),
        length(hold),
        kind.name,
        open = catalog.text(&plan::test_open_model()),
    );
    for (how_long, target) in stages {
        let _ = writeln!(
            text,
            "        {{ duration: {how_long}, target: {target} }},"
        );
    }
    text.push_str("      ],\n    },\n  },\n");
    text.push_str(&thresholds(spec, kind.name == "breakpoint"));
    text.push_str("};\n");
    text.push_str(&requests(spec.loads.iter().zip(&spec.samples)));
    text.push_str(CHOICE);
    GeneratedFile {
        name: format!("{}.js", kind.name),
        text,
    }
}

fn per_api(
    spec: &TestSpec,
    load: &FeatureLoad,
    samples: &Vec<String>,
    catalog: &Catalog,
) -> GeneratedFile {
    let name = format!("api-{}.js", load.feature.name);
    let (rate, unit) = whole_rate(load.peak_rate);
    let (ready, most) = users(spec, load.peak_rate);
    let about = plan::test_about_api();
    let test = name.trim_end_matches(".js");
    let mut text = head(test, &about, spec, "check", catalog);
    let only = TestSpec {
        p95: spec.p95_of(&load.feature),
        errors: spec.errors_of(&load.feature),
        loads: Vec::new(),
        ..spec.clone()
    };
    let _ = write!(
        text,
        "const HOLD = __ENV.HOLD || '{}';\n\
         \n\
         export const options = {{\n\
         \x20 scenarios: {{\n\
         \x20   api: {{ executor: 'constant-arrival-rate', rate: {rate}, timeUnit: '{unit}', duration: HOLD, preAllocatedVUs: {ready}, maxVUs: {most} }},\n\
         \x20 }},\n{}}};\n",
        length(spec.hold),
        thresholds(&only, false)
    );
    text.push_str(&requests(std::iter::once((load, samples))));
    text.push_str("\nexport default function () {\n  send(CALLS[0]);\n}\n");
    GeneratedFile { name, text }
}

/// The function of an iteration up to its thinking: the calls in turn, as many as one iteration
/// makes. Where these are not all of them, a user goes on with the next one.
fn in_turn(spec: &TestSpec) -> String {
    let requests = spec.requests_per_iteration;
    if requests == spec.loads.len() {
        return "\nexport default function () {\n  CALLS.forEach(send);\n".to_owned();
    }
    format!(
        "\nlet calls = 0;\n\
         \n\
         export default function () {{\n\
         \x20 for (let request = 0; request < {requests}; request += 1) {{\n\
         \x20   send(CALLS[calls % CALLS.length]);\n\
         \x20   calls += 1;\n\
         \x20 }}\n"
    )
}

fn flow(spec: &TestSpec, catalog: &Catalog) -> GeneratedFile {
    let about = plan::test_about_closed_flow();
    let mut text = head("user-flow", &about, spec, "check, sleep", catalog);
    let users = at_least(spec.users, 1);
    let think = trimmed(spec.think);
    let ceiling = catalog.text(&plan::test_flow_ceiling(
        users,
        spec.requests_per_iteration,
        &think,
    ));
    let goal = format!("{:.1}/s", spec.flow_ceiling(spec.p95));
    let reached = catalog.text(&if spec.think > 0.0 {
        let best = format!("{:.1}/s", spec.flow_ceiling(0.0));
        plan::test_flow_best(best, goal, trimmed(spec.p95))
    } else {
        plan::test_flow_unbounded(goal, trimmed(spec.p95))
    });
    let seconds = catalog.text(&plan::test_seconds());
    let _ = write!(
        text,
        "const HOLD = __ENV.HOLD || '{}';\n\
         const RAMP = __ENV.RAMP || '{}';\n\
         const THINK = Number(__ENV.THINK || {think}); // {seconds}\n\
         \n\
         // {ceiling}\n\
         // {reached}\n\
         export const options = {{\n\
         \x20 scenarios: {{\n\
         \x20   flow: {{ executor: 'ramping-vus', startVUs: 0, stages: [{{ duration: RAMP, target: {users} }}, {{ duration: HOLD, target: {users} }}] }},\n\
         \x20 }},\n{}}};\n",
        length(spec.hold),
        length((spec.hold / 5.0).clamp(5.0, 60.0)),
        thresholds(spec, false),
    );
    text.push_str(&requests(spec.loads.iter().zip(&spec.samples)));
    text.push_str(&in_turn(spec));
    text.push_str("  sleep(THINK * (0.8 + 0.4 * Math.random()));\n}\n");
    GeneratedFile {
        name: "user-flow.js".to_owned(),
        text,
    }
}
