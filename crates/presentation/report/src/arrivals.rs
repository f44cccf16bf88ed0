//! The line about how starts were spaced.

use loadline_record::ArrivalProcess;
use loadline_text::{Catalog, messages};

/// The arrival process, and the seed that repeats its starts.
#[must_use]
pub fn line(arrivals: ArrivalProcess, catalog: &Catalog) -> String {
    catalog.text(&match arrivals {
        ArrivalProcess::Even => messages::arrivals_even(),
        ArrivalProcess::Poisson { seed } => messages::arrivals_poisson(seed),
    })
}
