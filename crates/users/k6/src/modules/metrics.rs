//! `k6/metrics`: Counter, Gauge, Rate and Trend, the custom metrics of scripts.

use loadline_js::{Args, Attributes, Ctx, Exception, Exports, Value};
use loadline_metrics::{Kind, MetricId, ValueType};

use crate::host::with_cx;
use crate::host::{Host, shown};
use crate::log::LogLevel;
use crate::modules::go_error::go_error;
use crate::modules::tags::tag_text;

/// Longest part of a refused value that a message repeats, in characters.
const SHOWN_CHARACTERS_MAX: usize = 64;

struct Metric {
    id: MetricId,
    name: Box<str>,
}

pub(crate) fn exports(ctx: &Ctx) -> Result<Exports, Exception> {
    let mut exports = Exports::new();
    for (name, kind) in [
        ("Counter", Kind::Counter),
        ("Gauge", Kind::Gauge),
        ("Rate", Kind::Rate),
        ("Trend", Kind::Trend),
    ] {
        exports.add(name, class(ctx, name, kind)?);
    }
    Ok(exports)
}

fn class(ctx: &Ctx, name: &'static str, kind: Kind) -> Result<Value, Exception> {
    // As in k6, `new` may be left out, and what it makes is a plain object whose `add` can be
    // taken from it.
    let constructor = ctx.constructor(name, 2, move |ctx, args| {
        let metric = declare(ctx, args, kind)?;
        let object = ctx.object()?;
        object.define("name", &*metric.name, Attributes::FIXED)?;
        let add = ctx.function("add", 2, move |ctx, args| add(ctx, args, &metric))?;
        object.set("add", add)?;
        Ok(object)
    })?;
    let prototype = ctx.object()?;
    prototype.define("constructor", &constructor, Attributes::HIDDEN)?;
    constructor.define("prototype", &prototype, Attributes::NONE)?;
    Ok(constructor)
}

/// `new Kind(name, isTime?)`
fn declare(ctx: &Ctx, args: &Args<'_>, kind: Kind) -> Result<Metric, Exception> {
    let host = Host::from_ctx(ctx);
    if !host.is_init() {
        return Err(go_error(
            ctx,
            "metrics must be declared in the init context",
        ));
    }
    let name = match args.given(0) {
        Some(name) => name.to_text()?,
        None => String::new(),
    };
    let contains = if args.get(1).truthy() {
        ValueType::Time
    } else {
        ValueType::Default
    };
    let id = host
        .shared
        .registry
        .register(&name, kind, contains)
        .map_err(|error| go_error(ctx, error.k6_text()))?;
    Ok(Metric {
        id,
        name: name.into(),
    })
}

/// `add(value, tags?)`: whether the value was one.
fn add(ctx: &Ctx, args: &Args<'_>, metric: &Metric) -> Result<bool, Exception> {
    let host = Host::from_ctx(ctx);
    if host.is_init() {
        return Err(go_error(
            ctx,
            "Adding to metrics in the init context is not supported",
        ));
    }
    let value = args.get(0);
    let Some(sample) = sample_of(&value)? else {
        let wrong = if args.rest(0).is_empty() {
            "no value was provided".to_owned()
        } else {
            format!("'{}' is an invalid value", cut(&shown(&value)))
        };
        let message = format!(
            "{wrong} for metric '{}', a number or a boolean value is expected",
            metric.name
        );
        if host.shared.settings().throw {
            return Err(go_error(ctx, message));
        }
        host.log(LogLevel::Warning, message);
        return Ok(false);
    };
    let own_tags = match args.given(1) {
        Some(tags) => own_tags(ctx, &tags, &metric.name)?,
        None => Vec::new(),
    };
    with_cx(ctx, |cx| {
        let mut tags = host.tags.borrow_mut().set_id(cx.shard);
        if !own_tags.is_empty() {
            let pairs: Vec<(&str, &str)> = own_tags
                .iter()
                .map(|(key, value)| (key.as_str(), value.as_str()))
                .collect();
            tags = cx.shard.tags.extend(tags, &pairs);
        }
        cx.shard.record(metric.id, tags, sample);
    });
    if let Some((watch, place)) = host.watched() {
        watch.sample(&place, &metric.name, sample);
    }
    Ok(true)
}

/// The number a sample is; text that reads as a number and booleans are numbers too.
///
/// Fails for what the language makes no number of.
fn sample_of(value: &Value) -> Result<Option<f64>, Exception> {
    if value.is_null() {
        return Ok(None);
    }
    let number = match value.as_f64() {
        Some(number) => number,
        // What counts as true is 1 at least: "0", [].
        None => match value.to_number()? {
            0.0 if value.truthy() => 1.0,
            number => number,
        },
    };
    Ok((!number.is_nan()).then_some(number))
}

fn own_tags(ctx: &Ctx, object: &Value, metric: &str) -> Result<Vec<(String, String)>, Exception> {
    let mut tags = Vec::new();
    for key in object.keys()? {
        let value = object.get(&key)?;
        let key = key.to_text();
        let text = tag_text(&key, &value).map_err(|error| {
            let text = format!("cannot add tags for the '{metric}' custom metric: {error}");
            go_error(ctx, text)
        })?;
        tags.push((key, text));
    }
    Ok(tags)
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(SHOWN_CHARACTERS_MAX) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
