//! Runs `setup`, `teardown` and `handleSummary`.

use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};

use loadline_js::{Call, Ctx, ErrorKind, Exception, JsError, Value};
use loadline_metrics::builtin;
use loadline_vu::{
    Cx, Fault, FaultClass, InterruptReason, Iteration, IterationResult, IterationStatus,
    LifecycleStage, StopCause, VirtualUser,
};

use super::vm::UserVm;
use crate::error::{aborted, aborted_at, trace};
use crate::globals::REJECTED;
use crate::host::{Host, LendCx, Phase, SummaryFile, lock, setup_text};
use crate::log::{Entry, LogLevel};
use crate::modules::go_text;

/// A user that runs one stage.
///
/// Fields are dropped in this order, as in `ScriptUser`.
pub(crate) struct StageUser {
    call: Option<Call>,
    /// What `handleSummary` was given.
    summary: Option<Value>,
    exports: Value,
    stage: LifecycleStage,
    /// Its time is over.
    is_late: bool,
    host: Rc<Host>,
    user: UserVm,
}

impl StageUser {
    pub(crate) fn new(user: UserVm, exports: Value, stage: LifecycleStage) -> Self {
        Self {
            call: None,
            summary: None,
            exports,
            stage,
            is_late: false,
            host: user.host.clone(),
            user,
        }
    }

    fn function(&self) -> &'static str {
        match self.stage {
            LifecycleStage::Setup => "setup",
            LifecycleStage::Teardown => "teardown",
            LifecycleStage::Summarize => "handleSummary",
        }
    }

    fn start(&mut self) -> Result<Call, String> {
        let ctx = self.user.vm.ctx();
        let function = self.exports.get(self.function()).map_err(|e| e.message())?;
        let args = self.arguments(ctx).map_err(|e| e.message())?;
        self.host.phase.set(Phase::LifecycleStage);
        if self.stage == LifecycleStage::Summarize {
            self.summary = args.first().cloned();
        } else {
            let group = format!("::{}", self.function());
            self.host.tags.borrow_mut().set_group(group);
        }
        self.host.begin_hooks();
        let call = self.user.vm.start_function(&function, args);
        call.map_err(|error| format!("cannot make a stack: {error}"))
    }

    fn arguments(&self, ctx: &Ctx) -> Result<Vec<Value>, Exception> {
        let json = match self.stage {
            LifecycleStage::Setup => return Ok(Vec::new()),
            LifecycleStage::Teardown => self
                .host
                .shared
                .setup_data
                .json()
                .map(|json| json.to_string()),
            LifecycleStage::Summarize => lock(&self.host.shared.summary_data).take(),
        };
        match json {
            Some(json) => {
                let data = ctx.parse_json(json)?;
                // What set-up did not return is there, and undefined.
                if self.stage == LifecycleStage::Summarize
                    && !data.get("root_group")?.is_undefined()
                    && data.get("setup_data")?.is_undefined()
                {
                    data.set("setup_data", ctx.undefined())?;
                }
                Ok(vec![data])
            }
            None => Ok(vec![ctx.undefined()]),
        }
    }

    fn go_on(&mut self, cx: &mut Cx<'_>) -> IterationStatus {
        let Some(call) = &mut self.call else {
            return IterationStatus::Pending;
        };
        let polled = call.resume::<LendCx>(&mut Context::from_waker(cx.waker), cx);
        let Poll::Ready(result) = polled else {
            return IterationStatus::Pending;
        };
        self.call = None;
        self.keep_left();
        self.record_traffic(cx);
        if let Some(reason) = self.host.aborted.take() {
            let message = match (&result, self.stage) {
                // Of the other stages k6 tells no place.
                (Err(error), LifecycleStage::Summarize) => aborted_at(&reason, error),
                _ => aborted(&reason),
            };
            self.host.log(LogLevel::Error, message);
            cx.run_state
                .request_stop(StopCause::Aborted { message: reason });
            return IterationStatus::Done(IterationResult::Interrupted);
        }
        match result {
            Ok(value) => self.keep(&value),
            Err(error) => self.failed(&error),
        }
    }

    fn record_traffic(&self, cx: &mut Cx<'_>) {
        let (sent, received) = self.host.end_hooks();
        let tags = self.host.tags.borrow_mut().set_id(cx.shard);
        if self.stage != LifecycleStage::Summarize {
            self.host.settle_hooks(tags, cx);
            cx.shard.record_all(
                tags,
                &[
                    (builtin::DATA_SENT, sent as f64),
                    (builtin::DATA_RECEIVED, received as f64),
                ],
            );
        }
    }

    /// Stores what the function returned.
    fn keep(&self, value: &Value) -> IterationStatus {
        let value = match value.promise_state() {
            Some(loadline_js::PromiseState::Fulfilled(inner)) => inner,
            _ => value.clone(),
        };
        let kept = match self.stage {
            LifecycleStage::Setup => self.keep_setup_data(&value).map_err(Fault::data),
            LifecycleStage::Teardown => Ok(()),
            LifecycleStage::Summarize => self
                .keep_summary(&value)
                .map_err(|e| Fault::script(e.message())),
        };
        match kept {
            Ok(()) => IterationStatus::Done(IterationResult::Complete),
            Err(fault) => IterationStatus::Done(IterationResult::Failed(fault)),
        }
    }

    fn keep_setup_data(&self, value: &Value) -> Result<(), String> {
        self.host.shared.setup_data.set(setup_text(value)?);
        Ok(())
    }

    fn keep_summary(&self, value: &Value) -> Result<(), Exception> {
        if value.is_nullish() {
            // Then the usual summary is shown.
            return Ok(());
        }
        if !value.is_object() || value.is_array() || value.is_function() {
            self.refuse_summary("handleSummary() should return a map with string keys".to_owned());
            return Ok(());
        }
        let mut written = Vec::new();
        for key in value.keys()? {
            let (to, content) = (key.to_text(), value.get(&key)?);
            let bytes = match content.to_bytes() {
                Some(bytes) => bytes,
                None if content.is_string() => content.to_text()?.into_bytes(),
                None => {
                    let kind = go_text::type_name(&content);
                    self.refuse_summary(format!(
                        "error handling summary object {to}: invalid type {kind}, it needs to be a string or ArrayBuffer"
                    ));
                    return Ok(());
                }
            };
            written.push(SummaryFile { to, bytes });
        }
        *lock(&self.host.shared.summary_written) = Some(written);
        Ok(())
    }

    /// Keeps what the function left of its argument, where that is still something to write.
    fn keep_left(&mut self) {
        let Some(Ok(Some(json))) = self.summary.take().map(|left| left.to_json()) else {
            return;
        };
        if let Ok(left @ serde_json::Value::Object(_)) = serde_json::from_str(&json) {
            *lock(&self.host.shared.summary_left) = Some(left);
        }
    }

    /// Says so as k6 does.
    fn summary_timed_out(&self, error: &JsError) {
        let place = error.frames.iter().find(|frame| !frame.file.is_empty());
        let place = place.map_or_else(String::new, |frame| format!(" at {frame}"));
        self.host
            .log(LogLevel::Error, format!("context canceled{place}"));
        let seconds = self
            .host
            .shared
            .settings()
            .handle_summary_timeout
            .as_secs_f64();
        let cause = format!("handleSummary() execution timed out after {seconds:.0} seconds");
        self.refuse_summary(cause);
    }

    /// There is no summary then, not even the usual one.
    fn refuse_summary(&self, cause: String) {
        let entry = Entry::new(LogLevel::Error, "failed to handle the end-of-test summary");
        self.host.shared.log(entry.with("error", cause));
        self.host
            .shared
            .summary_refused
            .store(true, Ordering::Relaxed);
    }

    fn failed(&self, error: &JsError) -> IterationStatus {
        if error.kind == ErrorKind::Interrupted {
            if self.is_late && self.stage == LifecycleStage::Summarize {
                self.summary_timed_out(error);
            }
            return IterationStatus::Done(IterationResult::Interrupted);
        }
        if error.kind == ErrorKind::Fatal {
            let message = error.headline();
            return IterationStatus::Done(IterationResult::Failed(Fault {
                class: FaultClass::Panic,
                message,
            }));
        }
        let message = trace(error);
        if self.stage == LifecycleStage::Summarize {
            let mut entry = Entry::new(LogLevel::Error, message.clone());
            if !message.starts_with(REJECTED) {
                entry = entry
                    .with("hint", "script exception")
                    .sourced(self.host.shared.version.logs_source());
            }
            self.host.shared.log(entry);
        }
        let fault = if message.starts_with(REJECTED) {
            // To k6 this is no exception of the script's.
            Fault::data(message)
        } else {
            Fault::script(message)
        };
        IterationStatus::Done(IterationResult::Failed(fault))
    }
}

impl VirtualUser for StageUser {
    fn begin(&mut self, iteration: &Iteration, cx: &mut Cx<'_>) -> IterationStatus {
        self.host.iteration.set(Some(*iteration));
        match self.start() {
            Ok(call) => {
                self.call = Some(call);
                self.go_on(cx)
            }
            Err(message) => {
                IterationStatus::Done(IterationResult::Failed(Fault::generator(message)))
            }
        }
    }

    fn wake(&mut self, cx: &mut Cx<'_>) -> IterationStatus {
        self.go_on(cx)
    }

    fn interrupt(&mut self, reason: InterruptReason, cx: &mut Cx<'_>) -> IterationStatus {
        self.is_late |= reason == InterruptReason::TimedOut;
        match &self.call {
            None => IterationStatus::Done(IterationResult::Interrupted),
            Some(call) => {
                call.interrupt();
                self.go_on(cx)
            }
        }
    }
}
