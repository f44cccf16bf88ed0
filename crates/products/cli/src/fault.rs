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

const VARIABLE: &str = "LOADLINE_FAULT";
/// The iteration that breaks.
const AT: u64 = 50;

fn is_asked(context: &Context, what: &str) -> bool {
    context.env.get(VARIABLE).is_some_and(|asked| asked == what)
}

/// `test` with the defect that is asked for.
pub(crate) fn in_test(mut test: Test, context: &Context) -> Test {
    if is_asked(context, "worker") {
        test.factory = Arc::new(BrokenFactory {
            whole: test.factory,
            begun: Arc::default(),
        });
    }
    if is_asked(context, "lost-request") {
        test.factory = Arc::new(LosingFactory {
            whole: test.factory,
            begun: Arc::default(),
        });
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

struct BrokenFactory {
    whole: Arc<dyn VuFactory>,
    begun: Arc<AtomicU64>,
}

struct BrokenUser {
    whole: Box<dyn VirtualUser>,
    begun: Arc<AtomicU64>,
}

impl VuFactory for BrokenFactory {
    fn make(&self, id: VuId, cx: &mut Cx<'_>) -> Result<Box<dyn VirtualUser>, Fault> {
        Ok(Box::new(BrokenUser {
            whole: self.whole.make(id, cx)?,
            begun: self.begun.clone(),
        }))
    }

    fn make_for_stage(
        &self,
        stage: LifecycleStage,
        cx: &mut Cx<'_>,
    ) -> Result<Option<Box<dyn VirtualUser>>, Fault> {
        self.whole.make_for_stage(stage, cx)
    }

    fn stage_timeout(&self, stage: LifecycleStage) -> Duration {
        self.whole.stage_timeout(stage)
    }
}

impl VirtualUser for BrokenUser {
    fn begin(&mut self, iteration: &Iteration, cx: &mut Cx<'_>) -> IterationStatus {
        let begun = self.begun.fetch_add(1, Ordering::Relaxed);
        assert!(begun + 1 != AT, "fault injected into a worker");
        self.whole.begin(iteration, cx)
    }

    fn wake(&mut self, cx: &mut Cx<'_>) -> IterationStatus {
        self.whole.wake(cx)
    }

    fn interrupt(&mut self, why: InterruptReason, cx: &mut Cx<'_>) -> IterationStatus {
        self.whole.interrupt(why, cx)
    }
}

struct LosingFactory {
    whole: Arc<dyn VuFactory>,
    begun: Arc<AtomicU64>,
}

struct LosingUser {
    whole: Box<dyn VirtualUser>,
    begun: Arc<AtomicU64>,
}

impl VuFactory for LosingFactory {
    fn make(&self, id: VuId, cx: &mut Cx<'_>) -> Result<Box<dyn VirtualUser>, Fault> {
        Ok(Box::new(LosingUser {
            whole: self.whole.make(id, cx)?,
            begun: self.begun.clone(),
        }))
    }

    fn make_for_stage(
        &self,
        stage: LifecycleStage,
        cx: &mut Cx<'_>,
    ) -> Result<Option<Box<dyn VirtualUser>>, Fault> {
        self.whole.make_for_stage(stage, cx)
    }

    fn stage_timeout(&self, stage: LifecycleStage) -> Duration {
        self.whole.stage_timeout(stage)
    }
}

impl VirtualUser for LosingUser {
    fn begin(&mut self, iteration: &Iteration, cx: &mut Cx<'_>) -> IterationStatus {
        if self.begun.fetch_add(1, Ordering::Relaxed) + 1 == AT {
            cx.local.count_requests(RequestCounts {
                sent: 1,
                ..RequestCounts::default()
            });
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
