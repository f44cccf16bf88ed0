//! `k6`: check, group, sleep, fail, randomSeed.
//!
//! `group` also takes async functions, which k6 refuses. It waits for them, so that all
//! that happens until then has the group's tags, and so that its length is known; other
//! work of the user goes on meanwhile, other users always do. `check` refuses them as k6
//! does: a promise in place of its answer would always be true.

use std::time::Duration;

use loadline_js::{Args, Atom, Ctx, Exception, Exports, PromiseState, Value};
use loadline_metrics::builtin;

use crate::host::Host;
use crate::host::with_cx;
use crate::modules::go_error::go_error;
use crate::modules::tags::tags_of;

/// k6's words for a check that is an async function.
const ASYNC_CHECK: &str = "the built-in check() does not support async functions as arguments. Use the JavaScript utils library as a replacement. Refer to https://grafana.com/docs/k6/latest/javascript-api/jslib/utils/check/ for more info";

pub(crate) fn exports(ctx: &Ctx) -> Result<Exports, Exception> {
    let mut exports = Exports::new();
    exports.add("check", ctx.function("check", 2, check)?);
    exports.add("group", ctx.function("group", 2, group)?);
    exports.add("sleep", ctx.function("sleep", 1, sleep)?);
    exports.add("fail", ctx.function("fail", 1, fail)?);
    exports.add("randomSeed", ctx.function("randomSeed", 1, random_seed)?);
    Ok(exports)
}

/// Waits for a promise; what it came to.
fn awaited(ctx: &Ctx, promise: &Value) -> Result<Option<Value>, Exception> {
    // The caller handles the result.
    promise.mark_handled();
    ctx.settle(promise)?;
    match promise.promise_state() {
        Some(PromiseState::Fulfilled(value)) => Ok(Some(value)),
        Some(PromiseState::Rejected(reason)) => Err(Exception::thrown(reason)),
        Some(PromiseState::Pending) | None => Ok(None),
    }
}

/// `check(value, {name: test}, tags?)`: a sample of `checks` for each; true if all passed.
fn check(ctx: &Ctx, args: &Args<'_>) -> Result<bool, Exception> {
    let host = Host::from_ctx(ctx);
    if host.is_init() {
        return Err(go_error(
            ctx,
            "Using check() in the init context is not supported",
        ));
    }
    let (value, tests) = (args.get(0), args.get(1));
    if args.len() < 2 {
        return Err(go_error(ctx, "no checks provided to `check`"));
    }
    if tests.is_nullish() {
        return Err(Exception::type_error(
            "Cannot convert undefined or null to object",
        ));
    }
    let own_tags = match args.given(2) {
        Some(tags) => tags_of(&tags)?,
        None => Vec::new(),
    };
    let mut all_passed = true;
    for key in tests.keys()? {
        let place = match host.checks.find(&key) {
            Some(place) => place,
            None => {
                let name = key.to_text();
                if name.contains("::") {
                    return Err(go_error(ctx, "group and check names may not contain '::'"));
                }
                host.checks.add(key.clone(), &name)
            }
        };
        let name = host.checks.name(place);
        let test = tests.get(&key)?;
        if test.is_async_function() {
            return Err(go_error(ctx, ASYNC_CHECK));
        }
        let outcome = if test.is_function() {
            test.invoke(std::slice::from_ref(&value))
        } else {
            Ok(test)
        };
        let passed = outcome.as_ref().is_ok_and(Value::truthy);
        record(ctx, &host, &key, &name, passed, &own_tags);
        outcome?;
        all_passed &= passed;
    }
    Ok(all_passed)
}

fn record(
    ctx: &Ctx,
    host: &Host,
    key: &Atom,
    name: &str,
    passed: bool,
    own_tags: &[(String, String)],
) {
    with_cx(ctx, |cx| {
        let base = host.tags.borrow_mut().set_id(cx.shard);
        let shows_name = || host.has_system_tag("check");
        // Looked up again: a check within a test may have moved it.
        let place = host.checks.find(key).filter(|_| own_tags.is_empty());
        let tags = match place {
            Some(place) => host.checks.tags(place, base, |name| {
                let tags: &[(&str, &str)] = if shows_name() {
                    &[("check", name)]
                } else {
                    &[]
                };
                cx.shard.tags.extend(base, tags)
            }),
            None => {
                let name = shows_name().then_some(("check", name));
                let own = own_tags.iter().map(|(k, v)| (k.as_str(), v.as_str()));
                let tags: Vec<(&str, &str)> = name.into_iter().chain(own).collect();
                cx.shard.tags.extend(base, &tags)
            }
        };
        cx.shard
            .record(builtin::CHECKS, tags, f64::from(u8::from(passed)));
    });
    if let Some((watch, place)) = host.watched() {
        watch.check(&place, name, passed);
    }
}

/// `group(name, f)`: samples within carry the group; its length is one of `group_duration`.
/// Of an async function a promise, settled by the time there is one.
fn group(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let host = Host::from_ctx(ctx);
    if host.is_init() {
        return Err(go_error(
            ctx,
            "Using group() in the init context is not supported",
        ));
    }
    let name = args.get(0).to_text()?;
    let body = args.get(1);
    if !body.is_function() {
        return Err(go_error(
            ctx,
            "group() requires a callback as a second argument",
        ));
    }
    if name.contains("::") {
        return Err(go_error(ctx, "group and check names may not contain '::'"));
    }
    let path = format!("{}::{name}", host.tags.borrow().group());
    let left = host.tags.borrow_mut().set_group(path);
    let started = ctx.now();
    let mut result = body.invoke(&[]);
    if body.is_async_function() {
        result = result.and_then(|promise| settled(ctx, promise));
    }
    let millis = ctx.now().millis_since(started);
    with_cx(ctx, |cx| {
        let tags = host.tags.borrow_mut().set_id(cx.shard);
        cx.shard.record(builtin::GROUP_DURATION, tags, millis);
    });
    host.tags.borrow_mut().set_group(left);
    result
}

/// A promise that has the outcome of `promise`, once that has one.
fn settled(ctx: &Ctx, promise: Value) -> Result<Value, Exception> {
    let outcome = match awaited(ctx, &promise) {
        Ok(None) => return Ok(promise),
        Ok(Some(value)) => Ok(value),
        Err(exception) => Err(exception),
    };
    let (told, resolver) = ctx.promise()?;
    resolver.settle(ctx, outcome)?;
    Ok(told)
}

/// `sleep(seconds)`: other users go on meanwhile.
fn sleep(ctx: &Ctx, args: &Args<'_>) -> Result<(), Exception> {
    let seconds = match args.given(0) {
        Some(value) => value.to_number()?,
        None => 0.0,
    };
    let host = Host::from_ctx(ctx);
    if host.is_init() {
        return Ok(());
    }
    let Ok(length) = Duration::try_from_secs_f64(seconds.max(0.0)) else {
        return Ok(()); // not a number, or longer than time
    };
    if length.is_zero() {
        return Ok(());
    }
    let until = ctx.now() + length;
    let Some(handle) = with_cx(ctx, |cx| cx.reactor.clone()) else {
        return Ok(());
    };
    ctx.block_on(handle.sleep_until(until))?;
    Ok(())
}

/// `fail(message)`: ends the iteration.
fn fail(ctx: &Ctx, args: &Args<'_>) -> Result<(), Exception> {
    let message = if args.is_empty() {
        String::new()
    } else {
        args.get(0).to_text()?
    };
    Err(go_error(ctx, message))
}

/// `randomSeed(n)`: makes `Math.random` repeat itself.
fn random_seed(ctx: &Ctx, args: &Args<'_>) -> Result<(), Exception> {
    ctx.seed_random(args.get(0).to_i64()?.cast_unsigned());
    Ok(())
}
