//! A request that was cut, as its user remembers it until it is accounted for.

use std::rc::Rc;

use loadline_metrics::TagSetId;
use loadline_units::Time;

use super::target::Target;

/// A request that was cut.
pub(super) struct CutJob {
    /// The user's tags when it was made; `None`: not asked for yet.
    pub(super) base: Option<TagSetId>,
    pub(super) target: Rc<Target>,
    pub(super) method: String,
    /// Tags of the request's own.
    pub(super) own: Vec<(String, String)>,
    pub(super) started: Time,
}
