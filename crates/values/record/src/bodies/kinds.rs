//! Kinds of what stands in a field.

use serde::{Deserialize, Serialize};

/// A set of kinds: of a list's elements there may be several.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct FieldKinds(u16);

impl FieldKinds {
    /// `null`.
    pub const NULL: Self = Self(1);
    /// `true`.
    pub const TRUE: Self = Self(1 << 1);
    /// `false`.
    pub const FALSE: Self = Self(1 << 2);
    /// The number zero.
    pub const ZERO: Self = Self(1 << 3);
    /// Any other number.
    pub const NUMBER: Self = Self(1 << 4);
    /// A text without a character.
    pub const EMPTY_TEXT: Self = Self(1 << 5);
    /// A text of one character again and again, or of nothing but spaces.
    pub const BLANK_TEXT: Self = Self(1 << 6);
    /// Any other text.
    pub const TEXT: Self = Self(1 << 7);
    /// A list without elements.
    pub const EMPTY_LIST: Self = Self(1 << 8);
    /// Any other list.
    pub const LIST: Self = Self(1 << 9);
    /// An object without members.
    pub const EMPTY_OBJECT: Self = Self(1 << 10);
    /// Any other object.
    pub const OBJECT: Self = Self(1 << 11);

    /// Both sets together.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether there is something in it, and nothing that is not in `other`.
    #[must_use]
    pub const fn is_only(self, other: Self) -> bool {
        self.0 != 0 && self.0 & !other.0 == 0
    }

    /// Whether something of `other` is in it.
    #[must_use]
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}
