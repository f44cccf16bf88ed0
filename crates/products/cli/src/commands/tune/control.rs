//! What a study has in its hands of a target: made, put back, and what goes wrong with it in words.

use std::sync::Arc;

use loadline_knobs::apply::{HookError, RestoreFailure, SetterContext, TargetControl};
use loadline_knobs::journal::{JournalEntry, StudyJournal};
use loadline_knobs::study::StudyFile;
use loadline_reactor::MonotonicClock;
use loadline_report::document::printable;
use loadline_session::network;
use loadline_text::{Catalog, Exit, problem, tune};

use super::interrupts::watch;
use super::{journal_refusal, print, restored_text};
use crate::context::Context;
use crate::refusal::Refusal;

/// Puts back what an unfinished study changed, and ends it.
pub(super) fn restore(
    context: &mut Context,
    study: StudyFile,
    journal: StudyJournal,
    catalog: &Catalog,
) -> Result<Exit, Refusal> {
    let is_over = journal.is_over();
    let (interrupts, ..) = watch()?;
    let mut setter = setter(context, study, journal, interrupts, catalog)?;
    let done = setter
        .restore()
        .map_err(|error| hook_refusal(&error, catalog))?;
    if !is_over {
        end(&mut setter)?;
    }
    context.out(&format!("{}\n", restored_text(&done, catalog)));
    Ok(Exit::Success)
}

/// Ends a study in its journal.
pub(super) fn end(setter: &mut TargetControl) -> Result<(), Refusal> {
    let path = setter.journal().path().to_owned();
    let ended = setter.journal().append(JournalEntry::Ended);
    ended.map_err(|error| journal_refusal(&path, &error))
}

/// How an error of the target's control is told.
pub(super) fn hook_refusal(error: &HookError, catalog: &Catalog) -> Refusal {
    match error {
        HookError::NotFree { ready } => Refusal::config(problem::study_not_free(ready)),
        HookError::NotRestored(left) => {
            let count = left.len();
            let left: Vec<String> = left.iter().map(|left| left_text(left, catalog)).collect();
            Refusal::other(problem::study_not_restored(count, left.join("; ")))
        }
        _ => Refusal::other(problem::study_hook(printable::line(
            &catalog.text(&error.message()),
        ))),
    }
}

/// What is not as it was, and what a person types to mend it.
fn left_text(left: &RestoreFailure, catalog: &Catalog) -> String {
    let reason = catalog.text(&left.error.message());
    printable::line(&match &left.command {
        Some(command) => catalog.text(&tune::left_by_hand(reason, command)),
        None => reason,
    })
}

/// What sets knobs, for a study whose journal is open.
pub(super) fn setter(
    context: &Context,
    study: StudyFile,
    journal: StudyJournal,
    interrupts: std::sync::mpsc::Receiver<()>,
    catalog: &Catalog,
) -> Result<TargetControl, Refusal> {
    let network = network::plain(&context.env, false)
        .map_err(|error| Refusal::config(problem::start_failed("network", error)))?;
    let catalog = Catalog::new(catalog.lang());
    let context = SetterContext {
        network: Arc::new(network),
        clock: Arc::new(MonotonicClock::start()),
        ask: Box::new(move |message| {
            Context::print_err(&format!("loadline: {}\n", catalog.text(message)))
        }),
        interrupts,
    };
    Ok(TargetControl::new(study, journal, context))
}

/// Puts everything back, and tells how that went.
pub(super) fn put_back(context: &mut Context, setter: &mut TargetControl, catalog: &Catalog) {
    let told = match setter.restore() {
        Ok(done) => restored_text(&done, catalog),
        Err(HookError::Journal(_)) => catalog.text(&tune::restored_unwritten()),
        Err(error) => {
            let refusal = hook_refusal(&error, catalog);
            context.err(&format!("{}\n", catalog.problem(&refusal.problem)));
            return;
        }
    };
    print(context, false, &told);
}
