//! Which kind of test a command line names.
