//! Defects on demand, to see on the built binary what becomes of a run that meets one.
//!
//! Only in builds with the feature `fault-injection`, which no release has. The variable
//! `LOADLINE_FAULT` says what panics: `worker` (a user, in its 50th iteration), `output`
//! (a follower, at the first window), `native` (what a script calls: `console.log` of
//! `fault`). `lost-request` panics nowhere: the 50th iteration sends a request of which
//! nobody hears again.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use loadline_k6::log::{Entry, LogSink};
use loadline_metrics::{Merger, Window};
use loadline_session::{RunObserver, Test};
use loadline_units::{RequestCounts, VuId};
use loadline_vu::{
    Cx, Fault, InterruptReason, Iteration, IterationStatus, LifecycleStage, VirtualUser, VuFactory,
};

use crate::context::Context;

const FAULT_VARIABLE: &str = "LOADLINE_FAULT";
/// The iteration that breaks.
const FAULTY_ITERATION: u64 = 50;

fn is_asked(context: &Context, what: &str) -> bool {
    context
        .env
        .get(FAULT_VARIABLE)
        .is_some_and(|asked| asked == what)
}

/// `test` with the defect that is asked for.
pub(crate) fn in_test(mut test: Test, context: &Context) -> Test {
    let faults: [(&str, AtBegin); 2] = [("worker", break_worker), ("lost-request", lose_request)];
    for (name, at_begin) in faults {
        if is_asked(context, name) {
            test.factory = Arc::new(FaultyFactory {
                whole: test.factory,
                begun: Arc::default(),
                at_begin,
            });
        }
    }
    if is_asked(context, "output") {
        test.follower = Some(Arc::new(BrokenFollower));
    }
    test
}

/// `log` with the defect that is asked for.
pub(crate) fn in_log(log: Arc<dyn LogSink>, context: &Context) -> Arc<dyn LogSink> {
    if is_asked(context, "native") {
        Arc::new(BrokenSink(log))
    } else {
        log
    }
}

struct BrokenSink(Arc<dyn LogSink>);

impl LogSink for BrokenSink {
    fn log(&self, entry: Entry) {
        assert!(
            entry.message != "fault",
            "fault injected into a native function"
        );
        self.0.log(entry);
    }
}

struct BrokenFollower;

impl RunObserver for BrokenFollower {
    fn window(&self, _: &Window, _: &Merger) {
        panic!("fault injected into an output");
    }
}

/// What a user does at the beginning of the iteration that breaks.
type AtBegin = fn(&mut Cx<'_>);

struct FaultyFactory {
    whole: Arc<dyn VuFactory>,
    begun: Arc<AtomicU64>,
    at_begin: AtBegin,
}

struct FaultyUser {
    whole: Box<dyn VirtualUser>,
    begun: Arc<AtomicU64>,
    at_begin: AtBegin,
}

/// Ends the worker's thread.
fn break_worker(_: &mut Cx<'_>) {
    panic!("fault injected into a worker");
}

/// Counts a request that is never answered, failed or cut off.
fn lose_request(cx: &mut Cx<'_>) {
    cx.local.count_requests(RequestCounts {
        sent: 1,
        ..RequestCounts::default()
    });
}

impl VuFactory for FaultyFactory {
    fn make(&self, id: VuId, cx: &mut Cx<'_>) -> Result<Box<dyn VirtualUser>, Fault> {
        Ok(Box::new(FaultyUser {
            whole: self.whole.make(id, cx)?,
            begun: self.begun.clone(),
            at_begin: self.at_begin,
        }))
    }

    fn make_for_stage(
        &self,
        stage: LifecycleStage,
        cx: &mut Cx<'_>,
    ) -> Result<Option<Box<dyn VirtualUser>>, Fault> {
        self.whole.make_for_stage(stage, cx)
    }

    fn allow_stage(&self, stage: LifecycleStage) {
        self.whole.allow_stage(stage);
    }

    fn stage_timeout(&self, stage: LifecycleStage) -> Duration {
        self.whole.stage_timeout(stage)
    }
}

impl VirtualUser for FaultyUser {
    fn begin(&mut self, iteration: &Iteration, cx: &mut Cx<'_>) -> IterationStatus {
        if self.begun.fetch_add(1, Ordering::Relaxed) + 1 == FAULTY_ITERATION {
            (self.at_begin)(cx);
        }
        self.whole.begin(iteration, cx)
    }

    fn wake(&mut self, cx: &mut Cx<'_>) -> IterationStatus {
        self.whole.wake(cx)
    }

    fn interrupt(&mut self, why: InterruptReason, cx: &mut Cx<'_>) -> IterationStatus {
        self.whole.interrupt(why, cx)
    }
}
