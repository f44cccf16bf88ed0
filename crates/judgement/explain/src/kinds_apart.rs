//! Kinds of requests that wait while others do not: what they wait for is theirs alone.
//!
//! All requests together say how many are served at once only where all wait for the same. Where some kinds get slower from
//! second to second, or none of theirs is as quick as the first, and all others are as quick as ever, the rate and the time of
//! those that wait tell how many of them are served at once.

use loadline_analysis::compare::ComparedWindow;

use super::first_wave::UsersInLoops;
use super::input::{CallerView, ExplainedEndpoint};
use super::served_at_once::{
    ALIKE_FACTOR_MAX, ServedAtOnce, WAITING_SLOWDOWN_MIN, WAVE_SLOWDOWN_MIN,
};
use super::view::{RequestKind, RunView};

/// Fewer requests of a kind say nothing.
const REQUESTS_MIN: u64 = 30;
/// A kind that waits gets slower by this factor and so many ms, ...
const SLOWDOWN_MIN: f64 = 1.5;
const SLOWDOWN_MS_MIN: f64 = 20.0;
/// ... and one that does not, by less than this factor.
const EVEN_FACTOR_MAX: f64 = 1.25;
/// Requests of users in loops that wait for nobody take less than so many times as long as the first, on average.
const ALONE_FACTOR_MAX: f64 = 2.0;
/// The first seconds hold requests of users who waited for nothing.
const FIRST_SECONDS: usize = 2;
/// So few of later requests are called the quick ones.
const QUICK_PERCENTILE: f64 = 0.05;
/// So many names are told.
const NAMES_MAX: usize = 3;

/// Whether requests of a kind wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    Waits,
    Even,
    Unclear,
}

/// Sums over the kinds that wait.
#[derive(Debug, Default)]
struct Waiting<'a> {
    names: Vec<&'a str>,
    rate: f64,
    /// Requests a second times how long they take, ms, and how long the quickest of their kind does.
    taken: f64,
    alone: f64,
}

/// How many are served at once of the kinds that wait; `None` where all do, none does, or of one it cannot be told.
pub(super) fn served_at_once(view: &RunView<'_>) -> Option<ServedAtOnce> {
    let (mut waiting, mut is_any_even) = (Waiting::default(), false);
    for endpoint in &view.run.endpoints {
        let windows = endpoint.windows.get(view.busy_windows())?;
        let seen = CallerView::from_windows(windows);
        if seen.durations.count() < REQUESTS_MIN {
            continue;
        }
        let first = first_ms(endpoint)?;
        let standing = if view.run.load.is_open {
            of_starts(view, windows, &seen, first)
        } else {
            let later = CallerView::from_windows(windows.get(FIRST_SECONDS..)?).durations;
            let kind = RequestKind {
                all: &endpoint.all,
                later,
            };
            of_users(view, &kind, &seen, first)
        };
        match standing {
            Standing::Unclear => return None,
            Standing::Even => is_any_even = true,
            Standing::Waits => {
                waiting.names.push(&endpoint.name);
                waiting.rate += seen.answered;
                waiting.taken += seen.answered * seen.mean_ms();
                waiting.alone += seen.answered * first;
            }
        }
    }
    let at_once = waiting.alone / 1000.0;
    let is_told = waiting.rate > 0.0 && at_once >= 1.0 / ALIKE_FACTOR_MAX;
    (is_any_even && is_told && waiting.names.len() <= NAMES_MAX).then(|| {
        let alone_ms = waiting.alone / waiting.rate;
        let mut served = ServedAtOnce::new(waiting.rate, alone_ms);
        served.is_most = view.run.load.is_open;
        served.of = Some(waiting.names.join(", "));
        served.mean_ms = waiting.taken / waiting.rate;
        served
    })
}

/// How long the quickest of them took that were answered well, ms.
fn first_ms(endpoint: &ExplainedEndpoint) -> Option<f64> {
    endpoint.fastest_good_ms.or(endpoint.all.min())
}

/// They take far longer than the quickest of them.
fn is_slow(seen: &CallerView, first: f64) -> bool {
    seen.mean_ms() >= WAITING_SLOWDOWN_MIN * first && seen.mean_ms() - first >= SLOWDOWN_MS_MIN
}

/// Users in loops who all began at once: hardly any later request is as quick as the first, and that is no chance.
fn of_users(view: &RunView<'_>, kind: &RequestKind<'_>, seen: &CallerView, first: f64) -> Standing {
    let users = UsersInLoops {
        count: view.run.load.users,
        receiving_ms: view.run.times.map_or(0.0, |times| times.receiving),
    };
    let quick = kind.later.percentile(QUICK_PERCENTILE).unwrap_or(first);
    let is_later = quick - users.receiving_ms >= WAVE_SLOWDOWN_MIN * first;
    if is_slow(seen, first) && is_later && users.is_quicker_than_by_chance(kind) {
        Standing::Waits
    } else if quick <= EVEN_FACTOR_MAX * first && seen.mean_ms() <= ALONE_FACTOR_MAX * first {
        Standing::Even
    } else {
        Standing::Unclear
    }
}

/// Starts that go on whatever the answers: a queue grows from second to second.
fn of_starts(
    view: &RunView<'_>,
    windows: &[ComparedWindow],
    seen: &CallerView,
    first: f64,
) -> Standing {
    let Some(growth) = view.growth_of(windows) else {
        return Standing::Unclear;
    };
    let is_longer = growth.late - growth.early >= SLOWDOWN_MS_MIN;
    if is_slow(seen, first) && is_longer && growth.is_by(SLOWDOWN_MIN) {
        Standing::Waits
    } else if growth.late <= EVEN_FACTOR_MAX * growth.early {
        Standing::Even
    } else {
        Standing::Unclear
    }
}
