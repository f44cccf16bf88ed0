//! Programs: module forms, interop, TypeScript, mistakes reported before running.

use std::sync::Arc;

use crate::host::{Host, Log, build, errors};
use loadline_js::*;

fn builtins() -> Builtins {
    let mut builtins = Builtins::new();
    builtins.add("host/http", |ctx| {
        let mut exports = Exports::new();
        let get = ctx.function("get", 1, |_, args| {
            Ok(format!("got {}", args.get(0).to_text()?))
        })?;
        let all = ctx.object()?;
        all.set("get", &get)?;
        exports.add("get", get).set_default(all);
        Ok(exports)
    });
    builtins.add("host/named", |ctx| {
        let mut exports = Exports::new();
        exports.add("answer", ctx.number(42.0));
        Ok(exports)
    });
    builtins
}

/// Runs a program's init code and its default export, if it has one.
fn run(files: &[(&str, &str)]) -> (Result<Value, JsError>, Log) {
    let program = build(files, builtins()).unwrap_or_else(|e| panic!("{e:?}"));
    run_program(&program)
}

fn run_program(program: &Arc<Program>) -> (Result<Value, JsError>, Log) {
    let host = Host::new();
    let (vm, log) = host.vm();
    let exports = match host.run(vm.start_program(program)) {
        Ok(exports) => exports,
        Err(error) => return (Err(error), log),
    };
    let default = exports.get("default").unwrap();
    if !default.is_function() {
        return (Ok(exports), log);
    }
    (host.run(vm.start_function(&default, Vec::new())), log)
}

fn logged(files: &[(&str, &str)]) -> String {
    let (result, log) = run(files);
    result.unwrap();
    log.text()
}

#[test]
fn modules_import_each_other_in_all_forms() {
    let text = logged(&[
        ("main.js", "import def, { a, b as c } from './lib.js'; import * as ns from './lib.js'; export { a } from './lib.js'; export * from './lib.js';
          log(def, a, c, Object.keys(ns)); export default function () { log('run', ns.bump(), ns.count); }"),
        ("lib.js", "export let count = 0; export const a = 1; export function b() {} export default 'def'; export function bump() { return ++count; }"),
    ]);
    assert_eq!(
        text,
        "def 1 [object Function] [ \"a\", \"b\", \"bump\", \"count\", \"default\" ] | run 1 1"
    );
}

#[test]
fn modules_may_import_in_a_circle() {
    let text = logged(&[
        (
            "a.js",
            "import { b } from './b.js'; export function a() { return 'a'; } log(b()); ",
        ),
        (
            "b.js",
            "import { a } from './a.js'; export function b() { return 'b' + a(); }",
        ),
    ]);
    assert_eq!(text, "ba");
}

#[test]
fn built_in_modules_have_default_named_and_namespace_imports_and_lack_nothing() {
    let text = logged(&[(
        "main.js",
        "import http, { get, nope } from 'host/http'; import * as ns from 'host/http'; import named, { answer } from 'host/named';
         log(http.get(1), get(2), ns.get(3), typeof nope, typeof ns.other, answer, named.answer, ns.default === http); export {};",
    )]);
    assert_eq!(text, "got 1 got 2 got 3 object undefined 42 42 true");
}

#[test]
fn commonjs_files_require_files_modules_and_built_ins() {
    let text = logged(&[
        (
            "main.js",
            "const http = require('host/http'); const { twice } = require('./lib.js'); const esm = require('./esm.js');
             log(http.get(1), twice(4), esm.x, esm.default, require('./lib.js') === require('./lib.js'), typeof module, exports === module.exports);
             try { require('./gone.js') } catch (e) { log(e.message) }
             const late = './lib' + '.js'; log(require(late).twice(1));
             module.exports.default = function () { log('run'); };",
        ),
        ("lib.js", "exports.twice = (x) => x * 2; log('lib once', this === exports);"),
        ("esm.js", "export const x = 'x'; export default 'd';"),
    ]);
    assert_eq!(
        text,
        "lib once true | got 1 8 x d true object true | file:///gone.js does not exist | 2 | run"
    );
}

#[test]
fn modules_import_commonjs_files() {
    let text = logged(&[
        (
            "main.js",
            "import plain, { named, unseen } from './plain.js'; import * as ns from './plain.js'; import def, { z } from './compiled.js';
             log(plain, named, unseen, ns.other, def, z); export {};",
        ),
        ("plain.js", "module.exports = { named: 1, other: 2 };"),
        ("compiled.js", "Object.defineProperty(exports, '__esModule', { value: true }); exports.default = 'def'; exports.z = 3;"),
    ]);
    assert_eq!(text, "{ named: 1, other: 2 } 1 undefined 2 def 3");
}

#[test]
fn a_files_kind_follows_from_its_syntax() {
    let kind = |text: &str| {
        let program = build(&[("main.js", text)], builtins()).unwrap();
        program.sources().next().unwrap().1
    };
    assert_eq!(kind("let x = 1;"), ModuleKind::CommonJs);
    assert_eq!(
        kind("with ({}) {} var await = 1; await;"),
        ModuleKind::CommonJs
    );
    assert_eq!(
        kind("async function f() { await 1; }"),
        ModuleKind::CommonJs
    );
    assert_eq!(kind("export const x = 1;"), ModuleKind::Esm);
    assert_eq!(kind("import 'host/http';"), ModuleKind::Esm);
    assert_eq!(kind("await null;"), ModuleKind::Esm);
    assert_eq!(kind("for await (const x of []) {}"), ModuleKind::Esm);
}

#[test]
fn top_level_await_works() {
    let text = logged(&[
        (
            "main.js",
            "import { x } from './lib.js'; log(await Promise.resolve('tla'), x); sleep(1); await new Promise(r => setTimeout(r, 5)); log('later'); export {};",
        ),
        ("lib.js", "export const x = await Promise.resolve(1);"),
    ]);
    assert_eq!(text, "tla 1 | later");

    let (result, _) = run(&[("main.js", "await new Promise(() => {});")]);
    assert_eq!(
        result.unwrap_err().message,
        "top-level await in file:///main.js never finishes"
    );
}

#[test]
fn import_meta_knows_its_file() {
    let text = logged(&[(
        "main.js",
        "log(import.meta.url, import.meta.resolve('./x.txt'), import.meta.resolve('host/http')); export {};",
    )]);
    assert_eq!(text, "file:///main.js file:///x.txt host/http");
}

#[test]
fn dynamic_import_is_refused() {
    let text = logged(&[(
        "main.js",
        "export default async function () { try { await import('./main.js'); } catch (e) { log(e); } }",
    )]);
    assert_eq!(text, "dynamic modules not enabled in the host program");
}

#[test]
fn the_host_decides_when_require_is_allowed() {
    let program = build(
        &[("main.js", "exports.default = () => require('host/http');")],
        builtins(),
    )
    .unwrap();
    let host = Host::new();
    let (vm, _) = host.vm();
    let exports = host.run(vm.start_program(&program)).unwrap();
    vm.ctx()
        .set_require_policy(|_, specifier| Err(Exception::error(format!("not now: {specifier}"))));
    let error = host
        .run(vm.start_function(&exports.get("default").unwrap(), Vec::new()))
        .unwrap_err();
    assert_eq!(error.headline(), "Error: not now: host/http");
}

#[test]
fn typescript_runs_with_types_enums_and_namespaces() {
    let text = logged(&[
        (
            "main.ts",
            "import { Level, type Shape, unused } from './lib.ts';
             import http from 'host/http';
             namespace Deep { export const inner: number = 3; export namespace More { export const x = 'y'; } }
             class Point<T> { constructor(private readonly x: T, public y?: number) {} get(): T { return this.x!; } }
             function over(a: string): string; function over(a: any) { return a as string; }
             const s = { name: 'n' } satisfies Shape;
             abstract class A { abstract f(): void; declare z: number; }
             log(Level.High, Level[1], Deep.inner, Deep.More.x, new Point<number>(5).get(), over('o'), s.name, http.get(1));
             export default function (data: unknown): void { log('run', typeof data); }",
        ),
        ("lib.ts", "export enum Level { Low = 1, High }; export interface Shape { name: string } export const unused = 1;"),
    ]);
    assert_eq!(text, "2 Low 3 y 5 o n got 1 | run undefined");
}

#[test]
fn positions_in_typescript_are_those_of_the_source() {
    let source = "interface Long {\n  a: number;\n  b: string;\n}\n\nenum E { A, B }\n\nfunction fail(x: Long): never {\n    throw new Error('at ' + x.a);\n}\n\nexport default function () {\n  const l: Long = { a: 1, b: 'x' };\n  fail(l);\n}\n";
    let (result, _) = run(&[("main.ts", source)]);
    let error = result.unwrap_err();
    let places: Vec<(&str, u32)> = error
        .frames
        .iter()
        .map(|f| (f.function.as_str(), f.line))
        .collect();
    assert_eq!(places, [("fail", 9), ("default", 14)]);
    assert_eq!(error.frames[0].column, 11, "{error}");
    assert_eq!(error.frames[1].column, 3, "{error}");
}

#[test]
fn positions_in_commonjs_are_those_of_the_source() {
    let (result, _) = run(&[(
        "main.js",
        "exports.default = function f() { throw new Error('x'); };",
    )]);
    assert_eq!(result.unwrap_err().frames[0].column, 40);
    let (result, _) = run(&[("main.js", "#!/usr/bin/env k6\nthrow new Error('x');")]);
    let frame = result.unwrap_err().frames[0].clone();
    assert_eq!((frame.line, frame.column), (2, 7));
}

#[test]
fn all_mistakes_are_reported_at_once_with_their_places() {
    let found = errors(build(
        &[
            (
                "main.js",
                "import './gone.js';\nimport a from 'k6/nope';\n  import './lib.js';\nimport './bad.js';\nrequire('./tolerated.js');",
            ),
            ("lib.js", "export { x } from './also-gone.js';"),
            ("bad.js", "export const = 1;"),
        ],
        builtins(),
    ));
    assert_eq!(
        found,
        [
            "file:///main.js:1:8: file:///gone.js does not exist",
            "file:///main.js:2:15: unknown module \"k6/nope\"",
            "file:///lib.js:1:19: file:///also-gone.js does not exist",
            "file:///bad.js:1:14: Unexpected token",
        ]
    );
}

#[test]
fn syntax_errors_have_places_in_every_kind_of_file() {
    let first = |name: &str, text: &str| errors(build(&[(name, text)], builtins())).remove(0);
    assert_eq!(
        first("a.js", "let x = 1;\nlet y = (;"),
        "file:///a.js:2:10: Unexpected token"
    );
    assert_eq!(
        first("a.ts", "let x: number = 1;\n\nlet y: = 2;"),
        "file:///a.ts:3:8: Unexpected token"
    );
    assert!(
        first("a.js", "let x; let x;").starts_with("file:///a.js:1:"),
        "{}",
        first("a.js", "let x; let x;")
    );
    assert_eq!(
        errors(build(&[("main.js", "import './none.js'")], builtins())).len(),
        1
    );
}

#[test]
fn a_missing_export_of_a_file_is_an_error() {
    let (result, _) = run(&[
        ("main.js", "import { nope } from './lib.js'; export {}"),
        ("lib.js", "export const x = 1;"),
    ]);
    assert_eq!(
        result.unwrap_err().headline(),
        "SyntaxError: Could not find export 'nope' in module 'file:///lib.js'"
    );
}

#[test]
fn errors_of_init_code_have_frames_in_their_files() {
    let (result, _) = run(&[
        ("main.js", "import './lib.js';\nexport {}"),
        (
            "lib.js",
            "\n\nfunction f() { undefined.x; }\nf(); export {}",
        ),
    ]);
    let error = result.unwrap_err();
    assert_eq!(error.name, "TypeError");
    assert_eq!(
        (error.frames[0].file.as_str(), error.frames[0].line),
        ("file:///lib.js", 3)
    );
    let (result, _) = run(&[("main.js", "await null; throw new RangeError('tla')")]);
    assert_eq!(result.unwrap_err().headline(), "RangeError: tla");
}

#[test]
fn one_program_runs_in_many_runtimes_apart_from_each_other() {
    let program = build(&[("main.js", "let n = 0; export default function () { log(++n, globalThis.x = (globalThis.x || 0) + 1, (() => 1).toString()); }")], builtins()).unwrap();
    for _ in 0..3 {
        let (result, log) = run_program(&program);
        result.unwrap();
        assert_eq!(log.text(), "1 1 () => 1");
    }
}
