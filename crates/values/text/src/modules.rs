//! What is said of modules that a script imports from the web.

use crate::message::declare_messages;

declare_messages! {
    /// A module cannot be fetched.
    "module-not-fetched" => module_not_fetched(url, reason);
    /// A module's server cannot be reached.
    "module-unreachable" => module_unreachable(url, reason);
    /// A module is not at hand and nothing may be fetched.
    "module-offline" => module_offline(url);
    /// The server has another text than the lock file names.
    "module-changed" => module_changed(url, locked, found);
    /// The stored file is not what the lock file names.
    "module-tampered" => module_tampered(url, file, locked, found);
    /// A module's file cannot be read.
    "module-unreadable" => module_unreadable(url, file, errno);
    /// The lock file cannot be read.
    "module-lock" => module_lock(path, reason);
    /// Too many modules import each other in a row.
    "module-too-deep" => module_too_deep(url, most);
    /// A script imports too many modules.
    "module-too-many" => module_too_many(url, most);
    /// Code of another user, outside the test's folder.
    "code-foreign" => code_foreign(file, owner, folder);
    /// A script's modules are too large together.
    "module-too-large-together" => module_too_large_together(url, limit);
    /// Reason: the URL.
    "fetch-invalid-url" => fetch_invalid_url(url);
    /// Reason: the name has no address.
    "fetch-no-such-host" => fetch_no_such_host(host);
    /// Reason: nobody listens.
    "fetch-refused" => fetch_refused(address);
    /// Reason: it took too long.
    "fetch-timed-out" => fetch_timed_out(seconds);
    /// Reason: the certificate.
    "fetch-certificate" => fetch_certificate(host);
    /// Reason: the connection.
    "fetch-connection" => fetch_connection(detail);
    /// Reason: the server is out of order.
    "fetch-status" => fetch_status(url, status);
    /// Reason: too large.
    "fetch-too-large" => fetch_too_large(limit);
    /// Reason: a redirect out of https.
    "fetch-leaves-https" => fetch_leaves_https(to);
    /// Reason: too many redirects.
    "fetch-too-many-redirects" => fetch_too_many_redirects(most);
    /// Reason: the machine's network cannot be used.
    "fetch-setup" => fetch_setup(errno);
    /// A copy of the cache runs since the server cannot be reached.
    "module-stale" => module_stale(url, reason, date);
    /// loadline's own copy runs since the server cannot be reached.
    "module-built-in" => module_built_in(url, reason);
    /// loadline's own copy runs since nothing may be fetched.
    "module-built-in-offline" => module_built_in_offline(url);
    /// A module is not in the lock file.
    "module-not-locked" => module_not_locked(url, lock);
    /// What was fetched cannot be kept.
    "module-not-cached" => module_not_cached(path, errno);
    /// A module of k6 has no such name, but one like it.
    "import-misspelt" => import_misspelt(name, module, nearest);
    /// A module of k6 has no such name.
    "import-unknown" => import_unknown(name, module);
    /// A script that is not there.
    "script-file-missing" => script_file_missing(name);
    /// There is no such script, but one like it beside it.
    "script-file-misspelt" => script_file_misspelt(name, nearest);
    /// There is no such option, but one like it.
    "script-option-misspelt" => script_option_misspelt(name, nearest);
    /// There is no such option.
    "script-option-unknown" => script_option_unknown(name);
    /// A file that a script opened holds nothing.
    "script-file-blank" => script_file_blank(path);
    /// There is no such executor, but one like it.
    "script-executor-misspelt" => script_executor_misspelt(name, nearest);
    /// There is no such executor.
    "script-executor-unknown" => script_executor_unknown(name);
    /// Row: modules of the web.
    "show-modules" => show_modules();
}
