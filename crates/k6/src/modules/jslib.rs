//! loadline's own modules behind the URLs of k6's public library.

/// The text of the module at `url`, if it is one of ours.
pub(crate) fn source(_: &str) -> Option<&'static str> {
    None
}
