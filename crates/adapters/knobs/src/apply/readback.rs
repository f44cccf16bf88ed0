//! What a target shows of its settings.

use super::{PROBE_INTERVAL, READ_BACK_TIMEOUT, TargetControl, files};
use crate::error::HookError;
use crate::study::{KnobMethod, ReadMethod};
use crate::web::{self, WebRequest};

/// A knob whose value differs from what the study file says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnobMismatch {
    /// The knob.
    pub knob: String,
    /// What the file says.
    pub file: String,
    /// What the target says.
    pub seen: String,
}

impl TargetControl {
    /// Whether knobs that can be read at a running target have the value that the study file says
    /// they have now.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn mismatch(&mut self) -> Result<Option<KnobMismatch>, HookError> {
        let knobs = self.study.knobs.clone();
        for knob in &knobs {
            let file = &knob.values[knob.now];
            let seen = match (&knob.method, &knob.read) {
                (KnobMethod::Property { file, key }, _) => {
                    let text = self.text_of(file)?.unwrap_or_default();
                    files::property(&text, key).map(str::to_owned)
                }
                (_, Some(read)) if self.study.target.start.is_none() => Some(self.read(read)?),
                _ => None,
            };
            if let Some(seen) = seen.filter(|seen| !is_same(seen, file)) {
                let (knob, file) = (knob.name.clone(), file.clone());
                return Ok(Some(KnobMismatch { knob, file, seen }));
            }
        }
        Ok(None)
    }

    /// Reads every knob that can be read, until it has its value or was given time enough.
    pub(super) fn read_back(&self, setting: &[usize]) -> Result<(), HookError> {
        for (knob, level) in self.study.knobs.iter().zip(setting) {
            let Some(read) = &knob.read else {
                continue;
            };
            let wanted = &knob.values[*level];
            let until = self.context.clock.now() + READ_BACK_TIMEOUT;
            loop {
                let seen = self.read(read)?;
                if is_same(&seen, wanted) {
                    break;
                }
                if self.context.clock.now() >= until {
                    let (knob, wanted) = (knob.name.clone(), wanted.clone());
                    return Err(HookError::ReadBack { knob, wanted, seen });
                }
                self.pause(PROBE_INTERVAL)?;
            }
        }
        Ok(())
    }

    pub(super) fn read(&self, read: &ReadMethod) -> Result<String, HookError> {
        let patience = self.study.target.hook_timeout;
        let (url, found) = match read {
            ReadMethod::Command(words) => return self.run(words),
            ReadMethod::Json { url, pointer } => {
                let text = web::send(&self.context.network, WebRequest::get(url), patience)?;
                (
                    url,
                    web::member(&text, pointer).ok_or_else(|| pointer.clone()),
                )
            }
            ReadMethod::Metric { url, name } => {
                let text = web::send(&self.context.network, WebRequest::get(url), patience)?;
                (url, web::metric(&text, name).ok_or_else(|| name.clone()))
            }
        };
        found.map_err(|missing| HookError::Request {
            url: url.clone(),
            reason: format!("{missing} ?"),
        })
    }
}

/// Equal as texts or as numbers.
pub(super) fn is_same(seen: &str, wanted: &str) -> bool {
    let (seen, wanted) = (seen.trim(), wanted.trim());
    let numbers = seen.parse::<f64>().ok().zip(wanted.parse::<f64>().ok());
    seen == wanted || numbers.is_some_and(|(a, b)| (a - b).abs() < 1e-9 * a.abs().max(1.0))
}
