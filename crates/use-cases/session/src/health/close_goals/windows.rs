//! Goals that each so many seconds of a run must meet by themselves.

use std::time::Duration;

use loadline_record::{Validity, VerdictStanding};

use super::SecondLook;

/// What second looks at the windows of a goal found so far.
#[derive(Debug, Clone, Default)]
pub(super) struct DoubtedWindows {
    /// Seconds of each.
    length: u64,
    /// Seconds of the present one.
    seconds: u64,
    /// Windows that are over.
    over: u64,
    /// One was missed without the generator's delays, too.
    is_missed: bool,
    /// Seconds that were left out of one that is missed without them, too.
    missed_without: Option<u64>,
    /// Seconds to leave out so that no window is missed for a delay.
    doubted: u64,
}

impl DoubtedWindows {
    pub(super) fn new(length: Duration) -> Self {
        Self {
            length: length.as_secs().max(1),
            ..Self::default()
        }
    }

    pub(super) fn restarted(self) -> Self {
        Self {
            length: self.length,
            ..Self::default()
        }
    }

    /// Counts a second; whether the present window ends with it.
    pub(super) fn is_over(&mut self) -> bool {
        self.seconds += 1;
        self.seconds >= self.length
    }

    /// Takes in what was found of the window that ended.
    pub(super) fn add(&mut self, look: WindowLook) {
        self.seconds = 0;
        self.over += 1;
        match look {
            WindowLook::Met => {}
            WindowLook::Missed => self.is_missed = true,
            WindowLook::Doubtful(look) if look.standing == VerdictStanding::Same => {
                self.missed_without = Some(look.touched);
            }
            WindowLook::Doubtful(look) if look.standing == VerdictStanding::NothingLeft => {
                self.doubted += self.length;
            }
            WindowLook::Doubtful(look) => self.doubted += look.touched,
        }
    }

    /// Whether a window was over: else what there is of the first is judged.
    pub(super) const fn are_judged(&self) -> bool {
        self.over > 0
    }

    /// `None` where a window is missed without the generator's delays, too.
    pub(super) fn second_look(&self) -> Option<SecondLook> {
        if self.is_missed {
            return None;
        }
        if let Some(touched) = self.missed_without {
            return Some(SecondLook {
                touched,
                standing: VerdictStanding::Same,
            });
        }
        let is_enough = Validity::is_enough_left(self.over * self.length, self.doubted);
        // Where no delay matters, it is missed as it was measured.
        (self.doubted > 0).then_some(SecondLook {
            touched: self.doubted,
            standing: if is_enough {
                VerdictStanding::Differs
            } else {
                VerdictStanding::NothingLeft
            },
        })
    }
}

/// What a second look at one window finds.
#[derive(Debug, Clone, Copy)]
pub(super) enum WindowLook {
    Met,
    /// Without the generator's delays, too.
    Missed,
    Doubtful(SecondLook),
}
