//! The steps of a path, and what it may end in.

use super::filter::Filter;

/// What is taken of the values at the end of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PathEnding {
    /// `~`: the names they are found under.
    Names,
    /// `@number()` and the like: those of a type.
    Type(JsonType),
}

/// A type of `@number()` and the like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JsonType {
    Number,
    Integer,
    String,
    Boolean,
    Object,
    Array,
    Null,
    Scalar,
}

#[derive(Debug, Clone)]
pub(crate) enum Step {
    /// A property, or an index if the value is a list.
    Name(String),
    All,
    /// This value and all values inside it.
    Deep,
    Slice(Option<i64>, Option<i64>, Option<i64>),
    Union(Vec<Step>),
    Filter(Filter),
    /// `(@.length-1)`
    FromEnd(usize),
    Parent,
}
