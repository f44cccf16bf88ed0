//! The modules scripts import, in scripts that run on the engine in a simulated world.
//! What is expected is what k6 prints for the same script.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "modules/beyond_k6.rs"]
mod beyond_k6;

#[path = "modules/encoding.rs"]
mod encoding;
#[path = "modules/execution.rs"]
mod execution;
#[path = "modules/shared_array.rs"]
mod shared_array;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, UNIX_EPOCH};

use loadline_engine::{EngineEnding, EngineEvent, EngineOptions, Observer, RunMetrics, simulated};
use loadline_k6::log::{Entry, LogSink};
use loadline_k6::{LoadError, LoadedScript, RunSettings, ScenarioSettings, ScriptSettings, load};
use loadline_metrics::{Merger, MetricValue, Registry, Submetrics};
use loadline_reactor::sim::World;
use loadline_testplan::Plan;
use loadline_testplan::draft::{ExecutorDraft, PlanDraft, ScenarioDraft};
use loadline_units::Time;

#[derive(Default)]
struct Lines(Mutex<Vec<String>>);

impl LogSink for Lines {
    fn log(&self, entry: Entry) {
        let mut lines = self.0.lock().unwrap();
        lines.push(match entry.level.as_str() {
            "info" => entry.message,
            level => format!("{level}: {}", entry.message),
        });
    }
}

struct Nobody;

impl Observer for Nobody {
    fn observe(&mut self, _: &EngineEvent<'_>, _: Time, _: &mut Merger) {}
}

/// How a script is run.
struct Run {
    vus: i64,
    iterations: i64,
    workers: usize,
    settings: RunSettings,
}

impl Run {
    fn once() -> Self {
        Self::new(1, 1, 1)
    }

    fn new(vus: i64, iterations: i64, workers: usize) -> Self {
        let scenario = ScenarioSettings {
            name: "default".to_owned(),
            executor: "shared-iterations".to_owned(),
            exec: "default".to_owned(),
            ..ScenarioSettings::default()
        };
        let settings = RunSettings {
            scenarios: vec![scenario],
            system_tags: ["scenario", "group", "check"].map(str::to_owned).into(),
            ..RunSettings::default()
        };
        Self {
            vus,
            iterations,
            workers,
            settings,
        }
    }
}

struct Ran {
    lines: Vec<String>,
    ending: EngineEnding,
    failed: bool,
    /// Metric, tags and value of each series.
    series: Vec<(String, String, Option<MetricValue>)>,
}

impl Ran {
    fn count(&self, metric: &str, tags: &str) -> f64 {
        let found = self
            .series
            .iter()
            .find(|(m, t, _)| m == metric && t == tags);
        match found {
            Some((_, _, Some(MetricValue::Counter(Some(sum))))) => sum.value(),
            _ => panic!("no {metric}{{{tags}}} in {:?}", self.series),
        }
    }
}

fn read(script: &str) -> (Arc<Lines>, Arc<Registry>, Result<LoadedScript, LoadError>) {
    let (lines, registry) = (Arc::new(Lines::default()), Arc::new(Registry::new()));
    let loaded = load(ScriptSettings {
        script: "-".to_owned(),
        working_dir: std::env::temp_dir(),
        stdin: Some(script.to_owned()),
        env: BTreeMap::new(),
        log: lines.clone(),
        registry: registry.clone(),
        isolate: false,
        wall_clock: || UNIX_EPOCH + Duration::from_secs(1_700_000_000),
        freezes_env: false,
        version: loadline_k6_options::K6Version::default(),
        memory_limit: None,
        modules: loadline_k6::RemoteModules::none(|| {
            UNIX_EPOCH + Duration::from_secs(1_700_000_000)
        }),
    });
    (lines, registry, loaded)
}

fn refused(script: &str) -> LoadError {
    match read(script).2 {
        Err(error) => error,
        Ok(_) => panic!("it loads"),
    }
}

fn run(script: &str, how: Run) -> Ran {
    let (lines, registry, loaded) = read(script);
    let loaded = loaded.unwrap_or_else(|error| panic!("{error}"));
    let executor = ExecutorDraft::SharedIterations {
        vus: Some(how.vus),
        iterations: Some(how.iterations),
        max_duration: None,
    };
    let plan = Plan::check(PlanDraft {
        scenarios: vec![ScenarioDraft::new("default", executor)],
        ..PlanDraft::default()
    })
    .unwrap();
    let factory = loaded.into_factory(how.settings, loadline_net::NetworkSettings::default());
    let measures = RunMetrics {
        registry: registry.clone(),
        submetrics: Submetrics::default(),
    };
    let options = EngineOptions::new(how.workers);
    let world = World::new(1);
    let mut engine = simulated::engine(&world, plan, options, Arc::new(factory), measures);
    let ending = engine.run(&mut Nobody);
    let merger = engine.totals();
    let series = merger
        .all_series()
        .map(|(id, info)| {
            let tags: Vec<String> = merger
                .tags()
                .tags(info.tags)
                .filter(|(key, _)| *key != "scenario" && *key != "group")
                .map(|(key, value)| format!("{key}:{value}"))
                .collect();
            let name = registry.get(info.metric).name.to_string();
            (name, tags.join(","), merger.totals().series(id).cloned())
        })
        .collect();
    let failed = engine.run_state().is_failed();
    engine.close(Duration::from_secs(1));
    let lines = lines.0.lock().unwrap().clone();
    Ran {
        lines,
        ending,
        failed,
        series,
    }
}

fn printed(script: &str) -> Vec<String> {
    run(script, Run::once()).lines
}

#[test]
fn metrics_take_numbers_text_of_numbers_and_booleans() {
    let ran = run(
        "import { Counter, Rate, Trend } from 'k6/metrics';
        const count = new Counter('converted'), rate = new Rate('rated'), trend = new Trend('trended');
        export default function () {
          console.log(count.name, count.add(true), count.add('2'), count.add(0.5), count.add(-1));
          console.log(rate.add(true), rate.add(0), rate.add('1'), rate.add(7));
          console.log(trend.add('3.5'), trend.add(NaN), trend.add(null), trend.add('abc'), trend.add(undefined), trend.add({}));
        }",
        Run::once(),
    );
    let warning = |shown: &str| {
        format!(
            "warning: '{shown}' is an invalid value for metric 'trended', a number or a boolean value is expected"
        )
    };
    let expected = [
        "converted true true true true".to_owned(),
        "true true true true".to_owned(),
        warning("NaN"),
        warning("null"),
        warning("abc"),
        warning("undefined"),
        warning("[object Object]"),
        "true false false false false false".to_owned(),
    ];
    assert_eq!(ran.lines, expected);
    assert!((ran.count("converted", "") - 2.5).abs() < 1e-9);
}

#[test]
fn samples_carry_the_users_tags_and_their_own() {
    let ran = run(
        "import { Counter } from 'k6/metrics';
        import exec from 'k6/execution';
        const sold = new Counter('sold');
        export default function () {
          sold.add(1, { n: 5, b: true });
          exec.vu.tags.step = 'one';
          sold.add(2);
          delete exec.vu.tags.step;
          sold.add(4);
          try { sold.add(1, { o: { x: 1 } }); } catch (error) { console.log(error.message); }
        }",
        Run::once(),
    );
    let expected = "cannot add tags for the 'sold' custom metric: invalid value for metric tag 'o': only String, Boolean and Number types are accepted as a metric tag values";
    assert_eq!(ran.lines, [expected]);
    assert!((ran.count("sold", "b:true,n:5") - 1.0).abs() < 1e-9);
    assert!((ran.count("sold", "step:one") - 2.0).abs() < 1e-9);
    assert!((ran.count("sold", "") - 4.0).abs() < 1e-9);
}

#[test]
fn with_throw_a_value_that_is_no_number_is_an_exception() {
    let mut how = Run::once();
    how.settings.throw = true;
    let script = "import { Counter } from 'k6/metrics';
        const c = new Counter('strict');
        export default function () { try { c.add('abc'); } catch (e) { console.log(e.message); } }";
    assert_eq!(
        run(script, how).lines,
        ["'abc' is an invalid value for metric 'strict', a number or a boolean value is expected"]
    );
}

#[test]
fn wrong_declarations_of_metrics_end_the_script_before_the_load() {
    let declare = |code: &str| {
        let script = format!(
            "import {{ Counter, Trend }} from 'k6/metrics';\n{code}\nexport default function () {{}}"
        );
        refused(&script).to_string()
    };
    let taken = declare("new Counter('clash'); new Trend('clash');");
    assert!(
        taken.contains("metric 'clash' already exists but with type counter, instead of trend"),
        "{taken}"
    );
    assert!(taken.contains(":2:"), "{taken}");
    assert!(declare("new Counter('x');").contains("Invalid metric name: 'x'."));
    assert!(
        declare("new Counter('early').add(1);")
            .contains("Adding to metrics in the init context is not supported")
    );
    let late = printed(
        "import { Counter } from 'k6/metrics';
        export default function () { try { new Counter('late'); } catch (e) { console.log(e.message); } }",
    );
    assert_eq!(late, ["metrics must be declared in the init context"]);
}

#[test]
fn timers_are_a_module_and_globals() {
    let lines = printed(
        "import { setTimeout as later, clearTimeout, setInterval, clearInterval } from 'k6/timers';
        export default function () {
          later((a, b) => console.log('with arguments', a, b), 5, 'x', 7);
          console.log(later === setTimeout, typeof clearTimeout, typeof setInterval, typeof clearInterval);
        }",
    );
    assert_eq!(
        lines,
        ["true function function function", "with arguments x 7"]
    );
}

/// Guards against a clock that stands still while the script is read.
#[test]
fn timers_of_init_code_are_due_before_anything_else() {
    let lines = printed(
        "setTimeout(() => console.log('second'), 2000);
        setTimeout(() => console.log('first'), 1000);
        export default function () { console.log('iteration'); }",
    );
    assert_eq!(lines, ["first", "second", "first", "second", "iteration"]);
}

#[test]
fn timers_an_exception_leaves_behind_are_told() {
    let lines = printed(
        "export default function () {
          setInterval(() => {}, 1000);
          setTimeout(() => { throw new Error('in a timer'); }, 1);
          setTimeout(() => {}, 50);
        }",
    );
    let stopped = |timer: &str| {
        format!("warning: {timer} was stopped because the VU iteration was interrupted")
    };
    assert!(lines.contains(&stopped("setInterval 1")), "{lines:?}");
    assert!(lines.contains(&stopped("setTimeout 3")), "{lines:?}");
    assert_eq!(lines.len(), 3, "{lines:?}");
}

#[test]
fn k6_utils_does_what_its_documentation_says() {
    let lines = printed(
        "import { randomIntBetween, randomItem, randomString, uuidv4, findBetween, normalDistributionStages, parseDuration, check } from 'https://jslib.k6.io/k6-utils/1.4.0/index.js';
        export default async function () {
          const numbers = Array.from({ length: 500 }, () => randomIntBetween(3, 7));
          console.log(Math.min(...numbers), Math.max(...numbers), ['a', 'b'].includes(randomItem(['a', 'b'])));
          console.log(/^[a-z]{12}$/.test(randomString(12)), /^[xyz]{5}$/.test(randomString(5, 'xyz')), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(uuidv4()));
          console.log(findBetween('<a>one</a><a>two</a>', '<a>', '</a>'), findBetween('<a>one</a><a>two</a>', '<a>', '</a>', true).join(), findBetween('x', '<a>', '</a>'));
          console.log(JSON.stringify(normalDistributionStages(10, 10, 1)), parseDuration('1h2m3.5s4ms'), parseDuration('500'));
          console.log(check(1, { one: (v) => v === 1 }), await check(Promise.resolve(2), { two: async (v) => v === 2, three: (v) => v === 3 }));
        }",
    );
    assert_eq!(
        lines,
        [
            "3 7 true",
            "true true true",
            "one one,two null",
            r#"[{"duration":"0s","target":2},{"duration":"4s","target":10},{"duration":"4s","target":2}] 3723504 500"#,
            "true false",
        ]
    );
}

#[test]
fn k6_summary_prints_the_legacy_text_and_junit() {
    let lines = printed(
        "import { textSummary, jUnit, humanizeValue } from 'https://jslib.k6.io/k6-summary/0.1.0/index.js';
        const data = {
          options: { summaryTrendStats: ['avg'], summaryTimeUnit: '' },
          root_group: { name: '', path: '', id: '', groups: [], checks: [{ name: 'fine', path: '::fine', passes: 2, fails: 0 }] },
          metrics: { sold: { type: 'counter', contains: 'default', values: { count: 3, rate: 1.5 }, thresholds: { 'count>5': { ok: false } } } },
        };
        export default function () {
          console.log(textSummary(data, { indent: '>', enableColors: false }));
          console.log(jUnit(data, { name: 'a<b' }));
          console.log(humanizeValue(0.5, { type: 'rate' }), humanizeValue(1500, { type: 'trend', contains: 'time' }), humanizeValue(2048, { type: 'counter', contains: 'data' }));
        }",
    );
    assert_eq!(
        lines,
        [
            ">    ✓ fine\n\n>  ✗ sold...: 3 1.5/s",
            "<?xml version=\"1.0\"?>\n<testsuites tests=\"1\" failures=\"1\">\n<testsuite name=\"a&lt;b\" tests=\"1\" failures=\"1\"><testcase name=\"sold - count&gt;5\"><failure message=\"failed\" /></testcase>\n</testsuite >\n</testsuites >",
            "50.00% 1.5s 2.0 kB",
        ]
    );
}

#[test]
fn modules_that_are_missing_are_named_with_file_line_and_what_to_do() {
    for (specifier, advice) in [
        ("k6/browser", "k6/http"),
        ("k6/x/kafka", "extensions"),
        ("k6/experimental/grpc", "k6/net/grpc"),
        ("k6/experimental/redis", "k6/http"),
        ("k6/nosuch", "check its name"),
    ] {
        let error = refused(&format!(
            "import http from 'k6/metrics';\nimport x from '{specifier}';\nexport default function () {{}}"
        ));
        assert!(matches!(error, LoadError::Program(_)), "{error:?}");
        let text = error.to_string();
        assert!(text.contains(specifier) && text.contains(advice), "{text}");
        assert!(text.contains("/-:2:"), "{text}");
    }
}

#[test]
fn stages_that_are_no_functions_are_refused() {
    let error = refused("export const setup = 1; export default function () {}");
    assert_eq!(error.to_string(), "exported 'setup' must be a function");
}

#[test]
fn setup_data_passes_through_json() {
    let lines = printed(
        "export function setup() { return { date: new Date(0), u: undefined, nested: { b: 1, a: [undefined, 2] } }; }
        export default function (data) { console.log(JSON.stringify(data)); }",
    );
    assert_eq!(
        lines,
        [r#"{"date":"1970-01-01T00:00:00Z","nested":{"a":[null,2],"b":1},"u":null}"#]
    );
}
