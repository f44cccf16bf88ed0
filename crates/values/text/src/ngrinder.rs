//! What is said of scripts of nGrinder that are turned over.

use crate::message::declare_messages;

declare_messages! {
    /// A script was turned over and written.
    "ngrinder-written" => written(file, source);
    /// The head of the list of what is lost.
    "ngrinder-lost" => lost(count);
    /// One line of it.
    "ngrinder-loss" => loss(line, code, reason);
    /// In the written script: in the place of what is lost.
    "ngrinder-not-turned-over" => not_turned_over(reason);
    /// Reason: a class or a method.
    "ngrinder-no-counterpart" => no_counterpart(name);
    /// Reason: a name that nothing defines.
    "ngrinder-unknown-name" => unknown_name(name);
    /// Reason: syntax.
    "ngrinder-unread" => unread();
    /// Reason: nesting.
    "ngrinder-too-deep" => too_deep();
    /// Reason: a body of several parts.
    "ngrinder-multipart" => multipart();
    /// Reason: a file that is read during the run.
    "ngrinder-file-in-run" => file_in_run();
    /// Reason: what runs when a thread ends.
    "ngrinder-thread-end" => thread_end();
    /// Reason: what ran once for a process.
    "ngrinder-for-each-user" => for_each_user();
    /// Reason: a count that threads share.
    "ngrinder-shared-count" => shared_count();
    /// Reason: another class.
    "ngrinder-other-class" => other_class();
    /// In the written script: where the load comes from.
    "ngrinder-note-load" => note_load();
    /// In the written script: why redirects are not followed.
    "ngrinder-note-redirects" => note_redirects();
    /// In the written script: why certificates are not looked at.
    "ngrinder-note-certificates" => note_certificates();
    /// Why a file is not turned over: its ending.
    "ngrinder-ending" => ending();
    /// What to do about it.
    "ngrinder-ending-way" => ending_way();
    /// Why: it is another tool's.
    "ngrinder-foreign" => foreign();
    /// What to do about it.
    "ngrinder-foreign-way" => elsewhere_way();
    /// Why: no test is in it.
    "ngrinder-no-test" => no_test();
    /// What to do about it.
    "ngrinder-no-test-way" => no_test_way();
    /// Why: it ends too early.
    "ngrinder-cut" => cut();
    /// What to do about it.
    "ngrinder-cut-way" => cut_way();
    /// Why: its length.
    "ngrinder-too-long" => too_long();
    /// What to do about it.
    "ngrinder-too-long-way" => too_long_way();
    /// What a .groovy file is.
    "foreign-groovy" => foreign_groovy();
    /// What to do about one, or about a .py file.
    "foreign-ngrinder-way" => foreign_way(path);
}
