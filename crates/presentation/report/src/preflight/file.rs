//! A preflight as a document for programs: what `preflight --json` writes.
//!
//! The form is described by `docs/schemas/preflight.schema.json`. Members may be added within a
//! version. Times are in milliseconds, rates per second, shares from 0 to 1.

use loadline_analysis::bed::{BedPart, PartCapacity, PartMeasurement, StandIn};
use serde_json::{Value, json};

use super::PreflightReport;

/// The version written.
pub const PREFLIGHT_VERSION: u32 = 1;

/// The document, on one line.
#[must_use]
pub fn json(report: &PreflightReport) -> String {
    let bed = &report.bed;
    let weakest = bed.weakest().and_then(|weakest| {
        bed.parts
            .iter()
            .position(|part| std::ptr::eq(part, weakest))
    });
    let result = if bed.is_weak() {
        "weak"
    } else if bed.is_interrupted {
        "interrupted"
    } else {
        "holds"
    };
    let iteration = report.iteration.map(|once| {
        json!({
            "requests": once.requests,
            "failed": once.failed,
            "response_ms": once.response_ms,
            "think_ms": once.think_ms,
        })
    });
    let ceiling = report.ceiling.as_ref().map(|ceiling| {
        json!({"formula": ceiling.formula, "now": ceiling.now, "at_best": ceiling.at_best})
    });
    let sources = report
        .sources
        .as_ref()
        .map(|sources| json!({"answering": sources.answering, "all": sources.all}));
    let document = json!({
        "loadline_preflight": PREFLIGHT_VERSION,
        "test": report.test,
        "planned": bed.planned,
        "result": result,
        "interrupted": bed.is_interrupted,
        "weakest": weakest,
        "parts": bed.parts.iter().map(part).collect::<Vec<_>>(),
        "stand_ins": bed.stand_ins.iter().map(stand_in).collect::<Vec<_>>(),
        "iteration": iteration,
        "ceiling": ceiling,
        "network": {
            "bytes_each": bed.bytes_each,
            "needed_bytes": bed.bytes_each.map(|each| each * bed.planned),
            "reached_bytes": report.reached_bytes,
        },
        "sources": sources,
    });
    format!("{document}\n")
}

fn part(part: &BedPart) -> Value {
    json!({
        "role": part.role.word(),
        "name": part.name,
        "planned": part.planned,
        "carries": part.capacity.rate(),
        "at_least": matches!(part.capacity, PartCapacity::AtLeast(_)),
        "headroom": part.headroom(),
        "state": part.state.word(),
        "low": part.low.as_ref().map(measurement),
        "tries": part.tries.iter().map(measurement).collect::<Vec<_>>(),
        "cpu": part.cpu,
        "unhealthy_at": part.unhealthy.as_ref().map(|unhealthy| unhealthy.rate),
        "connect_ms": part.connect_ms,
        "failures": part.failures,
    })
}

fn measurement(one: &PartMeasurement) -> Value {
    json!({
        "offered": one.offered,
        "answered": one.answered,
        "failed": one.failed,
        "seconds": one.seconds,
        "p50_ms": one.p50_ms,
        "p95_ms": one.p95_ms,
    })
}

fn stand_in(one: &StandIn) -> Value {
    json!({
        "url": one.url,
        "path": one.path,
        "address": one.address,
        "latency": one.latency,
        "answers": one.answers,
        "command": one.command(),
        "planned": one.planned,
        "tried": one.tried.as_ref().map(measurement),
        "holds": one.holds,
    })
}
