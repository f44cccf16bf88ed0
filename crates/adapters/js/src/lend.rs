//! Lends the caller's own data to native functions for the length of one resume.
//!
//! A worker's metrics shard, for example, is borrowed by the worker and cannot be stored
//! in the virtual user. The engine passes `&mut` to it with each resume. A native function
//! sees it through [`Ctx::lent`](crate::Ctx::lent) and cannot keep it: the closure has to
//! accept every lifetime, and blocking inside the closure panics.

use std::any::TypeId;
use std::cell::Cell;

/// Names a type that is lent, with the lifetime left open:
///
/// ```
/// struct Worker<'a> { sent: &'a mut u64 }
/// struct LendWorker;
/// impl loadline_js::LentType for LendWorker {
///     type Of<'a> = Worker<'a>;
/// }
/// ```
pub trait LentType: 'static {
    /// The type as borrowed for `'a`.
    type Of<'a>;
}

/// Lends nothing.
pub struct NoLentType;

impl LentType for NoLentType {
    type Of<'a> = ();
}

#[derive(Clone, Copy)]
struct Loan {
    id: TypeId,
    address: *mut (),
}

/// What is lent at the moment.
#[derive(Default)]
pub(crate) struct Loans {
    current: Cell<Option<Loan>>,
    out: Cell<bool>,
}

impl Loans {
    /// Lends `data` until the guard is dropped.
    pub(crate) fn lend<'a, L: LentType>(&'a self, data: &'a mut L::Of<'_>) -> LoanGuard<'a> {
        let loan = Loan {
            id: TypeId::of::<L>(),
            address: (&raw mut *data).cast(),
        };
        LoanGuard {
            loans: self,
            before: self.current.replace(Some(loan)),
        }
    }

    /// Runs `f` with what is lent now; `None` when nothing of this kind is lent.
    ///
    /// # Panics
    ///
    /// When called from within `f`, which would borrow it twice.
    pub(crate) fn with<L: LentType, R>(
        &self,
        f: impl for<'a, 'b> FnOnce(&'a mut L::Of<'b>) -> R,
    ) -> Option<R> {
        let loan = self
            .current
            .get()
            .filter(|loan| loan.id == TypeId::of::<L>())?;
        assert!(!self.out.replace(true), "the lent data is in use");
        let _out = OutGuard(self);
        // SAFETY: `lend` took a unique reference of exactly this type that is still
        // borrowed (its guard is alive, or `current` would be empty); `out` keeps it
        // unique; `f` accepts any lifetime, so nothing of it can escape; and while it
        // is out the coroutine is never suspended, so the borrow cannot end meanwhile.
        Some(f(unsafe { &mut *loan.address.cast::<L::Of<'_>>() }))
    }

    /// Whether a native function uses the loan now, so that its user must not be
    /// suspended.
    pub(crate) const fn is_out(&self) -> bool {
        self.out.get()
    }
}

/// Ends a loan.
pub(crate) struct LoanGuard<'a> {
    loans: &'a Loans,
    before: Option<Loan>,
}

impl Drop for LoanGuard<'_> {
    fn drop(&mut self) {
        self.loans.current.set(self.before);
    }
}

struct OutGuard<'a>(&'a Loans);

impl Drop for OutGuard<'_> {
    fn drop(&mut self) {
        self.0.out.set(false);
    }
}
