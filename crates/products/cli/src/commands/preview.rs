//! `preview`: the load that a test plans, without sending anything. The web pages ask for it in a
//! process of its own, since a script's init code may do anything.

use loadline_report::planned_load::PlannedLoad;
use loadline_text::{Dialect, Exit};

use super::run;
use crate::context::Context;

/// Prints the load of the test that the arguments of `run` name.
pub(super) fn exec(context: &mut Context, args: &[String]) -> u8 {
    let catalog = context.catalog(None);
    let exit = match run::steerable(context, args, &run::url_flags()) {
        Ok(test) => {
            let load = PlannedLoad::new(&test.test.plan, &catalog);
            let json = serde_json::to_string(&load).expect("texts and numbers become JSON");
            context.out(&format!("{json}\n"));
            Exit::Success
        }
        Err(refusal) => {
            context.err(&format!("{}\n", catalog.problem(&refusal.problem)));
            refusal.exit
        }
    };
    exit.code(Dialect::Loadline)
}
