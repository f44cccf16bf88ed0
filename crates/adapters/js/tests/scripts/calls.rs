//! Calls: suspending from any depth, interrupting, interleaving, stack limits, panics.

use std::rc::Rc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use crate::host::{Host, Log};
use loadline_js::*;

fn function(vm: &Vm, source: &str) -> Value {
    vm.ctx()
        .eval(&format!("({source})"), "file:///test.js")
        .unwrap()
}

fn run(source: &str) -> (Result<Value, JsError>, Log, Host) {
    let host = Host::new();
    let (vm, log) = host.vm();
    let result = host.run(vm.start_function(&function(&vm, source), Vec::new()));
    (result, log, host)
}

#[test]
fn a_blocking_native_suspends_from_any_depth() {
    let (result, log, host) = run(
        "function () {
            const sorted = [3, 1, 2].sort((a, b) => { sleep(10); return a - b; });
            function* numbers() { for (let i = 0; i < 3; i++) { sleep(5); yield i; } }
            const o = { get slow() { sleep(7); return 'got'; } };
            let finished = false;
            try { try { sleep(1); throw new Error('x'); } finally { sleep(1); finished = true; } } catch (e) { sleep(1); }
            return [sorted, [...numbers()], o.slow, finished];
        }",
    );
    assert_eq!(
        inspect(&result.unwrap()).unwrap(),
        "[ [ 1, 2, 3 ], [ 0, 1, 2 ], \"got\", true ]"
    );
    assert!(host.now_ms() >= 20 + 15 + 7 + 3, "{}", host.now_ms());
    assert!(log.lines().is_empty());
}

#[test]
fn many_users_take_turns_on_one_thread() {
    let host = Host::new();
    let users: Vec<(Vm, Log)> = (0..20).map(|_| host.vm()).collect();
    let calls = users.iter().enumerate().map(|(i, (vm, _))| {
        let body = function(
            vm,
            "function (me) { let sum = 0; for (let i = 0; i < 10; i++) { sleep(1 + me % 3); sum += [1, 2].map(x => { sleep(1); return x * me; })[1]; } return sum; }",
        );
        vm.start_function(&body, vec![vm.ctx().number(i as f64)]).unwrap()
    });
    let results = host.run_all(calls.collect());
    for (i, result) in results.into_iter().enumerate() {
        assert_eq!(result.unwrap().as_f64(), Some(i as f64 * 20.0));
    }
    assert!(
        host.now_ms() < 100,
        "they wait at the same time: {}",
        host.now_ms()
    );
}

#[test]
fn a_script_that_only_computes_lets_others_run() {
    let host = Host::new();
    host.tick(Duration::from_micros(600));
    let (spinner, _) = host.vm();
    let (other, log) = host.vm();
    let spin = function(&spinner, "function () { while (true) {} }");
    let mut spinning = spinner.start_function(&spin, Vec::new()).unwrap();
    let mut cx = Context::from_waker(Waker::noop());

    assert!(spinning.poll(&mut cx).is_pending(), "its slice is over");
    let hello = function(&other, "function () { log('hello'); }");
    host.run(other.start_function(&hello, Vec::new())).unwrap();
    assert_eq!(log.text(), "hello");
    assert!(spinning.poll(&mut cx).is_pending());

    let error = spinning.stop::<NoLentType>(&mut ()).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Interrupted);
}

/// Polls until the call waits for something, then interrupts it.
fn interrupted(source: &str) -> (JsError, Log) {
    let host = Host::new();
    host.tick(Duration::from_micros(600));
    let (vm, log) = host.vm();
    let mut call = vm
        .start_function(&function(&vm, source), Vec::new())
        .unwrap();
    let mut cx = Context::from_waker(Waker::noop());
    assert!(call.poll(&mut cx).is_pending());
    call.interrupt();
    for _ in 0..3 {
        if let Poll::Ready(result) = call.poll(&mut cx) {
            let error = result.unwrap_err();
            // The runtime is as good as new afterwards.
            let after = function(&vm, "async function () { await null; return 1; }");
            host.tick(Duration::ZERO);
            host.run(vm.start_function(&after, Vec::new())).unwrap();
            return (error, log);
        }
    }
    panic!("it did not end");
}

#[test]
fn interrupting_a_blocked_native_cannot_be_caught() {
    let (error, log) = interrupted(
        "function () { try { try { sleep(1e6); } finally { log('finally'); } } catch (e) { log('caught'); } log('after'); }",
    );
    assert_eq!(error.kind, ErrorKind::Interrupted);
    assert_eq!(error.headline(), "InternalError: interrupted");
    assert_eq!(log.text(), "");
}

#[test]
fn interrupting_an_infinite_loop_cannot_be_caught() {
    let (error, log) = interrupted(
        "function () { while (true) { try { while (true) {} } catch (e) { log('caught'); } finally { log('finally'); } } }",
    );
    assert_eq!(error.kind, ErrorKind::Interrupted);
    assert_eq!(log.text(), "");
}

#[test]
fn interrupting_reaches_into_async_functions_and_timers() {
    for source in [
        "async function () { try { await null; sleep(1e6); } catch (e) { log('caught'); } finally { log('finally'); } }",
        "function () { setTimeout(() => { try { sleep(1e6); } catch (e) { log('caught'); } }, 0); }",
        "function () { setInterval(() => {}, 1e6); }",
        "function () { Promise.resolve().then(function again() { return Promise.resolve().then(again); }); }",
        "function () { [1].forEach(() => { for (const x of [1, 2]) { sleep(1e6); } }); }",
        "function () { const g = (function* () { try { sleep(1e6); yield 1; } finally { log('finally'); } })(); for (const x of g) {} }",
    ] {
        let (error, log) = interrupted(source);
        assert_eq!(error.kind, ErrorKind::Interrupted, "{source}");
        assert_eq!(log.text(), "", "{source}");
    }
}

#[test]
fn a_dropped_call_runs_to_its_end_and_frees_everything() {
    let host = Host::new();
    let (vm, _) = host.vm();
    let body = function(
        &vm,
        "function () { const kept = { big: new Array(1000) }; kept.self = kept; sleep(1e6); }",
    );
    let mut call = vm.start_function(&body, Vec::new()).unwrap();
    assert!(
        call.poll(&mut Context::from_waker(Waker::noop()))
            .is_pending()
    );
    drop(call);
    let never_started = vm.start_function(&body, Vec::new()).unwrap();
    drop(never_started);
    drop(body);
    drop(vm); // in debug builds QuickJS aborts when something leaks
}

#[test]
fn a_vm_may_go_before_its_call() {
    let host = Host::new();
    let (vm, _) = host.vm();
    let body = function(&vm, "function () { sleep(5); return 'done'; }");
    let call = vm.start_function(&body, Vec::new());
    drop((vm, body));
    assert_eq!(host.run(call).unwrap().as_text().as_deref(), Some("done"));
}

#[test]
fn deep_recursion_is_a_range_error() {
    let (result, log, _) = run("function () {
            let depth = 0;
            const deeper = () => { depth++; deeper(); };
            try { deeper(); } catch (e) { log(e instanceof RangeError, e.message); }
            const viaNative = () => [1].map(viaNative);
            try { viaNative(); } catch (e) { log(e.message); }
            const viaHost = () => { sleep(0); viaHost(); };
            try { viaHost(); } catch (e) { log(e.message); }
            let nested = []; for (let i = 0; i < 50000; i++) nested = [nested];
            try { JSON.stringify(nested); } catch (e) { log(e.message); }
            try { JSON.parse('['.repeat(50000)); } catch (e) { log(e.message); }
            return depth > 1000;
        }");
    assert_eq!(result.unwrap().as_bool(), Some(true));
    let lines = log.lines();
    assert_eq!(lines[0], "true Maximum call stack size exceeded");
    assert_eq!(lines.len(), 5);
    assert!(
        lines[1..4]
            .iter()
            .all(|line| line == "Maximum call stack size exceeded"),
        "{lines:?}"
    );
}

#[test]
fn a_panic_in_a_native_function_ends_the_call_and_nothing_else() {
    let host = Host::new();
    let (vm, log) = host.vm();
    vm.ctx()
        .global()
        .method("boom", 0, |_, _| -> Result<(), Exception> {
            panic!("boom at {}", 7)
        })
        .unwrap();
    let body = function(
        &vm,
        "function () { try { [1].map(() => boom()); } catch (e) { log('caught'); } finally { log('finally'); } }",
    );
    let error = host.run(vm.start_function(&body, Vec::new())).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Fatal);
    assert_eq!(error.message, "internal error: boom at 7");
    assert_eq!(log.text(), "");

    let again = function(&vm, "function () { return 1; }");
    assert_eq!(
        host.run(vm.start_function(&again, Vec::new()))
            .unwrap()
            .as_f64(),
        Some(1.0)
    );
}

#[test]
fn a_panic_in_a_blocking_future_ends_the_call() {
    let host = Host::new();
    let (vm, _) = host.vm();
    vm.ctx()
        .global()
        .method("wait", 0, |ctx, _| {
            ctx.block_on(std::future::poll_fn(|_| -> Poll<()> { panic!("in poll") }))?;
            Ok(())
        })
        .unwrap();
    let body = function(&vm, "function () { wait(); }");
    let error = host.run(vm.start_function(&body, Vec::new())).unwrap_err();
    assert_eq!(
        (error.kind, error.message.as_str()),
        (ErrorKind::Fatal, "internal error: in poll")
    );
}

/// Host data that panics when it is dropped.
struct Brittle;

impl Drop for Brittle {
    fn drop(&mut self) {
        assert!(std::thread::panicking(), "dropped");
    }
}

/// A finalizer is called by QuickJS and cannot throw; unwinding through C would abort.
#[test]
fn a_panic_while_garbage_is_freed_ends_the_call() {
    for body in [
        "function () { brittle(); }",
        "function () { brittle(); for (;;) { } }",
        "function () { try { brittle(); for (;;) { } } catch (e) { log('caught'); } }",
    ] {
        let host = Host::new();
        let (vm, log) = host.vm();
        let global = vm.ctx().global();
        global
            .method("brittle", 0, |ctx, _| {
                ctx.host_object(&ctx.object()?, Rc::new(Brittle))
            })
            .unwrap();
        let body = function(&vm, body);
        let error = host.run(vm.start_function(&body, Vec::new())).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Fatal);
        assert_eq!(error.message, "internal error: dropped");
        assert_eq!(log.text(), "");
    }
}

/// Mixing up two runtimes is caught before QuickJS sees it, and ends the call.
#[test]
fn a_value_of_another_runtime_ends_the_call() {
    let host = Host::new();
    let (vm, _) = host.vm();
    let (other, _) = host.vm();
    let foreign = other.ctx().object().unwrap();
    let give = move |_: &Ctx, _: &Args<'_>| Ok(foreign.clone());
    vm.ctx().global().method("foreign", 0, give).unwrap();
    let body = function(&vm, "function () { return foreign(); }");
    let error = host.run(vm.start_function(&body, Vec::new())).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Fatal);
}

#[test]
fn garbage_is_collected_while_users_are_suspended() {
    let host = Host::new();
    let (vm, _) = host.vm();
    let body = function(
        &vm,
        "function () {
            let kept = { list: [] };
            for (let i = 0; i < 50; i++) {
                const cycle = { i }; cycle.self = cycle;
                kept.list.push([i, { cycle }]);
                sleep(1);
            }
            return kept.list.every(([i, o], at) => i === at && o.cycle.self.i === i);
        }",
    );
    let mut call = vm.start_function(&body, Vec::new()).unwrap();
    let mut cx = Context::from_waker(Waker::noop());
    let result = loop {
        match call.poll(&mut cx) {
            Poll::Ready(result) => break result,
            Poll::Pending => {
                vm.collect_garbage();
                host.advance();
            }
        }
    };
    assert_eq!(result.unwrap().as_bool(), Some(true));
}

struct Counter<'a>(&'a mut u32);
struct LendCounter;
impl LentType for LendCounter {
    type Of<'a> = Counter<'a>;
}

#[test]
fn natives_see_what_is_lent_for_each_resume() {
    let host = Host::new();
    let (vm, _) = host.vm();
    vm.ctx()
        .global()
        .method("count", 0, |ctx, _| {
            ctx.lent::<LendCounter, _>(|counter| *counter.0 += 1)
                .ok_or_else(|| Exception::error("nothing lent"))
        })
        .unwrap();
    vm.ctx()
        .global()
        .method("blockInside", 0, |ctx, _| {
            ctx.lent::<LendCounter, _>(|_| ctx.block_on(std::future::pending::<()>()));
            Ok(())
        })
        .unwrap();
    let body = function(&vm, "function () { count(); count(); sleep(1); count(); }");
    let mut call = vm.start_function(&body, Vec::new()).unwrap();
    let mut cx = Context::from_waker(Waker::noop());
    let (mut first, mut second) = (0, 0);
    assert!(
        call.resume::<LendCounter>(&mut cx, &mut Counter(&mut first))
            .is_pending()
    );
    host.advance();
    assert!(
        call.resume::<LendCounter>(&mut cx, &mut Counter(&mut second))
            .is_ready()
    );
    assert_eq!((first, second), (2, 1));
    drop(call);

    let error = host.run(vm.start_function(&body, Vec::new())).unwrap_err();
    assert_eq!(error.headline(), "Error: nothing lent");

    let inside = function(&vm, "function () { blockInside(); }");
    let mut call = vm.start_function(&inside, Vec::new()).unwrap();
    let Poll::Ready(result) = call.resume::<LendCounter>(&mut cx, &mut Counter(&mut first)) else {
        panic!("blocking with the loan out must fail at once")
    };
    assert_eq!(result.unwrap_err().kind, ErrorKind::Fatal);
}

#[test]
fn the_event_loop_runs_microtasks_then_timers_until_nothing_is_pending() {
    let (result, log, host) = run(
        "function () {
            setTimeout(() => log('late'), 20);
            setTimeout((a, b) => { log('timer', a, b); Promise.resolve().then(() => log('micro of timer')); }, 0, 1, 2);
            const n = setInterval(() => { log('tick'); if (++ticks === 2) clearInterval(n); }, 5);
            let ticks = 0;
            Promise.resolve().then(() => log('micro'));
            clearTimeout(setTimeout(() => log('never'), 1));
            log('sync');
            return 'value';
        }",
    );
    assert_eq!(result.unwrap().as_text().as_deref(), Some("value"));
    assert_eq!(
        log.text(),
        "sync | micro | timer 1 2 | micro of timer | tick | tick | late"
    );
    assert_eq!(host.now_ms(), 20);
}

#[test]
fn an_error_in_a_timer_fails_the_call_and_forgets_the_rest() {
    let (result, log, _) = run(
        "function () { setTimeout(() => { throw new TypeError('in timer'); }, 1); setTimeout(() => log('never'), 2); }",
    );
    let error = result.unwrap_err();
    assert_eq!(error.headline(), "TypeError: in timer");
    assert_eq!(log.text(), "");
}

#[test]
fn background_work_completes_on_the_event_loop() {
    let host = Host::new();
    let (vm, log) = host.vm();
    let timer = Rc::clone(&host.options.timer);
    vm.ctx()
        .global()
        .method("later", 2, move |ctx, args| {
            let at =
                ctx.now() + Duration::from_millis(u64::from(args.get(0).to_i32()?.unsigned_abs()));
            let fails = args.get(1).truthy();
            ctx.spawn_promise(timer.sleep_until(at), move |_, ()| {
                if fails {
                    Err(Exception::type_error("failed"))
                } else {
                    Ok("done")
                }
            })
        })
        .unwrap();
    let body = function(
        &vm,
        "async function () {
            const both = Promise.allSettled([later(30), later(10, true)]);
            log(await later(5));
            sleep(100);
            const [a, b] = await both;
            log(a.value, String(b.reason));
        }",
    );
    host.run(vm.start_function(&body, Vec::new())).unwrap();
    assert_eq!(log.text(), "done | done TypeError: failed");
    assert_eq!(
        host.now_ms(),
        105,
        "background work goes on while the script blocks"
    );
}

#[test]
fn unhandled_rejections_are_reported_once_the_microtasks_ran() {
    let host = Host::new();
    let (vm, log) = host.vm();
    let seen = log.clone();
    vm.ctx().on_unhandled_rejection(move |_, reason| {
        seen.0
            .borrow_mut()
            .push(format!("unhandled {}", inspect(reason)?));
        Ok(())
    });
    let body = function(
        &vm,
        "async function () { const p = Promise.reject(1); p.catch(() => log('handled')); Promise.reject(new Error('lost')); throw 2; }",
    );
    let result = host.run(vm.start_function(&body, Vec::new())).unwrap();
    assert!(matches!(
        result.promise_state(),
        Some(PromiseState::Rejected(_))
    ));
    assert_eq!(log.text(), "handled | unhandled Error: lost | unhandled 2");
}

#[test]
fn errors_tell_name_message_and_frames() {
    let (result, ..) =
        run("function outer() {\n  const inner = () => { null.x; };\n  [1].map(inner);\n}");
    let error = result.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Exception);
    assert_eq!(
        error.to_string(),
        "TypeError: Cannot read property 'x' of undefined\n\tat inner (file:///test.js:2:25)\n\tat map (native)\n\tat outer (file:///test.js:3:10)"
    );
    let (result, ..) = run("function () { throw { code: 5 }; }");
    assert_eq!(result.unwrap_err().headline(), "{ code: 5 }");
    let (result, ..) = run("function () { throw undefined; }");
    assert_eq!(result.unwrap_err().headline(), "undefined");
}

#[test]
fn memory_limits_throw_and_the_runtime_goes_on() {
    let mut host = Host::new();
    host.options.memory_limit = Some(4 << 20);
    let (vm, _) = host.vm();
    let body = function(
        &vm,
        "function () { const all = []; while (true) all.push(new Array(1000).fill('x')); }",
    );
    let error = host.run(vm.start_function(&body, Vec::new())).unwrap_err();
    assert_eq!(error.headline(), "InternalError: out of memory");
    // Small objects leave no room for the error: `null` was thrown.
    for each in [
        "{ a: all.length, b: [1, 2, 3] }",
        "[all.length]",
        "all.length + 'x'",
    ] {
        let text = format!("function () {{ const all = []; while (true) all.push({each}); }}");
        let error = host.run(vm.start_function(&function(&vm, &text), Vec::new()));
        let headline = error.unwrap_err().headline();
        assert_eq!(headline, "InternalError: out of memory", "{each}");
    }
    let body = function(&vm, "function () { return 1; }");
    assert!(host.run(vm.start_function(&body, Vec::new())).is_ok());
}

#[test]
fn random_numbers_follow_the_seed() {
    let first = |seed| {
        let vm = Vm::new(&VmOptions {
            random_seed: Some(seed),
            ..VmOptions::default()
        })
        .unwrap();
        vm.ctx()
            .eval("Math.random()", "t.js")
            .unwrap()
            .as_f64()
            .unwrap()
    };
    assert_eq!(first(7).to_bits(), first(7).to_bits());
    assert_ne!(first(7).to_bits(), first(8).to_bits());
}
