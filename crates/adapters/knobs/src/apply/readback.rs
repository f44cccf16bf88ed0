//! What a target shows of its settings.

use std::path::Path;

use super::{PROBE_INTERVAL, READ_BACK_TIMEOUT, TargetControl, files};
use crate::error::HookError;
use crate::study::{Knob, KnobMethod, ReadMethod};
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
    /// What says so: a file, a URL or a command.
    pub source: String,
    /// Line and column of what the file says, from 1.
    pub place: (u32, u32),
}

/// A value that was found, and where.
struct SeenValue {
    value: String,
    source: String,
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
            let found = self.seen(knob)?;
            if let Some(found) = found.filter(|found| !is_same(&found.value, file)) {
                return Ok(Some(KnobMismatch {
                    knob: knob.name.clone(),
                    file: file.clone(),
                    seen: found.value,
                    source: found.source,
                    place: knob.now_place,
                }));
            }
        }
        Ok(None)
    }

    /// The value that a knob has before anything is set, where that can be seen.
    fn seen(&self, knob: &Knob) -> Result<Option<SeenValue>, HookError> {
        let owns = self.study.target.start.is_some();
        match (&knob.method, &knob.read) {
            (KnobMethod::Property { file, key }, _) => {
                let text = self.text_of(file)?.unwrap_or_default();
                let value = files::property(&text, key);
                Ok(value.map(|value| seen_in(file, value.to_owned())))
            }
            (KnobMethod::Template { file, from }, _) => {
                let (Some(text), Some(template)) = (self.text_of(file)?, self.text_of(from)?)
                else {
                    return Ok(None);
                };
                // The others have the values that they have now.
                let others = self
                    .study
                    .knobs
                    .iter()
                    .filter(|other| other.name != knob.name);
                let template = others.fold(template, |template, other| {
                    let hole = format!("{{{}}}", other.name);
                    template.replace(&hole, &other.values[other.now])
                });
                let value = files::templated(&text, &template, &knob.name);
                Ok(value.map(|value| seen_in(file, value)))
            }
            (_, Some(read)) if !owns => {
                let value = self.read(read)?;
                let source = read.source();
                Ok(Some(SeenValue { value, source }))
            }
            // The target that it may ask does not run yet: only one of the knob's values says something.
            (_, Some(read @ ReadMethod::Command(_))) => {
                let value = self.read(read).ok();
                let value = value.map(|value| value.trim().to_owned());
                let value = value.filter(|value| knob.values.contains(value));
                Ok(value.map(|value| SeenValue {
                    value,
                    source: read.source(),
                }))
            }
            _ => Ok(None),
        }
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

fn seen_in(file: &Path, value: String) -> SeenValue {
    SeenValue {
        value,
        source: file.display().to_string(),
    }
}

/// Equal as texts or as numbers.
pub(super) fn is_same(seen: &str, wanted: &str) -> bool {
    let (seen, wanted) = (seen.trim(), wanted.trim());
    let numbers = seen.parse::<f64>().ok().zip(wanted.parse::<f64>().ok());
    seen == wanted || numbers.is_some_and(|(a, b)| (a - b).abs() < 1e-9 * a.abs().max(1.0))
}
