//! What is known at a run's end, without secrets.

use loadline_record::{Ending, FailedAnswer, Redactor};

use crate::about::RunEnd;

/// Masks secrets that answers repeat.
pub(super) fn answers(redactor: &Redactor, answers: &mut [FailedAnswer]) {
    for answer in answers {
        answer.text = redactor.text(&answer.text);
    }
}

/// The end of a run without secrets.
pub(super) fn end(redactor: &Redactor, mut end: RunEnd) -> RunEnd {
    end.run.setup_data = None; // often a token
    answers(redactor, &mut end.run.failed_answers);
    for sample in &mut end.bodies {
        // Names of fields are the target's.
        sample.mask_names(|name| redactor.text(name));
    }
    match &mut end.run.ending {
        Ending::Test { message } | Ending::Failed { message } | Ending::Defect { message } => {
            *message = redactor.text(message);
        }
        Ending::Finished | Ending::Threshold | Ending::Interrupted => {}
    }
    end
}
