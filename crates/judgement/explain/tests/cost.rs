//! What an explanation costs does not grow with what is looked at twice: a run of ten minutes with 200 wordings in its
//! log and 60 statements of a database is explained with few allocations. Each rule that read the log anew, or each
//! pair of looks that added up the seconds between them, took many times as many. How long a stored run of that
//! size takes: `crates/use-cases/session/examples/long_run.rs`.
#![expect(
    unsafe_code,
    reason = "a counting allocator is an unsafe trait's instance"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use loadline_analysis::compare::ComparedWindow;
use loadline_explain::{ExplainedRun, explain};
use loadline_record::signals::{Entity, Label, SignalKind, Signals, TargetSetting};
use loadline_units::random::Random;

struct Counting;

thread_local! {
    static COUNTED: Cell<Option<u64>> = const { Cell::new(None) };
}

fn count() {
    COUNTED.with(|counted| {
        if let Some(so_far) = counted.get() {
            counted.set(Some(so_far + 1));
        }
    });
}

// SAFETY: everything is passed on to the system's allocator unchanged; counting touches a
// thread-local cell only, which does not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller's promises are the system allocator's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const SECONDS: u32 = 600;
const REQUESTS_PER_SECOND: u32 = 400;
const STATEMENTS: u32 = 60;
const WORDINGS: u32 = 200;
const LOOK_SECONDS: usize = 3;
const ALLOCATIONS_MAX: u64 = 50_000;

/// A load that changes, on a target that fails now and then.
fn long_run() -> ExplainedRun {
    let random = Random::new(43);
    let mut run = ExplainedRun::default();
    for second in 0..SECONDS {
        let mut window = ComparedWindow {
            requests: f64::from(REQUESTS_PER_SECOND / 2 + second % 200),
            failed: f64::from(second % 50),
            ..ComparedWindow::default()
        };
        for _ in 0..REQUESTS_PER_SECOND {
            window.durations.record(500.0 * random.unit());
        }
        run.windows.push(window);
    }
    let follow = |signals: &mut Signals, kind: SignalKind, of: &Entity| {
        let mut value = 0.0;
        for second in (0..SECONDS).step_by(LOOK_SECONDS) {
            value += random.unit();
            let at_ms = u64::from(second) * 1000 + 300;
            signals.push(kind, of, at_ms, value);
        }
    };
    for number in 0..STATEMENTS {
        let of = Entity::new().with(Label::Statement, &format!("select {number}"));
        follow(&mut run.signals, SignalKind::StatementCalls, &of);
        follow(&mut run.signals, SignalKind::StatementTime, &of);
    }
    for number in 0..WORDINGS {
        let text = format!("WARN pool_{number} - Connection is not available, request timed out");
        let of = Entity::new().with(Label::Line, &text);
        follow(&mut run.signals, SignalKind::LogLines, &of);
        follow(&mut run.signals, SignalKind::LogErrors, &of);
        run.signals
            .set(TargetSetting::new("log.sample", &text.repeat(8), of));
    }
    run
}

#[test]
fn a_run_of_ten_minutes_with_a_loud_log_is_explained_with_few_allocations() {
    let run = long_run();
    COUNTED.with(|counted| counted.set(Some(0)));
    let explanation = explain(&run, &[]);
    let counted = COUNTED.with(|counted| counted.replace(None)).unwrap_or(0);
    assert!(!explanation.findings.is_empty());
    assert!(counted <= ALLOCATIONS_MAX, "{counted} allocations");
}
