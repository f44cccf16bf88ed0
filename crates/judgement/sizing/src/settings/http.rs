//! Connections and queue of the server, timeouts of the clients.

use loadline_text::plan;

use super::{Case, Setting, SettingScope, SettingsBlock};
use crate::figure::{FigureUnit, PlanFigure, millis, number, seconds};
use crate::inputs::PlanInputs;

/// Tomcat's defaults.
const TOMCAT_CONNECTIONS: f64 = 8192.0;
const ACCEPT_COUNT: f64 = 100.0;
/// A client's timeout is the goal times this, ...
const TIMEOUT_PER_GOAL: f64 = 4.0;
/// ... but at least this many seconds.
const TIMEOUT_SECONDS_MIN: f64 = 2.0;
/// Where no response time is asked for, this stands for it.
const GOAL_SECONDS_ASSUMED: f64 = 0.5;
/// Longer than the retransmission of a lost SYN, after one second.
const CONNECT_MS: f64 = 2000.0;
/// The factor above the expected users.
const USERS_HEADROOM: f64 = 2.0;

/// A client's timeout, in seconds.
pub(super) fn client_read_timeout(inputs: &PlanInputs) -> f64 {
    let goal = inputs.goal().unwrap_or(GOAL_SECONDS_ASSUMED);
    (goal * TIMEOUT_PER_GOAL).max(TIMEOUT_SECONDS_MIN)
}

/// Adds connections, the accept queue and the clients' timeouts.
pub(super) fn add(case: &Case<'_>, threads: f64, block: &mut SettingsBlock) {
    connections(case, threads, block);
    accept_count(case, threads, block);
    clients(case, block);
}

/// A connection for each user online, and no fewer than Tomcat's default.
fn connections(case: &Case<'_>, threads: f64, block: &mut SettingsBlock) {
    let response = case
        .inputs
        .response_goal()
        .or(case.inputs.goal())
        .unwrap_or(1.0);
    let users = case
        .peak
        .map(|rate| crate::load::little(case.inputs, rate, response));
    let (value, formula) = match users {
        Some(users) => {
            let users = users.ceil();
            let least = TOMCAT_CONNECTIONS.max(threads);
            let value = (users * USERS_HEADROOM).max(least);
            let formula = format!(
                "max({} × {}, {})",
                number(users),
                number(USERS_HEADROOM),
                number(least)
            );
            (value, formula)
        }
        None => (TOMCAT_CONNECTIONS.max(threads), number(TOMCAT_CONNECTIONS)),
    };
    let is_doubled = users.is_some_and(|users| users.ceil() * USERS_HEADROOM > TOMCAT_CONNECTIONS);
    let assumed = match users {
        None => plan::assumes_connections_of_unknown_users(),
        Some(_) if is_doubled => plan::assumes_one_connection_a_user(),
        Some(_) => plan::assumes_connections_suffice(),
    };
    let label = plan::max_connections();
    let figure = PlanFigure::new(
        case.id("max-connections"),
        label,
        value,
        FigureUnit::Count,
        &*formula,
    )
    .assumes(assumed);
    block.figures.push(figure);
    block.settings.push(Setting {
        place: SettingScope::Application,
        key: "server.tomcat.max-connections",
        value: number(value).replace(',', ""),
        reasons: vec![
            plan::reason_plain(formula),
            plan::reason_tomcat(number(TOMCAT_CONNECTIONS)),
        ],
    });
}

/// As many requests as the threads complete before a client gives up.
fn accept_count(case: &Case<'_>, threads: f64, block: &mut SettingsBlock) {
    let inputs = case.inputs;
    let response = inputs
        .measured_response
        .or(inputs.response_goal())
        .or(inputs.goal());
    let patience = client_read_timeout(inputs);
    let (value, formula) = match response {
        Some(response) => {
            let value = (threads / response * (patience - response)).floor();
            let is_too_few = value < 1.0;
            let formula = format!(
                "floor({} / {} × ({} - {}))",
                number(threads),
                millis(response),
                seconds(patience),
                millis(response)
            );
            if is_too_few {
                (1.0, format!("max({formula}, 1)"))
            } else {
                (value, formula)
            }
        }
        None => (ACCEPT_COUNT, number(ACCEPT_COUNT)),
    };
    let label = plan::accept_count();
    let figure = PlanFigure::new(
        case.id("accept-count"),
        label,
        value,
        FigureUnit::Count,
        &*formula,
    )
    .assumes(plan::assumes_queue_within_patience());
    block.figures.push(figure);
    block.settings.push(Setting {
        place: SettingScope::Application,
        key: "server.tomcat.accept-count",
        value: number(value).replace(',', ""),
        reasons: vec![
            plan::reason_plain(formula),
            plan::reason_tomcat(number(ACCEPT_COUNT)),
        ],
    });
}

/// The timeouts of this application for others, and of others for it.
fn clients(case: &Case<'_>, block: &mut SettingsBlock) {
    let patience = client_read_timeout(case.inputs);
    let given = case.inputs.p95.or(case.inputs.response_goal());
    let goal = given.unwrap_or(GOAL_SECONDS_ASSUMED);
    let formula = format!(
        "max({} × {}, {})",
        millis(goal),
        number(TIMEOUT_PER_GOAL),
        seconds(TIMEOUT_SECONDS_MIN)
    );
    let label = plan::client_timeout();
    let figure = PlanFigure::new(
        case.id("client-timeout"),
        label,
        patience,
        FigureUnit::Seconds,
        &*formula,
    )
    .assumes(match given {
        Some(_) => plan::assumes_rule_of_thumb(),
        None => plan::assumes_rule_of_thumb_without_goal(millis(goal)),
    });
    block.figures.push(figure);
    block.settings.push(Setting {
        place: SettingScope::Application,
        key: "spring.http.client.connect-timeout",
        value: format!("{}ms", number(CONNECT_MS).replace(',', "")),
        reasons: vec![plan::reason_lost_syn()],
    });
    block.settings.push(Setting {
        place: SettingScope::Application,
        key: "spring.http.client.read-timeout",
        value: format!("{}ms", number(patience * 1000.0).replace(',', "")),
        reasons: vec![plan::reason_plain(formula)],
    });
}
