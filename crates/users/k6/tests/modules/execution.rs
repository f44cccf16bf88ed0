//! `k6/execution`: what a script learns of its run, and how it ends it.

use loadline_k6::LoadError;
use loadline_vu::StopCause;

use super::{Run, printed, refused, run};

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
        Run::new(1, 2, 1),
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
        Run::new(1, 10, 1),
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
