//! Whether the requests that the target counts are those of the callers: what goes in comes out.
//!
//! A page that counts more serves others, too; one that counts fewer is of one process of several, or
//! of another program. Times per request taken from it are then not those of the callers' requests.

use loadline_record::signals::{Entity, SignalKind};

use super::view::RunView;

/// Counts that differ by less than this share are the same.
const TOLERANCE_SHARE: f64 = 0.05;
/// Looks at the page and health checks are counted by it, too, so many a second.
const OWN_REQUESTS_PER_SECOND_MAX: f64 = 2.0;

/// How the requests that the target counts compare with those of the callers, per second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Flow {
    /// They are the same.
    Conserved,
    /// The target counts others', too.
    More { page: f64, callers: f64 },
    /// The target counts a part of them.
    Fewer { page: f64, callers: f64 },
    /// The target counts none.
    Unknown,
}

impl Flow {
    pub(super) fn new(view: &RunView<'_>) -> Self {
        let Some(page) = view.rate(SignalKind::ServerRequests, &Entity::new()) else {
            return Self::Unknown;
        };
        let callers = &view.callers;
        // The page is looked at for a part of these seconds, in which callers may have got more than in the others.
        let seen = view.ended_while_seen(SignalKind::ServerRequests, &Entity::new());
        let ended = callers.ended.max(seen.unwrap_or(0.0));
        // What was cut may have come to an end in the target, or never have got there.
        let most = ended * (1.0 + TOLERANCE_SHARE) + OWN_REQUESTS_PER_SECOND_MAX;
        let least = callers.answered * (1.0 - TOLERANCE_SHARE);
        if page > most {
            Self::More {
                page,
                callers: ended,
            }
        } else if page < least {
            Self::Fewer {
                page,
                callers: callers.answered,
            }
        } else {
            Self::Conserved
        }
    }

    /// What is told of the page is not of the callers' requests alone, or not of all of them.
    pub(super) const fn is_broken(self) -> bool {
        matches!(self, Self::More { .. } | Self::Fewer { .. })
    }
}
