//! The keys that make a step.

/// Keys that say what a step does; it has one of them.
pub(super) const VERBS: [&str; 16] = [
    "get", "post", "put", "patch", "delete", "head", "options", "think", "log", "function", "loop",
    "parallel", "connect", "send", "wait", "emit",
];

/// Whether a key says what a step does.
pub(super) fn is_verb(key: &str) -> bool {
    VERBS.contains(&key)
}
