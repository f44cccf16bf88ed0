//! Quantities every other crate speaks in, each parsed and printed in one place.
//!
//! A unit is a type: an instant is a [`Time`], a frequency a [`Rate`], a size
//! [`Bytes`]. Names that mean nothing are told with the [`nearest`] right one; which
//! parts of paths are identifiers, by [`PathPart`]. Lengths of time are [`std::time::Duration`]; [`duration`] reads and
//! writes them the way load-test files do. Who may read a clock takes a [`Clock`].

pub mod bytes;
pub mod duration;
mod duration_unit;
mod halfwidth;
mod ids;
mod korean;
mod nearest;
mod path_part;
mod phases;
pub mod printable;
pub mod random;
mod rate;
mod requests;
mod share;
mod time;
mod unit_name;

pub use bytes::Bytes;
pub use duration::{DurationError, parse_duration};
pub use duration_unit::DurationUnit;
pub use halfwidth::{halfwidth, halfwidth_sign};
pub use ids::{ScenarioId, VuId, WorkerId};
pub use korean::{joined, korean_number, korean_quantity, without_separators};
pub use nearest::{nearest, nearest_beginning};
pub use path_part::{PathPart, readable_part};
pub use phases::PhaseMillis;
pub use random::{Random, SharedRandom, random_bits, seed_of_part};
pub use rate::{Rate, RateError};
pub use requests::RequestCounts;
pub use share::{ShareError, ShareTexts, parse_percentage, parse_share, share_of_number};
pub use time::{Clock, Time};
pub use unit_name::UnitName;
