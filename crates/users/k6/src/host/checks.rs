//! Remembers the tags of a user's checks, because a script makes the same checks in every
//! iteration.

use std::cell::RefCell;
use std::rc::Rc;

use loadline_js::Atom;
use loadline_metrics::TagSetId;

/// Checks remembered; a script with more of them looks the oldest up again.
const CACHED_CHECKS_MAX: usize = 32;

/// A check that may be made: its name has been looked at.
struct CachedCheck {
    key: Atom,
    name: Rc<str>,
    /// The user's tags it was last made under, and what they make with its own.
    tags: Option<(TagSetId, TagSetId)>,
}

/// The checks of one user.
#[derive(Default)]
pub(crate) struct CheckCache {
    all: RefCell<Vec<CachedCheck>>,
}

impl CheckCache {
    /// The place of the check called `key`.
    pub(crate) fn find(&self, key: &Atom) -> Option<usize> {
        self.all.borrow().iter().position(|known| known.key == *key)
    }

    /// Remembers a check; gives its place.
    pub(crate) fn add(&self, key: Atom, name: &str) -> usize {
        let mut all = self.all.borrow_mut();
        if all.len() == CACHED_CHECKS_MAX {
            all.remove(0);
        }
        all.push(CachedCheck {
            key,
            name: name.into(),
            tags: None,
        });
        all.len() - 1
    }

    /// Its name.
    pub(crate) fn name(&self, place: usize) -> Rc<str> {
        self.all.borrow()[place].name.clone()
    }

    /// Its tags under `base`, made by `make` when they are not those of last time.
    pub(crate) fn tags(
        &self,
        place: usize,
        base: TagSetId,
        make: impl FnOnce(&str) -> TagSetId,
    ) -> TagSetId {
        let known = &mut self.all.borrow_mut()[place];
        match known.tags {
            Some((under, tags)) if under == base => tags,
            _ => {
                let tags = make(&known.name);
                known.tags = Some((base, tags));
                tags
            }
        }
    }
}
