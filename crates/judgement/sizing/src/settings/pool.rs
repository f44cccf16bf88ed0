//! The number of database connections, and the timeout for getting one.

use loadline_text::{Message, plan};

use super::{Case, Setting, SettingScope, SettingsBlock};
use crate::figure::{FigureUnit, PlanFigure, millis, number};

const HIKARI: &str = "HikariCP, About Pool Sizing: connections = cores × 2 + spindles";
const DEADLOCK: &str =
    "HikariCP, About Pool Sizing: pool ≥ threads × (connections per task - 1) + 1";
/// PostgreSQL reserves these for superusers.
const RESERVED_CONNECTIONS: f64 = 3.0;
/// HikariCP's minimum and default, in ms.
const TIMEOUT_MS: (f64, f64) = (250.0, 30_000.0);

/// Adds pool size, idle connections and timeout.
pub(super) fn add(case: &Case<'_>, threads: f64, block: &mut SettingsBlock) {
    let mut reasons = Vec::new();
    let mut pool = useful(case, block, &mut reasons);
    let deadlock = deadlock_bound(case, threads, block);
    if deadlock > pool {
        pool = deadlock;
        reasons.push(plan::reason_no_deadlock(number(deadlock)));
    }
    if let Some(need) = needed(case, block)
        && need > pool
    {
        pool = need;
        reasons.push(plan::reason_hold_time(number(need)));
    }
    if let Some(most) = allowed(case, pool, block)
        && pool > most
    {
        pool = most;
        reasons.push(plan::reason_plain(format!(
            "≤ {}: max_connections",
            number(most)
        )));
    }
    let text = number(pool).replace(',', "");
    block.settings.push(Setting {
        place: SettingScope::Application,
        key: "spring.datasource.hikari.maximum-pool-size",
        value: text.clone(),
        reasons,
    });
    block.settings.push(Setting {
        place: SettingScope::Application,
        key: "spring.datasource.hikari.minimum-idle",
        value: text,
        reasons: vec![plan::reason_fixed_pool()],
    });
    timeout(case, block);
}

/// The number of connections that the database can use at once, divided by the instances.
fn useful(case: &Case<'_>, block: &mut SettingsBlock, reasons: &mut Vec<Message>) -> f64 {
    let inputs = case.inputs;
    let cores = inputs.db_cores.unwrap_or(case.cores);
    let spindles = inputs.spindles.unwrap_or(1.0);
    let value = cores * 2.0 + spindles;
    let formula = format!("{} × 2 + {}", number(cores), number(spindles));
    let mut figure = PlanFigure::new(
        case.id("pool"),
        plan::pool(),
        value,
        FigureUnit::Slots,
        &*formula,
    )
    .source(HIKARI);
    if inputs.spindles.is_none() {
        figure = figure
            .assumes(plan::assumes_spindle())
            .doubts(plan::doubts_spindle_on_ssd(number(cores * 2.0)));
    }
    if inputs.db_cores.is_none() {
        figure = figure.assumes(plan::assumes_db_cores(number(cores)));
    }
    block.figures.push(figure);
    if case.instances <= 1.0 {
        reasons.push(plan::reason_plain(format!(
            "{formula} = {}; HikariCP",
            number(value)
        )));
        return value.ceil();
    }
    let each = (value / case.instances).ceil();
    let formula = format!("{} / {}", number(value), number(case.instances));
    reasons.push(plan::reason_plain(format!(
        "({} × 2 + {}) / {}; HikariCP",
        number(cores),
        number(spindles),
        number(case.instances)
    )));
    let label = plan::pool_each(number(case.instances));
    let figure = PlanFigure::new(
        case.id("pool-each"),
        label,
        value / case.instances,
        FigureUnit::Slots,
        formula,
    );
    block
        .figures
        .push(figure.assumes(plan::assumes_even_spread()));
    each
}

/// With fewer connections, tasks that need several can deadlock.
fn deadlock_bound(case: &Case<'_>, threads: f64, block: &mut SettingsBlock) -> f64 {
    let per_task = case.inputs.connections_per_task.unwrap_or(1.0);
    let value = threads * (per_task - 1.0) + 1.0;
    let formula = format!("{} × ({} - 1) + 1", number(threads), number(per_task));
    let mut figure = PlanFigure::new(
        case.id("pool-deadlock"),
        plan::pool_deadlock(),
        value,
        FigureUnit::Slots,
        formula,
    )
    .source(DEADLOCK);
    if case.inputs.connections_per_task.is_none() {
        figure = figure.assumes(plan::assumes_one_connection());
    }
    block.figures.push(figure);
    value
}

/// The number that the rate needs while each request holds a connection.
fn needed(case: &Case<'_>, block: &mut SettingsBlock) -> Option<f64> {
    let hold = case.inputs.hold_time?;
    let rate = case.peak?;
    let formula = format!("{} × {}", FigureUnit::PerSecond.show(rate), millis(hold));
    let value = rate * hold;
    let figure = PlanFigure::new(
        case.id("pool-needed"),
        plan::pool_needed(),
        value,
        FigureUnit::Slots,
        formula,
    )
    .source("Little 1961: connections = rate × hold time");
    block.figures.push(figure);
    Some(value.ceil().max(1.0))
}

/// The part of the database's limit for one instance, with one more instance during a rollout.
fn allowed(case: &Case<'_>, wanted: f64, block: &mut SettingsBlock) -> Option<f64> {
    let inputs = case.inputs;
    let most = inputs.db_max_connections?;
    let reserved = inputs.db_reserved.unwrap_or(RESERVED_CONNECTIONS);
    let value = ((most - reserved) / (case.instances + 1.0)).floor();
    let formula = format!(
        "floor(({} - {}) / ({} + 1))",
        number(most),
        number(reserved),
        number(case.instances)
    );
    let mut figure = PlanFigure::new(
        case.id("pool-allowed"),
        plan::pool_allowed(),
        value,
        FigureUnit::Slots,
        formula,
    )
    .assumes(plan::assumes_rollout());
    if inputs.db_reserved.is_none() {
        figure = figure.assumes(plan::assumes_reserved(number(reserved)));
    }
    if wanted > value {
        figure = figure.doubts(plan::doubts_pool_beyond_db(number(wanted), number(value)));
    }
    block.figures.push(figure);
    Some(value.max(1.0))
}

/// A request must fail to get a connection before its client gives up.
fn timeout(case: &Case<'_>, block: &mut SettingsBlock) {
    let read = super::http::client_read_timeout(case.inputs);
    let value = (read * 1000.0 / 2.0).clamp(TIMEOUT_MS.0, TIMEOUT_MS.1);
    let formula = format!("{} / 2", millis(read));
    let label = plan::connection_timeout();
    let figure = PlanFigure::new(
        case.id("connection-timeout"),
        label,
        value / 1000.0,
        FigureUnit::Seconds,
        &*formula,
    )
    .assumes(plan::assumes_fails_before_caller());
    block.figures.push(figure);
    block.settings.push(Setting {
        place: SettingScope::Application,
        key: "spring.datasource.hikari.connection-timeout",
        value: number(value).replace(',', ""),
        reasons: vec![plan::reason_plain(format!("{formula} (ms)"))],
    });
}
