//! The number of threads that serve requests.

use loadline_text::plan;

use super::{Case, Setting, SettingScope, SettingsBlock};
use crate::figure::{FigureUnit, PlanFigure, millis, number};

const GOETZ: &str =
    "Goetz, Java Concurrency in Practice 8.2: threads = cores × (1 + wait / service)";
/// Tomcat's own default.
const TOMCAT_DEFAULT: f64 = 200.0;
/// The factor above Little's law, because arrivals are uneven.
const ARRIVALS_HEADROOM: f64 = 2.0;

/// Adds the threads; returns their number.
pub(super) fn add(case: &Case<'_>, block: &mut SettingsBlock) -> f64 {
    let (threads, reason) = goetz(case, block)
        .or_else(|| little(case, block))
        .unwrap_or_else(|| unknown(case, block));
    block.settings.push(Setting {
        place: SettingScope::Application,
        key: "server.tomcat.threads.max",
        value: number(threads).replace(',', ""),
        reasons: vec![plan::reason_plain(reason)],
    });
    threads
}

/// From waiting time and CPU time, if both are known.
fn goetz(case: &Case<'_>, block: &mut SettingsBlock) -> Option<(f64, String)> {
    let inputs = case.inputs;
    let service = inputs.service_time?;
    let mut used = None;
    let measured = inputs.measured_response;
    if let Some(response) = measured {
        let wait = response - service;
        let naive = figure(case, "threads-response-as-wait", response, service).doubts(
            plan::doubts_wait_is_response(millis(response), millis(wait)),
        );
        block.figures.push(naive);
        let figure =
            figure(case, "threads", wait, service).doubts(plan::doubts_measured_under_load());
        used = Some(figure);
    }
    if let Some(wait) = inputs.wait_time {
        used = Some(figure(case, "threads", wait, service));
    }
    let used = used?;
    let threads = used.value.ceil().max(1.0);
    let reason = format!("{} = {}; Goetz 2006, 8.2", used.formula, used.shown());
    block.figures.push(used);
    Some((threads, reason))
}

fn figure(case: &Case<'_>, id: &str, wait: f64, service: f64) -> PlanFigure {
    let value = case.cores * (1.0 + wait / service);
    let cores = number(case.cores);
    let formula = format!("{cores} × (1 + {} / {})", millis(wait), millis(service));
    let label = if id == "threads" {
        plan::threads()
    } else {
        plan::threads_response_as_wait()
    };
    PlanFigure::new(case.id(id), label, value, FigureUnit::Slots, formula).source(GOETZ)
}

/// From the rate and the response time, with headroom.
fn little(case: &Case<'_>, block: &mut SettingsBlock) -> Option<(f64, String)> {
    let response = case.inputs.response_goal().or(case.inputs.p95)?;
    let rate = case.peak?;
    let value = (rate * response * ARRIVALS_HEADROOM).max(case.cores);
    let shown = FigureUnit::PerSecond.show(rate);
    let mut formula = format!(
        "{shown} × {} × {}",
        millis(response),
        number(ARRIVALS_HEADROOM)
    );
    if value <= case.cores {
        formula = format!("max({formula}, {})", number(case.cores));
    }
    let figure = PlanFigure::new(
        case.id("threads"),
        plan::threads(),
        value,
        FigureUnit::Slots,
        &*formula,
    )
    .source("Little 1961")
    .doubts(plan::doubts_no_service_time());
    let reason = format!("{formula}; Little 1961");
    block.figures.push(figure);
    Some((value.ceil(), reason))
}

fn unknown(case: &Case<'_>, block: &mut SettingsBlock) -> (f64, String) {
    let formula = number(TOMCAT_DEFAULT);
    let figure = PlanFigure::new(
        case.id("threads"),
        plan::threads(),
        TOMCAT_DEFAULT,
        FigureUnit::Slots,
        formula,
    )
    .source("Tomcat's default")
    .doubts(plan::doubts_no_service_time());
    block.figures.push(figure);
    (TOMCAT_DEFAULT, "Tomcat's default".to_owned())
}
