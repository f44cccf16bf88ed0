//! `k6/execution`: information about the run, for scripts.

mod tags;

use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

use loadline_js::{Args, Attributes, Ctx, Exception, Exports, IntoJs, Value};
use loadline_testplan::Stripe;
use loadline_units::{ScenarioId, Time};
use loadline_vu::{Cx, IterationKind, LifecycleStage, RunState, ScenarioState, StopCause};

use crate::host::with_cx;
use crate::host::{Host, Phase};
use crate::log::LogLevel;
use crate::modules::freeze::freeze;
use crate::modules::go_error::go_error;
use crate::modules::running::require_running;

pub(crate) fn exports(ctx: &Ctx) -> Result<Exports, Exception> {
    let mut exports = Exports::new();
    let parts: [(&str, Value, Asked); 4] = [
        ("instance", instance(ctx)?, |ctx| require_instance(ctx)),
        ("scenario", scenario(ctx)?, |ctx| {
            current_scenario(ctx, &Host::from_ctx(ctx)).map(drop)
        }),
        ("test", test(ctx)?, |_| Ok(())),
        ("vu", vu(ctx)?, |ctx| {
            require_running(ctx, "getting VU information")
        }),
    ];
    let whole = ctx.object()?;
    for (name, part, may_be_asked) in parts {
        let getter = ctx.function_with(name, 0, vec![part.clone()], move |ctx, args| {
            may_be_asked(ctx)?;
            Ok(args.slot(0))
        })?;
        whole.define_fixed_accessor(name, &getter)?;
        exports.add(name, part);
    }
    exports.set_default(whole);
    Ok(exports)
}

/// Fails where a part of the module cannot be asked.
type Asked = fn(&Ctx) -> Result<(), Exception>;

/// Milliseconds since 1970 of an instant of the run's clock.
fn epoch_millis(host: &Host, at: Time, now: Time) -> f64 {
    let wall = host.shared.since_epoch().as_secs_f64() * 1000.0;
    (wall - now.millis_since(at)).round()
}

fn scenario(ctx: &Ctx) -> Result<Value, Exception> {
    let object = ctx.object()?;
    object.getter("name", |ctx, _| {
        let host = Host::from_ctx(ctx);
        let scenario = current_scenario(ctx, &host)?.0;
        let settings = host.shared.settings();
        Ok(settings.scenarios[scenario.index()].name.clone())
    })?;
    object.getter("executor", |ctx, _| {
        let host = Host::from_ctx(ctx);
        let scenario = current_scenario(ctx, &host)?.0;
        let settings = host.shared.settings();
        Ok(settings.scenarios[scenario.index()].executor.clone())
    })?;
    object.getter("startTime", |ctx, _| {
        let host = Host::from_ctx(ctx);
        on_scenario(ctx, |state, now| {
            epoch_millis(&host, state.started().unwrap_or(now), now)
        })
    })?;
    object.getter("progress", |ctx, _| {
        on_scenario(ctx, ScenarioState::progress)
    })?;
    object.getter("iterationInInstance", |ctx, _| {
        Ok(current_scenario(ctx, &Host::from_ctx(ctx))?.1)
    })?;
    object.getter("iterationInTest", |ctx, _| {
        let host = Host::from_ctx(ctx);
        let (scenario, number) = current_scenario(ctx, &host)?;
        let stripe = &host.shared.settings().scenarios[scenario.index()].stripe;
        Ok(in_test(stripe.as_ref(), number))
    })?;
    Ok(object)
}

/// A number among those of all generators of the test.
fn in_test(stripe: Option<&Stripe>, number: u64) -> u64 {
    stripe.map_or(number, |stripe| stripe.number(number))
}

/// The scenario of the running iteration and the iteration's number in it.
fn current_scenario(ctx: &Ctx, host: &Host) -> Result<(ScenarioId, u64), Exception> {
    let running = host.phase.get() == Phase::Iteration;
    match host.iteration.get().map(|iteration| iteration.work) {
        Some(IterationKind::Scenario { scenario, number }) if running => Ok((scenario, number)),
        _ => Err(go_error(
            ctx,
            "getting scenario information outside of the VU context is not supported",
        )),
    }
}

fn on_scenario(
    ctx: &Ctx,
    read: impl FnOnce(&ScenarioState, Time) -> f64,
) -> Result<Option<f64>, Exception> {
    let (scenario, _) = current_scenario(ctx, &Host::from_ctx(ctx))?;
    Ok(with_cx(ctx, |cx| {
        read(cx.run_state.scenario(scenario), cx.now())
    }))
}

fn instance(ctx: &Ctx) -> Result<Value, Exception> {
    type Counter = fn(&RunState) -> &AtomicU64;
    let object = ctx.object()?;
    let counters: [(&str, Counter); 4] = [
        ("iterationsCompleted", |run_state| &run_state.complete),
        ("iterationsInterrupted", |run_state| &run_state.interrupted),
        ("vusActive", |run_state| &run_state.users_active),
        ("vusInitialized", |run_state| &run_state.users),
    ];
    for (name, counter) in counters {
        object.getter(name, move |ctx, _| {
            on_instance(ctx, |cx| {
                counter(cx.run_state).load(Ordering::Relaxed) as f64
            })
        })?;
    }
    object.getter("currentTestRunDuration", |ctx, _| {
        on_instance(ctx, |cx| {
            let now = cx.now();
            cx.run_state
                .started()
                .map_or(0.0, |at| now.millis_since(at))
        })
    })?;
    Ok(object)
}

/// Reads what workers share; the stages after the load are outside an instance.
fn on_instance(ctx: &Ctx, read: impl FnOnce(&Cx<'_>) -> f64) -> Result<Option<f64>, Exception> {
    require_instance(ctx)?;
    Ok(with_cx(ctx, |cx| read(cx)))
}

fn require_instance(ctx: &Ctx) -> Result<(), Exception> {
    let host = Host::from_ctx(ctx);
    let work = host.iteration.get().map(|iteration| iteration.work);
    let after = matches!(
        work,
        Some(IterationKind::Stage(
            LifecycleStage::Teardown | LifecycleStage::Summarize
        ))
    );
    if after || host.is_init() {
        return Err(go_error(
            ctx,
            "getting instance information in the init context is not supported",
        ));
    }
    Ok(())
}

fn test(ctx: &Ctx) -> Result<Value, Exception> {
    let object = ctx.object()?;
    object.getter("options", |ctx, _| {
        let host = Host::from_ctx(ctx);
        require_running(ctx, "getting test options")?;
        if let Some(options) = ctx.common::<Options>() {
            return Ok(options.0.clone());
        }
        let options = ctx.parse_json(host.shared.settings().options_json.to_string())?;
        freeze(&options)?;
        ctx.set_common(Rc::new(Options(options.clone())));
        Ok(options)
    })?;
    object.define("abort", ctx.function("abort", 1, abort)?, Attributes::FIXED)?;
    object.define("fail", ctx.function("fail", 1, fail)?, Attributes::FIXED)?;
    Ok(object)
}

/// The frozen object of all options, made when first read.
struct Options(Value);

/// `test.abort(reason?)`: ends this iteration and the run; teardown still runs.
fn abort(ctx: &Ctx, args: &Args<'_>) -> Result<(), Exception> {
    let reason = match args.given(0) {
        Some(reason) => reason.to_text()?,
        None => String::new(),
    };
    let host = Host::from_ctx(ctx);
    host.aborted.replace(Some(reason.clone()));
    with_cx(ctx, |cx| {
        cx.run_state
            .request_stop(StopCause::Aborted { message: reason })
    });
    Err(Exception::fatal("test aborted"))
}

/// `test.fail(reason?)`: the run continues and its result is a failure.
fn fail(ctx: &Ctx, args: &Args<'_>) -> Result<(), Exception> {
    let host = Host::from_ctx(ctx);
    if host.is_init() {
        return Err(Exception::error(
            "execution.test.fail() called outside of VU context",
        ));
    }
    let mut message = "test marked as failed".to_owned();
    if let Some(reason) = args.given(0) {
        message = format!("{message}: {}", reason.to_text()?);
    }
    with_cx(ctx, |cx| cx.run_state.mark_failed());
    host.log(LogLevel::Error, message);
    Ok(())
}

fn vu(ctx: &Ctx) -> Result<Value, Exception> {
    let object = ctx.object()?;
    running_getter(&object, "idInInstance", |host| host.vu.0)?;
    running_getter(&object, "idInTest", |host| {
        let stripe = host.shared.settings().stripe.as_ref();
        // Numbered from 1; set-up and teardown have user 0.
        host.vu
            .0
            .checked_sub(1)
            .map_or(0, |before| in_test(stripe, before) + 1)
    })?;
    running_getter(&object, "iterationInInstance", |host| {
        host.iteration.get().map_or(0, |i| i.of_user)
    })?;
    running_getter(&object, "iterationInScenario", |host| {
        host.iteration.get().map_or(0, |i| i.of_user_in_scenario)
    })?;
    let views = tags::views(ctx)?;
    let metrics = ctx.object()?;
    tags::view_property(ctx, &object, "tags", &views, "tags")?;
    tags::view_property(ctx, &metrics, "tags", &views, "tags")?;
    tags::view_property(ctx, &metrics, "metadata", &views, "metadata")?;
    object.set("metrics", metrics)?;
    Ok(object)
}

fn running_getter<R: IntoJs>(
    object: &Value,
    name: &str,
    read: impl Fn(&Host) -> R + 'static,
) -> Result<(), Exception> {
    object.getter(name, move |ctx, _| {
        let host = Host::from_ctx(ctx);
        require_running(ctx, "getting VU information")?;
        Ok(read(&host))
    })
}
