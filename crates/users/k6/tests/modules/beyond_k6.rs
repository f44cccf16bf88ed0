//! What scripts may do here and not in k6.

use loadline_k6::UserFunctions;
use loadline_metrics::MetricValue;

use super::{Ran, Run, printed, run};

fn length(ran: &Ran, metric: &str) -> f64 {
    let found = ran.series.iter().find(|(name, _, _)| name == metric);
    match found {
        Some((_, _, Some(MetricValue::Trend(trend)))) => trend.max().unwrap(),
        other => panic!("{metric}: {other:?}"),
    }
}

#[test]
fn a_group_waits_for_its_async_function() {
    let ran = run(
        "import { group } from 'k6';
        import exec from 'k6/execution';
        const later = (millis) => new Promise((resolve) => setTimeout(resolve, millis));
        export default async function () {
          const outcome = group('slow', async () => {
            console.log(exec.vu.tags.group);
            await later(300);
            console.log(exec.vu.tags.group);
            return 5;
          });
          console.log(typeof outcome.then, exec.vu.tags.group === '');
          console.log(await outcome, await group('plain', () => 6));
        }",
        Run::once(),
    );
    assert_eq!(ran.lines, ["::slow", "::slow", "function true", "5 6"]);
    let slow = length(&ran, "group_duration");
    assert!((300.0..310.0).contains(&slow), "{slow}");
}

#[test]
fn what_a_groups_async_function_throws_is_its_promises() {
    let lines = printed(
        "import { group } from 'k6';
        export default async function () {
          const failed = group('fails', async () => { throw new Error('no'); });
          try { await failed; } catch (error) { console.log(error.message); }
          await group('alone', async () => { throw new Error('told'); }).catch((error) => console.log(error.message));
          group('unheard', async () => { throw new Error('unheard'); });
        }",
    );
    assert_eq!(lines[..2], ["no", "told"]);
    assert!(lines[2].starts_with("error: Uncaught (in promise) Error: unheard"));
    assert_eq!(lines.len(), 3);
}

#[test]
fn groups_within_async_groups_go_one_after_the_other() {
    let ran = run(
        "import { group } from 'k6';
        import exec from 'k6/execution';
        const later = (millis) => new Promise((resolve) => setTimeout(resolve, millis));
        const step = (name) => group(name, async () => {
          await later(10);
          console.log(exec.vu.tags.group);
        });
        export default async function () {
          await group('outer', async () => {
            await step('a');
            await Promise.all([step('b'), step('c')]);
            console.log(exec.vu.tags.group);
          });
        }",
        Run::once(),
    );
    assert_eq!(
        ran.lines,
        ["::outer::a", "::outer::b", "::outer::c", "::outer"]
    );
}

/// Nothing but the code after the group could end it.
#[test]
fn a_group_does_not_wait_for_what_cannot_happen_in_it() {
    assert_eq!(
        printed(
            "import { group } from 'k6';
            export default async function () {
              let open;
              const gate = new Promise((resolve) => { open = resolve; });
              const passed = group('gated', async () => { await gate; return 'passed'; });
              open();
              console.log(await passed);
            }"
        ),
        ["passed"]
    );
}

/// A promise in place of the answer would be true whatever the check came to.
#[test]
fn a_check_refuses_an_async_test_in_k6s_words() {
    let ran = run(
        "import { check } from 'k6';
        export default function () {
          try {
            check(1, { first: (n) => n === 1, later: async () => true, never: () => true });
          } catch (error) {
            console.log(error.name, error.message.slice(0, 67));
          }
        }",
        Run::once(),
    );
    let refused = "GoError the built-in check() does not support async functions as arguments. ";
    assert_eq!(ran.lines, [refused.trim_end()]);
    let names: Vec<&str> = ran
        .series
        .iter()
        .filter_map(|(_, tags, _)| tags.strip_prefix("check:"))
        .collect();
    assert_eq!(names, ["first"]);
}

fn with_users(set_up: &str, tear_down: &str, how: Run) -> Run {
    let mut how = how;
    how.settings.users = UserFunctions {
        set_up: (!set_up.is_empty()).then(|| set_up.to_owned()),
        tear_down: (!tear_down.is_empty()).then(|| tear_down.to_owned()),
    };
    how
}

#[test]
fn a_user_is_set_up_before_its_first_iteration_and_torn_down_after_all() {
    let ran = run(
        "import { sleep } from 'k6';
        import exec from 'k6/execution';
        export function setup() { return 'shared'; }
        export async function login(data) {
          console.log('login', data, exec.vu.tags.group);
          sleep(1);
          return { token: 'mine' };
        }
        export default function (data, own) {
          console.log('iteration', __ITER, data, own.token, exec.vu.tags.group === '');
          own.seen = __ITER;
        }
        export function logout(data, own) { console.log('logout', data, own.seen, exec.vu.tags.group); }
        export function teardown() { console.log('teardown'); }",
        with_users("login", "logout", Run::new(1, 2, 1)),
    );
    assert_eq!(
        ran.lines,
        [
            "login shared ::userSetup",
            "iteration 0 shared mine true",
            "iteration 1 shared mine true",
            "logout shared 1 ::userTeardown",
            "teardown",
        ]
    );
    assert!(
        length(&ran, "iteration_duration") < 500.0,
        "set-up is none of it"
    );
    assert!((ran.count("iterations", "") - 2.0).abs() < 1e-9);
}

#[test]
fn every_user_is_set_up_and_torn_down_once() {
    let ran = run(
        "export function login() { console.log('in', __VU); }
        export default function () {}
        export function logout() { console.log('out', __VU); }",
        with_users("login", "logout", Run::new(3, 30, 2)),
    );
    let count = |word: &str| {
        ran.lines
            .iter()
            .filter(|line| line.starts_with(word))
            .count()
    };
    // Users that got no iteration are not set up.
    assert!((1..=3).contains(&count("in")));
    assert_eq!(count("in"), count("out"));
}

#[test]
fn a_set_up_that_throws_ends_its_iteration_and_is_tried_again() {
    let ran = run(
        "let tries = 0;
        export function login() {
          tries += 1;
          if (tries === 1) throw new Error('not yet');
          return tries;
        }
        export default function (data, own) { console.log('iteration', own); }",
        with_users("login", "", Run::new(1, 2, 1)),
    );
    assert!(
        ran.lines[0].starts_with("error: Error: not yet"),
        "{:?}",
        ran.lines
    );
    assert_eq!(ran.lines[1..], ["iteration 2"]);
}
