//! Nothing but the benchmark stands here.
