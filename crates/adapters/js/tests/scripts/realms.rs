//! Users that have a realm in common: what is each one's own, and what happens when one
//! changes what is not.

use std::rc::Rc;
use std::sync::Arc;

use crate::host::{Host, Log, build};
use loadline_js::*;

/// A shared realm with `users` users of a program, their init code run.
struct Together {
    host: Host,
    log: Log,
    users: Vec<(Vm, Value)>,
}

impl Together {
    fn from_files(files: &[(&str, &str)], users: usize) -> Self {
        let program = build(files, builtins()).unwrap_or_else(|e| panic!("{e:?}"));
        let (host, log, realm) = realm(&program);
        let users = (0..users)
            .map(|_| {
                let vm = realm.user(Rc::clone(&host.options.timer), None);
                let exports = host.run(vm.start_program(&program)).unwrap();
                (vm, exports)
            })
            .collect();
        Self { host, log, users }
    }

    /// Runs the default export of every user at once, with its number.
    fn run(&self) -> Vec<Result<Value, JsError>> {
        let calls = self
            .users
            .iter()
            .enumerate()
            .map(|(number, (vm, exports))| {
                let number = vm.ctx().number(number as f64);
                let default = exports.get("default").unwrap();
                vm.start_function(&default, vec![number]).unwrap()
            });
        self.host.run_all(calls.collect())
    }
}

fn builtins() -> Builtins {
    let mut builtins = Builtins::new();
    builtins.add("host/tool", |ctx| {
        let mut exports = Exports::new();
        exports.add("use", ctx.function("use", 0, |_, _| Ok(()))?);
        exports.add("object", ctx.object()?);
        Ok(exports)
    });
    builtins
}

fn realm(program: &Arc<Program>) -> (Host, Log, Realm) {
    let host = Host::new();
    let log = Log::default();
    let realm = Realm::new(&host.options).unwrap();
    let maker = realm.user(Rc::clone(&host.options.timer), None);
    let ctx = maker.ctx();
    crate::host::install(ctx, &host.clock, &log);
    ctx.make_builtins(program).unwrap();
    ctx.share();
    (host, log, realm)
}

#[test]
fn module_variables_are_each_users_own() {
    let together = Together::from_files(
        &[
            ("main.js", "import { bump } from './lib.js'; import legacy from './old.js'; let mine = 0; class Own { static seen = 0 }
              export default function (me) { mine += me; Own.seen++; sleep(10 - me); log(me, bump(me), legacy.next(), mine, Own.seen, import.meta.url); }"),
            ("lib.js", "const state = { sum: 0 }; export function bump(by) { state.sum += by; return state.sum; }"),
            ("old.js", "var n = 0; exports.next = function () { return ++n; };"),
        ],
        3,
    );
    for _ in 0..2 {
        for result in together.run() {
            result.unwrap();
        }
    }
    let mut lines = together.log.lines();
    lines.sort();
    assert_eq!(
        lines,
        [
            "0 0 1 0 1 file:///main.js",
            "0 0 2 0 2 file:///main.js",
            "1 1 1 1 1 file:///main.js",
            "1 2 2 2 2 file:///main.js",
            "2 2 1 2 1 file:///main.js",
            "2 4 2 4 2 file:///main.js",
        ]
    );
}

#[test]
fn microtasks_run_in_the_users_own_event_loop() {
    let together = Together::from_files(
        &[(
            "main.js",
            "export default async function (me) { Promise.resolve().then(() => log('job', me)); sleep(5 - me); log('slept', me); await null; log('end', me); }",
        )],
        2,
    );
    for result in together.run() {
        result.unwrap();
    }
    // Each job runs after its own user's sleep, though the other ran meanwhile.
    assert_eq!(
        together.log.text(),
        "slept 1 | job 1 | end 1 | slept 0 | job 0 | end 0"
    );
}

#[test]
fn random_numbers_are_each_users_own() {
    let draw = "export default function () { const all = []; for (let i = 0; i < 3; i++) { all.push(Math.random()); sleep(1); } log(all.join()); }";
    let program = build(&[("main.js", draw)], builtins()).unwrap();
    let drawn = |users: usize| {
        let (host, log, realm) = realm(&program);
        let users: Vec<_> = (0..users)
            .map(|_| {
                let vm = realm.user(Rc::clone(&host.options.timer), Some(7));
                let exports = host.run(vm.start_program(&program)).unwrap();
                let default = exports.get("default").unwrap();
                let call = vm.start_function(&default, Vec::new()).unwrap();
                (vm, call)
            })
            .collect();
        let (_vms, calls): (Vec<Vm>, Vec<Call>) = users.into_iter().unzip();
        for result in host.run_all(calls) {
            result.unwrap();
        }
        log.lines()
    };
    let alone = drawn(1).remove(0);
    assert_eq!(drawn(2), [alone.clone(), alone]);
}

/// Everything a script could change for others.
const CHANGES: &[&str] = &[
    "globalThis.x = 1",
    "Array.prototype.last = 1",
    "Object.defineProperty(String.prototype, 'x', { value: 1 })",
    "Object.assign(Math, { x: 1 })",
    "Math.max = 1",
    "Math.max.x = 1",
    "[].push.x = 1",
    "JSON.stringify.extra = 1",
    "delete Math.max",
    "delete globalThis.parseInt",
    "Reflect.deleteProperty(Array.prototype, 'map')",
    "Reflect.set(Array.prototype, 'x', 1)",
    "Reflect.defineProperty(Array.prototype, 'x', { value: 1 })",
    "Reflect.setPrototypeOf(Array.prototype, null)",
    "Array.prototype.__proto__ = {}",
    "Object.setPrototypeOf(Function.prototype, {})",
    "Object.freeze(Array.prototype)",
    "Object.preventExtensions(Math)",
    "Object.seal(Object.prototype)",
    "Array.prototype.push.call(Array.prototype, 1)",
    "Array.prototype[0] = 1",
    "Array.prototype.length = 3",
    "Object.prototype.__defineGetter__('x', () => 1)",
    "Number.prototype.constructor.x = 1",
    "const all = [Math]; all[0].x = 1",
    "class A { constructor(o) { return o } } class B extends A { #x = 1 }; new B(Array.prototype)",
    "class A { constructor(o) { return o } } class B extends A { #m() {} }; new B(Math)",
    "Error.stackTraceLimit = 3",
    "class Mine extends Error {} Mine.stackTraceLimit = 3",
    "Error.prepareStackTrace = () => 1",
    "tool.object.x = 1",
    "tool.use.x = 1",
    "log.x = 1",
    "(0, eval)('var made = 1')",
    "(0, eval)('function made() {}')",
    "new Function('made = 1')()",
    "(function () {}).__proto__.x = 1",
    "(function* () {}).prototype.__proto__.__proto__.x = 1",
    "Object.getPrototypeOf(async function () {}).x = 1",
    "Object.getOwnPropertyDescriptor(Map.prototype, 'size').get.x = 1",
    "Symbol.iterator in Array.prototype; Array.prototype[Symbol.iterator] = 1",
    "[][Symbol.iterator]().__proto__.next = 1",
    "with_({}, () => {}); function with_(o) { o.__proto__.x = 1 }",
    "({ __proto__: Math }).__proto__.x = 1",
    "undefined_name_from_sloppy_code()",
];

#[test]
fn nothing_users_have_in_common_changes_while_there_are_several() {
    for change in CHANGES {
        // Sloppy code comes in as CommonJS.
        let sloppy = "exports.go = function () { made_sloppily = 1; };";
        let change = match *change {
            "undefined_name_from_sloppy_code()" => "sloppy.go()",
            other => other,
        };
        let text = format!(
            "import * as tool from 'host/tool'; import sloppy from './sloppy.js';
             export default function (me) {{ if (me === 0) {{ {change}; log('changed') }} else {{ sleep(5); log('other') }} }}"
        );
        let together = Together::from_files(&[("main.js", &text), ("sloppy.js", sloppy)], 2);
        let results = together.run();
        for result in results {
            // Some end in a TypeError, after having asked.
            drop(result);
        }
        let (first, other) = (&together.users[0].0, &together.users[1].0);
        let place = first.shared_write();
        let file = match change {
            "sloppy.go()" => "sloppy.js:1",
            made if made.contains("Function(") => "<eval>",
            _ => "main.js:2",
        };
        assert!(
            place.as_ref().is_some_and(|place| place.contains(file)),
            "{change}: {place:?}"
        );
        assert_eq!(
            together.log.lines().first().map(String::as_str),
            Some("other"),
            "{change}"
        );
        assert!(!first.must_move() && other.must_move(), "{change}");
    }
}

#[test]
fn ordinary_work_changes_nothing_in_common() {
    let together = Together::from_files(
        &[(
            "main.js",
            "import { use } from 'host/tool';
             class Animal { #name; static count = 0; constructor(n) { this.#name = n; Animal.count++; } get name() { return this.#name; } }
             class Dog extends Animal { toString() { return 'dog ' + this.name; } }
             function Old() {} Old.prototype.speak = function () { return 'old'; }; Old.prototype.toString = () => 'x';
             export default async function (me) {
               use();
               const list = [3, 1, 2]; list.sort(); list.push(4); list[4] = 5; list.length = 2; list.own = true;
               const copy = { ...JSON.parse(JSON.stringify({ list, when: new Date(0) })), toString: () => 'mine', constructor: 1 };
               delete copy.list; Object.freeze(copy); Object.defineProperty({}, 'x', { get: () => 1 });
               const map = new Map([[1, 2]]); map.set('x', me); const set = new Set(list); const weak = new WeakMap(); weak.set(copy, 1);
               const bytes = new Uint8Array(4); bytes[0] = 9; bytes.set([1], 1);
               const text = `${me}`.padStart(3, '0').replace(/(\\d)/g, '<$1>'); const [a, ...rest] = list;
               const tagged = ((strings, v) => strings.raw[0] + v)`tag${me}`;
               function* gen() { yield* [1, 2]; } for (const v of gen()) { await v; }
               const p = new Proxy({}, { set: (t, k, v) => Reflect.set(t, k, v) }); p.x = 1;
               const err = new TypeError('t'); err.code = 1; try { null.x } catch (e) { e.mine = 1; }
               const o = new Old(); o.speak = 1; arguments_(1); function arguments_() { arguments[0] = 2; arguments.length = 0; }
               const dog = new Dog('rex'); dog.toString = () => 'named'; label: for (var i in copy) { continue label; }
               const sym = Symbol.for('s'); ({})[sym] = 1; new Intl_();
               function Intl_() { this.x = Math.round(1.5); this.valueOf = null; }
               log(me, text, tagged, String(dog), a, rest.length, map.size, set.size, bytes[1]);
             }",
        )],
        2,
    );
    for result in together.run() {
        if let Some(PromiseState::Rejected(why)) = result.unwrap().promise_state() {
            panic!("{}", why.to_text().unwrap());
        }
    }
    assert_eq!(together.users[0].0.shared_write(), None);
    let mut lines = together.log.lines();
    lines.sort();
    assert_eq!(
        lines,
        [
            "0 <0><0><0> tag0 named 1 1 2 2 1",
            "1 <0><0><1> tag1 named 1 1 2 2 1"
        ]
    );
}

#[test]
fn who_is_alone_changes_what_it_likes() {
    let together = Together::from_files(
        &[(
            "main.js",
            "Array.prototype.last = function () { return this[this.length - 1]; }; export default () => log([1, 2].last());",
        )],
        1,
    );
    for result in together.run() {
        result.unwrap();
    }
    let vm = &together.users[0].0;
    assert_eq!(together.log.text(), "2");
    assert!(!vm.must_move());
    assert!(vm.shared_write().unwrap().contains("main.js:1:"));
}

#[test]
fn init_code_that_changes_what_others_use_does_not_wait_for_them() {
    let program = build(
        &[(
            "main.js",
            "if (patches()) Array.prototype.x = 1; export default function () {}",
        )],
        builtins(),
    )
    .unwrap();
    let host = Host::new();
    let realm = Realm::new(&host.options).unwrap();
    let maker = realm.user(Rc::clone(&host.options.timer), None);
    let ctx = maker.ctx();
    struct Patches(bool);
    ctx.global()
        .method("patches", 0, |ctx, _| Ok(ctx.host::<Patches>().0))
        .unwrap();
    ctx.share();
    let user = |patches: bool| {
        let vm = realm.user(Rc::clone(&host.options.timer), None);
        vm.ctx().set_host(Rc::new(Patches(patches)));
        let result = host.run(vm.start_program(&program));
        (vm, result)
    };
    let (first, result) = user(false);
    result.unwrap();
    let (_second, result) = user(true);
    assert_eq!(result.err().unwrap().kind, ErrorKind::Fatal);
    assert!(first.shared_write().is_some());
    assert!(!first.must_move());
}

#[test]
fn two_users_that_change_things_at_once_do_not_wait_for_each_other() {
    let together = Together::from_files(
        &[(
            "main.js",
            "export default function (me) { sleep(1); Array.prototype.x = me; log('changed', me, [].x); sleep(1); log([].x) }",
        )],
        3,
    );
    let results = together.run();
    assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 1);
    assert_eq!(together.log.lines().len(), 2);
}

#[test]
fn users_come_and_go_while_the_realm_stays() {
    let program = build(
        &[
            (
                "main.js",
                "import { big } from './lib.js'; import old from './old.js'; export default function () { return big.length + old.x; }",
            ),
            ("lib.js", "export const big = 'x'.repeat(100000); export const keep = () => big;"),
            ("old.js", "exports.x = 1;"),
        ],
        builtins(),
    )
    .unwrap();
    let (host, _log, realm) = realm(&program);
    let first = realm.user(Rc::clone(&host.options.timer), None);
    host.run(first.start_program(&program)).unwrap();
    first.collect_garbage();
    let before = first.memory_used();
    for _ in 0..50 {
        let vm = realm.user(Rc::clone(&host.options.timer), None);
        let exports = host.run(vm.start_program(&program)).unwrap();
        let default = exports.get("default").unwrap();
        let result = host.run(vm.start_function(&default, Vec::new())).unwrap();
        assert_eq!(result.as_f64(), Some(100_001.0));
    }
    first.collect_garbage();
    let grown = first.memory_used().saturating_sub(before);
    assert!(grown < 20_000, "{grown} bytes stay of 50 users");
}
