//! What is said of the sources that signals of the target come from.

use crate::message::declare_messages;

declare_messages! {
    /// How all sources fared, in one line.
    "signals-line" => signals_line(sources);
    /// A source answered all the time.
    "signals-answered" => signals_answered(name);
    /// A source never answered.
    "signals-never" => signals_never(name, error);
    /// A source did not answer for some time.
    "signals-partly" => signals_partly(name, seconds, error);
    /// Live: how many sources answer.
    "signals-live" => signals_live(answering, all);
    /// Live: a source does not answer.
    "signals-fails" => signals_fails(name, error);
    /// Live: a source answers again.
    "signals-recovered" => signals_recovered(name);
    /// Live: sources are watched after the load.
    "signals-watch-on" => watches_on(seconds);
    /// Check: a source answers.
    "source-answers" => source_answers(name);
    /// Check: a source does not answer.
    "source-fails" => source_fails(name, error);
    /// Check: the signals it gives.
    "source-gives" => source_gives(signals);
    /// Check: nothing that is known.
    "source-gives-nothing" => source_gives_nothing();
    /// Check: a log that got no line.
    "source-gives-no-line" => source_gives_no_line();
    /// Check: settings of the target it tells.
    "source-tells" => source_tells(settings);
    /// Check: a signal that is missing, and what turns it on.
    "source-lacks" => source_lacks(signal, setting);
    /// A source's figures are of several processes.
    "source-several-processes" => source_several_processes(number);
    /// A note on a source.
    "source-refused-messages" => source_refused_messages(number);
    /// A source's counters are of processes that nothing tells apart.
    "source-mixed-processes" => source_mixed_processes(number);
    /// A page answers late.
    "source-slow-answers" => source_slow_answers(seconds);
    /// A metric that is not used, by the reason.
    "source-unused-name" => source_unused_name(metric);
    /// A metric that is not used, by the reason.
    "source-unused-labels" => source_unused_labels(metric);
    /// A metric that is not used, by the reason.
    "source-unused-value" => source_unused_value(metric);
    /// A metric that is not used, by the reason.
    "source-unused-unbounded" => source_unused_unbounded(metric);
    /// A metric that is not used, by the reason.
    "source-unused-no-use" => source_unused_no_use(metric);
    /// A metric that is not used, by the reason.
    "source-unused-no-time" => source_unused_no_time(metric);
    /// Figures of a managed database come late, a mean of a minute each.
    "source-minute-values" => source_minute_values(signals, late);
    /// No more traces are fetched.
    "source-all-traces" => source_all_traces(number);
    /// Statements without their texts.
    "source-unnamed-statements" => source_unnamed_statements();
    /// Check: a remark on what a source gives.
    "source-remark" => source_remark(text);
    /// Explanation: a remark on a source.
    "source-remark-of" => source_remark_of(name, text);
    /// Check: what to do about a page that is not there.
    "source-hint-page" => source_hint_page();
    /// Check: what to do about a port nobody listens on.
    "source-hint-port" => source_hint_port();
    /// Check: what to do about files that may not be read.
    "source-hint-permission" => source_hint_permission();
    /// Error: nothing listens there.
    "source-refused" => source_refused();
    /// Error: no answer in time.
    "source-timed-out" => source_timed_out();
    /// Error: no address.
    "source-no-such-host" => source_no_such_host();
    /// Error: a status.
    "source-status" => source_status(status);
    /// Error: no metrics.
    "source-not-metrics" => source_not_metrics(line);
    /// Error: empty.
    "source-empty" => source_empty();
    /// Error: too large.
    "source-too-large" => source_too_large();
    /// Error: cut off.
    "source-cut-off" => source_cut_off();
    /// Error: TLS.
    "source-tls" => source_tls();
    /// Error: no such process.
    "source-no-process" => source_no_process();
    /// Error: nobody listens on the port.
    "source-no-listener" => source_no_listener();
    /// Error: it may not be looked at.
    "source-no-permission" => source_no_permission();
    /// Error: user or password.
    "source-login" => source_login();
    /// Error: no such database.
    "source-no-database" => source_no_database();
    /// Error: another answer than asked for.
    "source-unexpected" => source_unexpected();
    /// An error.
    "source-no-file" => source_no_file();
    /// An error.
    "source-nothing-sent" => source_nothing_sent();
    /// An error.
    "source-port-taken" => source_port_taken();
    /// Error: numbers instead of lines.
    "source-no-lines" => source_no_lines();
    /// Error: a Prometheus reaches none of its targets.
    "source-targets-down" => source_targets_down();
    /// Check: how to name what is asked of a Prometheus.
    "source-hint-prometheus" => source_hint_prometheus();
    /// Check: how a page that asks for a user is named.
    "source-hint-user" => source_hint_user();
    /// Check: what of a database's address may be wrong.
    "source-hint-database" => source_hint_database();
    /// Check: how a Loki is named.
    "source-hint-loki" => source_hint_loki();
    /// Check: how another host is observed.
    "source-hint-remote" => source_hint_remote();
    /// Error: a defect of loadline.
    "source-defect" => source_defect();
    /// Error: something else.
    "source-other" => source_other(text);
    /// Serving: where, and how it is named elsewhere.
    "observe-serves" => serves(address, scheme, port);
    /// Init: it begins.
    "observe-init-looks" => init_looks();
    /// Init: nothing was found.
    "observe-init-nothing" => init_nothing();
    /// Init: where it was written.
    "observe-init-wrote" => init_wrote(path);
    /// Init: the comment above the list.
    "observe-init-head" => init_head();
    /// Init: the comment above a source whose password is in a variable.
    "observe-init-variable" => init_variable(name);
    /// Init: what a file names does not answer.
    "observe-init-no-answer" => init_no_answer(source, reason);
    /// Init: what a file names is of a kind that is not read.
    "observe-init-type" => init_type(name, kind);
    /// Init: a variable of the environment is not set.
    "observe-init-unset" => init_unset(source, name);
    /// Init: a secret of a file is to be exported.
    "observe-init-export" => init_export(name);
    /// Init: what a file names is no source.
    "observe-init-unread" => init_unread(source);
    /// Init: a data source that needs a query.
    "observe-init-query" => init_query(name, source);
    /// Init: a page of metrics that is not served.
    "observe-init-not-exposed" => init_not_exposed(setting);
    /// Init: settings of a profile that is not active.
    "observe-init-profile" => init_profile(profile);
    /// Init: a file that names no source.
    "observe-init-nothing-in" => init_nothing_in(file);
    /// Init: the comment above a database that needs a user.
    "observe-init-with-user" => init_with_user();
}
