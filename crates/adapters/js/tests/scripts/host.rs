//! A virtual clock, an executor for many calls and files in memory.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use loadline_js::*;
use loadline_units::{Clock, Time};

/// Time that stands still until told to go on; `step` makes each reading later.
#[derive(Default)]
pub(crate) struct Virtual {
    now: Cell<Time>,
    step: Cell<Duration>,
    sleepers: RefCell<Vec<(Time, Waker)>>,
}

impl Clock for Virtual {
    fn now(&self) -> Time {
        let now = self.now.get() + self.step.get();
        self.now.set(now);
        now
    }
}

struct Sleep {
    at: Time,
    clock: Rc<Virtual>,
}

impl Future for Sleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if self.clock.now.get() >= self.at {
            return Poll::Ready(());
        }
        self.clock
            .sleepers
            .borrow_mut()
            .push((self.at, cx.waker().clone()));
        Poll::Pending
    }
}

/// The clock as `VmOptions` wants it.
pub(crate) struct SharedClock(pub(crate) Rc<Virtual>);

impl Clock for SharedClock {
    fn now(&self) -> Time {
        self.0.now()
    }
}

impl ScriptTimer for SharedClock {
    fn sleep_until(&self, at: Time) -> Pin<Box<dyn Future<Output = ()>>> {
        Box::pin(Sleep {
            at,
            clock: Rc::clone(&self.0),
        })
    }
}

pub(crate) struct Host {
    pub(crate) clock: Rc<Virtual>,
    pub(crate) options: VmOptions,
}

impl Host {
    pub(crate) fn new() -> Self {
        let clock = Rc::new(Virtual::default());
        let options = VmOptions {
            timer: Rc::new(SharedClock(Rc::clone(&clock))),
            random_seed: Some(1),
            ..VmOptions::default()
        };
        Self { clock, options }
    }

    /// A runtime with `sleep(ms)`, `log(value)` and timers.
    pub(crate) fn vm(&self) -> (Vm, Log) {
        let vm = Vm::new(&self.options).unwrap();
        let log = Log::default();
        install(vm.ctx(), &self.clock, &log);
        (vm, log)
    }

    /// Makes every reading of the clock `step` later than the one before.
    pub(crate) fn tick(&self, step: Duration) {
        self.clock.step.set(step);
    }

    /// Runs the calls until all have ended, in turns; moves time to the next sleeper
    /// when nobody can go on.
    pub(crate) fn run_all(&self, calls: Vec<Call>) -> Vec<Result<Value, JsError>> {
        let count = calls.len();
        let mut calls: Vec<Option<Call>> = calls.into_iter().map(Some).collect();
        let wakes: Vec<Arc<Flag>> = (0..count).map(|_| Arc::new(Flag(true.into()))).collect();
        let mut results: Vec<Option<Result<Value, JsError>>> = (0..count).map(|_| None).collect();
        while results.iter().any(Option::is_none) {
            let mut ran = false;
            for i in 0..count {
                let Some(call) = &mut calls[i] else { continue };
                if !wakes[i].0.swap(false, Ordering::Relaxed) {
                    continue;
                }
                ran = true;
                let waker = Waker::from(Arc::clone(&wakes[i]));
                if let Poll::Ready(result) = call.poll(&mut Context::from_waker(&waker)) {
                    results[i] = Some(result);
                    calls[i] = None;
                }
            }
            if !ran {
                self.advance();
            }
        }
        results.into_iter().map(Option::unwrap).collect()
    }

    pub(crate) fn run(&self, call: std::io::Result<Call>) -> Result<Value, JsError> {
        self.run_all(vec![call.unwrap()]).pop().unwrap()
    }

    /// Moves time to the next sleeper and wakes all that are due.
    pub(crate) fn advance(&self) {
        let mut sleepers = self.clock.sleepers.take();
        let next = sleepers.iter().map(|(at, _)| *at).min();
        let next = next.expect("nobody can go on and nobody sleeps");
        self.clock.now.set(self.clock.now.get().max(next));
        sleepers.retain(|(at, waker)| {
            let due = *at <= next;
            if due {
                waker.wake_by_ref();
            }
            !due
        });
        self.clock.sleepers.borrow_mut().append(&mut sleepers);
    }

    pub(crate) fn now_ms(&self) -> u64 {
        self.clock.now.get().as_nanos() / 1_000_000
    }
}

pub(crate) struct Flag(pub(crate) AtomicBool);

impl Wake for Flag {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Lines a script logged.
#[derive(Clone, Default)]
pub(crate) struct Log(pub(crate) Rc<RefCell<Vec<String>>>);

impl Log {
    pub(crate) fn lines(&self) -> Vec<String> {
        self.0.borrow().clone()
    }

    pub(crate) fn text(&self) -> String {
        self.0.borrow().join(" | ")
    }
}

pub(crate) fn install(ctx: &Ctx, clock: &Rc<Virtual>, log: &Log) {
    let global = ctx.global();
    let clock = Rc::clone(clock);
    global
        .method("sleep", 1, move |ctx, args| {
            let ms = args.get(0).to_number()?;
            let at = clock.now.get() + Duration::from_secs_f64(ms / 1000.0);
            ctx.block_on(Sleep {
                at,
                clock: Rc::clone(&clock),
            })?;
            Ok(())
        })
        .unwrap();
    let log = log.clone();
    global
        .method("log", 1, move |_, args| {
            let shown: Result<Vec<String>, Exception> = args.rest(0).iter().map(inspect).collect();
            log.0.borrow_mut().push(shown?.join(" "));
            Ok(())
        })
        .unwrap();
    ctx.install_timers(|_, name, _| Exception::type_error(format!("{name}: no function")))
        .unwrap();
}

/// SourceFile files in memory; specifiers are relative to `file:///`.
#[derive(Default)]
pub(crate) struct Files(pub(crate) HashMap<String, String>);

impl Files {
    pub(crate) fn from_files(files: &[(&str, &str)]) -> Self {
        Self(
            files
                .iter()
                .map(|(name, text)| (format!("file:///{name}"), (*text).to_owned()))
                .collect(),
        )
    }
}

impl Loader for Files {
    fn resolve(&self, specifier: &str, _: &str) -> Result<String, String> {
        match specifier.strip_prefix("./") {
            Some(name) => Ok(format!("file:///{name}")),
            None => Err(format!("unknown module {specifier:?}")),
        }
    }

    fn load(&self, url: &str) -> Result<SourceFile, String> {
        let text = self
            .0
            .get(url)
            .ok_or_else(|| format!("{url} does not exist"))?;
        Ok(SourceFile {
            text: text.clone(),
            typescript: url.ends_with(".ts"),
        })
    }
}

pub(crate) fn build(
    files: &[(&str, &str)],
    builtins: Builtins,
) -> Result<Arc<Program>, Vec<ProgramError>> {
    let entry = format!("file:///{}", files[0].0);
    Program::build(&entry, Arc::new(Files::from_files(files)), builtins).map(Arc::new)
}

pub(crate) fn errors(result: Result<Arc<Program>, Vec<ProgramError>>) -> Vec<String> {
    result
        .err()
        .expect("the program is wrong")
        .iter()
        .map(ToString::to_string)
        .collect()
}
