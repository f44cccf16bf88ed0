//! Why a stored blob cannot be read.

/// Why a stored blob cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BlobError {
    /// It ends too early.
    #[error("it ends too early")]
    Short,
    /// A number is malformed or out of range.
    #[error("a number in it is malformed")]
    Number,
    /// A text is not UTF-8.
    #[error("a text in it is not UTF-8")]
    Text,
    /// It does not begin with our header.
    #[error("it has no header")]
    Header,
    /// A newer program wrote it.
    #[error("it has version {0}, which is newer than this program")]
    Version(u8),
    /// It cannot be decompressed.
    #[error("it cannot be decompressed")]
    Compression,
    /// It holds something else than expected.
    #[error("it holds something else")]
    Content,
    /// It refers to a series that is not defined.
    #[error("what it refers to is missing")]
    Reference,
}
