//! Runs a scenario with the engine it names: functions before it, its flow, functions after it.

use std::rc::Rc;

use crate::exec::flow::steps;
use crate::exec::hooks;
use crate::exec::socket_io;
use crate::exec::ws;
use crate::model::{EngineKind, ScenarioSpec};
use crate::vu::{StepsResult, Vu};

/// Runs a scenario: functions before it, its flow, functions after it.
pub(crate) async fn run_scenario(vu: &Rc<Vu>, scenario: &ScenarioSpec) -> StepsResult {
    match scenario.engine {
        EngineKind::Ws => return ws::scenario(vu, scenario).await,
        EngineKind::SocketIo => return socket_io::scenario(vu, scenario).await,
        EngineKind::Http => {}
    }
    for name in &scenario.before_scenario {
        hooks::function(vu, scenario, name).await?;
    }
    steps(vu, scenario, &scenario.flow).await?;
    for name in &scenario.after_scenario {
        hooks::function(vu, scenario, name).await?;
    }
    Ok(())
}
