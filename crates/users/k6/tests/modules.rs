//! The modules scripts import, in scripts that run on the engine in a simulated world.
//! What is expected is what k6 v1.8.1 prints for the same script.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "modules/beyond_k6.rs"]
mod beyond_k6;

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
use loadline_vu::StopCause;

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
        Self::of(1, 1, 1)
    }

    fn of(vus: i64, iterations: i64, workers: usize) -> Self {
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
        version: loadline_k6::options::K6Version::default(),
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
fn execution_tells_of_scenario_instance_and_user() {
    let lines = run(
        "import exec, { vu } from 'k6/execution';
        const early = [];
        for (const read of [() => exec.scenario.name, () => exec.instance.vusActive, () => exec.vu.idInTest, () => exec.test.options]) {
          try { read(); } catch (error) { early.push(error.message); }
        }
        export default function () {
          const s = exec.scenario, i = exec.instance;
          if (__ITER === 0) early.forEach((message) => console.log(message));
          console.log(s.name, s.executor, s.iterationInTest, s.iterationInInstance, s.startTime > 1e12, s.progress);
          console.log(vu.idInTest, vu.idInInstance, vu.iterationInInstance, vu.iterationInScenario, i.iterationsCompleted, i.vusInitialized);
        }",
        Run::of(1, 2, 1),
    )
    .lines;
    assert_eq!(
        lines,
        [
            "getting scenario information outside of the VU context is not supported",
            "getting instance information in the init context is not supported",
            "getting VU information in the init context is not supported",
            "getting test options in the init context is not supported",
            "default shared-iterations 0 0 true 0",
            "1 1 0 0 0 1",
            "default shared-iterations 1 1 true 0.5",
            "1 1 1 1 1 1",
        ]
    );
}

#[test]
fn tags_and_metadata_of_a_user_are_objects_of_scalars() {
    let lines = printed(
        "import exec from 'k6/execution';
        export default function () {
          for (const value of [{}, [], null, undefined, () => 1]) {
            try { exec.vu.tags.odd = value; } catch (error) { console.log(error.name); }
          }
          exec.vu.metrics.tags.fine = true;
          exec.vu.metrics.metadata.trace = 7;
          console.log(JSON.stringify(exec.vu.tags), exec.vu.metrics.metadata.trace, 'fine' in exec.vu.tags);
          delete exec.vu.metrics.metadata.trace;
          console.log(exec.vu.metrics.metadata.trace);
        }",
    );
    assert_eq!(lines[..5], ["TypeError"; 5]);
    assert_eq!(
        lines[5..],
        [
            r#"{"scenario":"default","fine":"true","group":""} 7 true"#,
            "undefined"
        ]
    );
}

#[test]
fn options_are_frozen_to_their_depth() {
    let mut how = Run::once();
    how.settings.options_json =
        serde_json::json!({ "scenarios": { "s": { "vus": 1 } }, "rps": null });
    let script = "import exec from 'k6/execution';
        export default function () {
          const o = exec.test.options;
          console.log(o.rps, Object.isFrozen(o), Object.isFrozen(o.scenarios.s), o === exec.test.options);
        }";
    assert_eq!(run(script, how).lines, ["null true true true"]);
}

#[test]
fn abort_ends_the_iteration_at_once_and_the_run_but_not_teardown() {
    let ran = run(
        "import exec from 'k6/execution';
        export default function () {
          try { if (__ITER === 1) exec.test.abort('enough'); } finally { console.log('finally'); }
          console.log('after', __ITER);
        }
        export function teardown() { console.log('teardown'); }",
        Run::of(1, 10, 1),
    );
    assert_eq!(ran.lines[..2], ["finally", "after 0"]);
    assert!(
        ran.lines[2].starts_with("error: test aborted: enough at "),
        "{:?}",
        ran.lines
    );
    assert!(ran.lines[2].contains(":3:"), "{:?}", ran.lines);
    assert_eq!(ran.lines[3..], ["teardown"]);
    let message = "enough".to_owned();
    assert_eq!(ran.ending.cause, Some(StopCause::Aborted { message }));
}

#[test]
fn abort_in_init_code_is_told_apart_from_an_exception() {
    let error = refused(
        "import exec from 'k6/execution';
        exec.test.abort('right away');
        export default function () {}",
    );
    let LoadError::Aborted(message) = error else {
        panic!("{error:?}");
    };
    assert!(
        message.starts_with("test aborted: right away at "),
        "{message}"
    );
}

#[test]
fn fail_marks_the_test_and_goes_on() {
    let ran = run(
        "import exec from 'k6/execution';
        export default function () { exec.test.fail('marked'); console.log('goes on'); }",
        Run::once(),
    );
    assert_eq!(
        ran.lines,
        ["error: test marked as failed: marked", "goes on"]
    );
    assert!(ran.failed);
}

#[test]
fn a_shared_array_reads_like_an_array_of_frozen_copies() {
    let lines = printed(
        "import { SharedArray } from 'k6/data';
        const people = new SharedArray('people', () => [{ name: 'Ann', age: 31 }, { name: 'Bob', age: 25, deep: { b: [2] } }]);
        export default function () {
          console.log(people.length, people[0].name, people[99], Array.isArray(people), people[0] === people[0]);
          console.log(people.map((p) => p.age).join(), people.filter((p) => p.age > 30).length, people.find((p) => p.name === 'Bob').age);
          console.log([...people].length, Object.keys(people).join(), 1 in people, 2 in people, JSON.stringify(people.slice(1)), Object.isFrozen(people[1].deep.b));
          let names = '';
          for (const person of people) names += person.name;
          console.log(names);
          const attempts = [() => (people[0] = 1), () => people.push(1), () => (people.length = 0), () => delete people[0], () => { people[1].deep.b[0] = 1; }];
          for (const attempt of attempts) {
            try { attempt(); console.log('no error'); } catch (error) { console.log(error.name); }
          }
          console.log(JSON.stringify(people));
        }",
    );
    assert_eq!(
        lines,
        [
            "2 Ann undefined true false",
            "31,25 1 25",
            r#"2 0,1 true false [{"name":"Bob","age":25,"deep":{"b":[2]}}] true"#,
            "AnnBob",
            "TypeError",
            "TypeError",
            "TypeError",
            "TypeError",
            "TypeError",
            r#"[{"name":"Ann","age":31},{"name":"Bob","age":25,"deep":{"b":[2]}}]"#,
        ]
    );
}

#[test]
fn an_array_the_script_still_holds_is_left_whole() {
    let ran = run(
        "import { SharedArray } from 'k6/data';
        const kept = [1, 2, 3];
        const shared = new SharedArray('kept', () => kept);
        export default () => console.log(kept.join(), [...shared].join());",
        Run::once(),
    );
    assert_eq!(ran.lines, ["1,2,3 1,2,3"]);
}

#[test]
fn a_shared_array_is_made_once_for_all_users_of_all_workers() {
    let script = "import { SharedArray } from 'k6/data';
        if (__VU > 0) new SharedArray('late', () => { console.log('late'); return [...new SharedArray('inner', () => { console.log('inner'); return [1]; })]; });
        const list = new SharedArray('once', () => { console.log('made'); return [1, 2, 3]; });
        const same = new SharedArray('once', () => [9]);
        export default function () { console.log(list[0] + same[2]); }";
    let mut lines = run(script, Run::of(4, 4, 2)).lines;
    lines.sort();
    assert_eq!(lines, ["4", "4", "4", "4", "inner", "late", "made"]);
}

#[test]
fn what_cannot_be_a_shared_array_is_refused() {
    let lines = printed(
        "import { SharedArray } from 'k6/data';
        const messages = [];
        for (const [name, make] of [['object', () => ({})], ['nothing', () => undefined], ['async', async () => []], ['', () => []], ['none', 1]]) {
          try { new SharedArray(name, make); } catch (error) { messages.push(error.message); }
        }
        export default function () {
          messages.forEach((m) => console.log(m));
          try { new SharedArray('late', () => []); } catch (error) { console.log(error.message); }
        }",
    );
    assert_eq!(
        lines,
        [
            "only arrays can be made into SharedArray",
            "Cannot convert undefined or null to object",
            "SharedArray constructor does not support async functions as second argument",
            "empty name provided to SharedArray's constructor",
            "a function is expected as the second argument of SharedArray's constructor",
            "new SharedArray must be called in the init context",
        ]
    );
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
fn hashes_and_hmacs_are_those_of_k6() {
    let lines = printed(
        "import crypto, { md5 } from 'k6/crypto';
        const of = (f) => { try { return f(); } catch (error) { return error.message; } };
        export default function () {
          console.log(md5('a', 'hex'), crypto.md4('a', 'base64'), crypto.ripemd160('a', 'base64rawurl'));
          console.log(crypto.hmac('sha512_224', 's', 'd', 'hex'), crypto.md5(new Uint8Array([97]), 'base64url'));
          const h = crypto.createHash('sha1');
          h.update('a');
          h.update('b');
          console.log(h.digest('hex'), h.digest('hex') === crypto.sha1('ab', 'hex'));
          const long = 'k'.repeat(200);
          console.log(crypto.createHMAC('sha256', long).update('d').digest('hex'));
          console.log(crypto.hexEncode('ab'), crypto.md5('a', 'binary').byteLength, crypto.randomBytes(9).byteLength);
          for (const f of [() => md5('a'), () => md5(5, 'hex'), () => md5(null, 'hex'), () => crypto.randomBytes(0), () => crypto.createHash('nope')]) console.log(of(f));
          console.log(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(globalThis.crypto.randomUUID()), globalThis.crypto.getRandomValues(new Uint8Array(32)).some((b) => b > 0));
        }",
    );
    assert_eq!(
        lines,
        [
            "0cc175b9c0f1b6a831c399e269772661 veUssx3jPkYkXgX729b7JA== C9ydLSVrPunarjR75vTcg1pGf_4",
            "8c073a5da77df9a4d20733f2144f0117ab3b3b77278c05b6457d217b DMF1ucDxtqgxw5niaXcmYQ==",
            "da23614e02469a0d7c7bd1bdab5c9c474b1904dc true",
            LONG_KEY,
            "6162 16 9",
            "invalid output encoding: ",
            "md5 failed: invalid type int64, expected string, []byte or ArrayBuffer",
            "md5 failed: invalid type <nil>, expected string, []byte or ArrayBuffer",
            "invalid size",
            "invalid algorithm: nope",
            "true true",
        ]
    );
}

const LONG_KEY: &str = "355fd18a0d98b65c264fd834fd8abf9a720f5410ca76ff8df7f70edd65b392b9";

#[test]
fn base64_is_that_of_k6() {
    let lines = printed(
        "import { b64encode, b64decode } from 'k6/encoding';
        const of = (f) => { try { return f(); } catch (error) { return error.message; } };
        export default function () {
          console.log(b64encode('a?>'), b64encode('a?>a', 'url'), b64encode('a', 'rawstd'), b64encode('a', 'rawurl'), b64encode(new Uint8Array([255]).buffer));
          console.log(b64decode('YQ==').byteLength, b64decode('YQ==', 'std', 's'), b64decode('YQ', 'rawurl', 's'));
          for (const f of [() => b64decode('Y*Q=='), () => b64decode('YQ', 'std', 's'), () => b64encode(null), () => b64encode(5)]) console.log(of(f));
        }",
    );
    assert_eq!(
        lines,
        [
            "YT8+ YT8-YQ== YQ YQ /w==",
            "1 a a",
            "illegal base64 data at input byte 1",
            "illegal base64 data at input byte 0",
            "invalid type <nil>, expected string, []byte or ArrayBuffer",
            "invalid type int64, expected string, []byte or ArrayBuffer",
        ]
    );
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
