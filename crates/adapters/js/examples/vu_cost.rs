//! What a virtual user costs: memory and start-up time per runtime.
//!
//! `cargo run --release -p loadline-js --example vu_cost [COUNT] [large]`

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "an example that reports"
)]
#![expect(clippy::disallowed_methods, reason = "it measures real time")]

use std::fmt::Write;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Instant;

use loadline_js::{
    Builtins, Call, Exports, Loader, Program, SourceFile, Stacks, Value, Vm, VmOptions,
};

struct One(String);

impl Loader for One {
    fn resolve(&self, specifier: &str, _: &str) -> Result<String, String> {
        Err(format!("{specifier} is not here"))
    }

    fn load(&self, _: &str) -> Result<SourceFile, String> {
        Ok(SourceFile {
            text: self.0.clone(),
            typescript: false,
        })
    }
}

fn main() {
    let mut args = std::env::args().skip(1);
    let count: usize = args.next().map_or(1000, |n| n.parse().unwrap());
    let large = args.next().is_some();
    let mut source = String::from(
        "import { get, check } from 'host/api';\nlet last;\nexport default function () { const r = get('http://x/'); check(r, { ok: (r) => r.status === 200 }); last = r; }\n",
    );
    for i in 0..if large { 600 } else { 0 } {
        writeln!(source, "export function f{i}(a, b) {{ const list = [a, b, {i}].map((x) => ({{ name: 'item' + x, value: x * {i}, nested: {{ deep: [x, 'text {i}'] }} }})); let sum = 0; for (const item of list) {{ if (item.value > 10) {{ sum += item.value; }} else {{ sum -= item.nested.deep.length; }} }} return sum; }}").unwrap();
    }
    let mut builtins = Builtins::new();
    builtins.add("host/api", |ctx| {
        let mut exports = Exports::new();
        exports.add(
            "get",
            ctx.function("get", 1, |ctx, _| {
                let response = ctx.object()?;
                response.set(ctx.intern("status"), 200)?;
                Ok(response)
            })?,
        );
        exports.add(
            "check",
            ctx.function("check", 2, |_, args| {
                let checks = args.get(1);
                for key in checks.keys()? {
                    checks.get(&key)?.invoke(&[args.get(0)])?;
                }
                Ok(true)
            })?,
        );
        Ok(exports)
    });
    let size = source.len();
    let started = Instant::now();
    let program =
        Arc::new(Program::build("file:///x.js", Arc::new(One(source)), builtins).unwrap());
    println!(
        "source {} KiB, compiled once in {:?}",
        size / 1024,
        started.elapsed()
    );
    let options = VmOptions {
        stacks: Stacks::default(),
        ..VmOptions::default()
    };
    let before = resident_kib();
    let started = Instant::now();
    let users: Vec<(Vm, Value)> = (0..count)
        .map(|_| {
            let vm = Vm::new(&options).unwrap();
            let exports = finish(vm.start_program(&program).unwrap());
            let default = exports.get("default").unwrap();
            (vm, default)
        })
        .collect();
    let took = started.elapsed();
    println!(
        "{count} users: {:.1} KiB and {:.0} us each ({} KiB counted by QuickJS)",
        (resident_kib() - before) as f64 / count as f64,
        took.as_micros() as f64 / count as f64,
        users[0].0.memory_used() / 1024,
    );
    let started = Instant::now();
    let rounds = 200_000 / count;
    for _ in 0..rounds {
        for (vm, default) in &users {
            finish(vm.start_function(default, Vec::new()).unwrap());
        }
    }
    let each = started.elapsed().as_nanos() as f64 / (rounds * count) as f64;
    println!(
        "iteration: {each:.0} ns; {:.1} KiB each",
        (resident_kib() - before) as f64 / count as f64
    );
}

fn finish(mut call: Call) -> Value {
    match call.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => result.unwrap(),
        Poll::Pending => panic!("it waits for nothing"),
    }
}

fn resident_kib() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap();
    statm.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * 4
}
