//! Errors people read: what is wrong, where, why, what to do.
//!
//! A [`Problem`] has a code that never changes, a class that says whose fault it is, a
//! place, and arguments. Its words are the message `error-<code>` of the catalogue, with
//! the attributes `cause` (where there is one) and `help`.

mod location;

pub use location::Location;

/// Whose fault an error is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProblemClass {
    /// What was typed, or a file of settings.
    Config,
    /// The test's code.
    Script,
    /// This program or the machine it runs on.
    Generator,
    /// What the load was sent to.
    Target,
}

impl ProblemClass {
    /// Its name in logs and JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Config => "config",
            Self::Script => "script",
            Self::Generator => "generator",
            Self::Target => "target",
        }
    }
}

/// An error, not yet in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong.
    pub code: Code,
    /// Where, if anywhere.
    pub place: Option<Location>,
    /// The words' arguments, by name.
    pub args: Vec<(&'static str, String)>,
}

impl Problem {
    /// The same, at a place.
    #[must_use]
    pub fn at(mut self, place: Location) -> Self {
        self.place = Some(place);
        self
    }

    /// Whose fault it is.
    #[must_use]
    pub const fn class(&self) -> ProblemClass {
        self.code.class()
    }
}

/// Declares errors: a code, a function each, and the table the tests read.
macro_rules! declare_problems {
    ($($(#[$doc:meta])* $code:ident $name:ident $id:literal $class:ident ($($arg:ident),* $(,)?);)*) => {
        /// What can be wrong. Ids are stable: scripts and stored runs keep them.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Code {
            $($(#[$doc])* $code,)*
        }

        impl Code {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$code,)*];

            /// Its id.
            #[must_use]
            pub const fn id(self) -> &'static str {
                match self { $(Self::$code => $id,)* }
            }

            /// Whose fault it is.
            #[must_use]
            pub const fn class(self) -> ProblemClass {
                match self { $(Self::$code => ProblemClass::$class,)* }
            }

            /// Its message's key.
            pub(crate) const fn key(self) -> &'static str {
                match self { $(Self::$code => concat!("error-", $id),)* }
            }

            #[cfg(test)]
            pub(crate) const fn args(self) -> &'static [&'static str] {
                match self { $(Self::$code => &[$(stringify!($arg)),*],)* }
            }
        }

        $(
            $(#[$doc])*
            #[must_use]
            pub fn $name($($arg: impl ToString),*) -> Problem {
                Problem {
                    code: Code::$code,
                    place: None,
                    args: vec![$((stringify!($arg), $arg.to_string())),*],
                }
            }
        )*
    };
}

declare_problems! {
    /// A file is not there.
    FileMissing file_missing "file-missing" Config (path);
    /// A file cannot be read.
    FileUnreadable file_unreadable "file-unreadable" Config (path, reason);
    /// A file is a folder.
    FileIsFolder file_is_folder "file-is-folder" Config (path);
    /// A file of another tool stands where a test belongs.
    ForeignFile foreign_file "foreign-file" Config (path, what, way);
    /// The same, and it is not there.
    ForeignFileMissing foreign_file_missing "foreign-file-missing" Config (path, what, way);
    /// A file is named as a script of nGrinder and cannot be turned over.
    NgrinderRefused ngrinder_refused "ngrinder-refused" Config (path, what, way);
    /// A file that is to be text is none.
    FileNotText file_not_text "file-not-text" Config (path);
    /// A URL is malformed.
    UrlInvalid url_invalid "url-invalid" Config (url);
    /// Notices cannot be posted to what was given; it may be a secret and is not repeated.
    NotifyUrlInvalid notify_url_invalid "notify-url-invalid" Config (place);
    /// The port of a URL is none.
    UrlPort url_port "url-port" Config (url, port);
    /// An option that holds once was typed twice.
    OptionTwice option_twice "option-twice" Config (option);
    /// A URL without a host.
    UrlWithoutHost url_without_host "url-without-host" Config (url);
    /// A stored run is no search for capacity.
    NoCapacity no_capacity "no-capacity" Config (run);
    /// A capacity file whose test does not tell how long a visitor stays.
    NoSession no_session "no-session" Config (file);
    /// A scenario of an Artillery file has no name, so that it cannot be tested alone.
    MatrixUnnamed matrix_unnamed "matrix-unnamed" Config (number, path);
    /// A line of a list of URLs is none.
    MatrixLine matrix_line "matrix-line" Config (path, line, text);
    /// A list of URLs has none.
    MatrixEmpty matrix_empty "matrix-empty" Config (path);
    /// A folder has no tests that a plan wrote.
    MatrixFolder matrix_folder "matrix-folder" Config (folder);
    /// No feature of a plan is a row of a matrix.
    MatrixPlan matrix_plan "matrix-plan" Config (path, features, rows);
    /// A matrix has too little time.
    MatrixBudget matrix_budget "matrix-budget" Config (budget, rows, least);
    /// What a matrix came to so far cannot be kept or read.
    MatrixProgress matrix_progress "matrix-progress" Generator (path, reason);
    /// The same matrix is under way.
    MatrixRunning matrix_running "matrix-running" Config (path);
    /// A file of rounds cannot be read.
    RoundsFile rounds_file "rounds-file" Config (path, reason);
    /// A figure of a round is none.
    RoundsFigure rounds_figure "rounds-figure" Config (key, value, expected);
    /// A key of a file of rounds means nothing.
    RoundsKey rounds_key "rounds-key" Config (key, known);
    /// ... and is nearly one that does.
    RoundsKeyMeant rounds_key_meant "rounds-key-meant" Config (key, meant);
    /// A file holds no capacity.
    CapacityFile capacity_file "capacity-file" Config (path, reason);
    /// Pages would be open to others.
    ServeOpen serve_open "serve-open" Config (address);
    /// A file holds no certificate.
    TlsCertificate tls_certificate "tls-certificate" Config (path);
    /// A file holds no private key.
    TlsKey tls_key "tls-key" Config (path);
    /// A key is not that of a certificate.
    TlsPair tls_pair "tls-pair" Config (certificate, key);
    /// A file is no result that a report can be made of.
    ReportFile report_file "report-file" Config (path);
    /// A script's tag is not NAME=VALUE.
    ScriptTag script_tag "script-tag" Config (tag);
    /// A report is to be written to a file of a form that none has.
    ReportEnding report_ending "report-ending" Config (path, ending);
    /// A line of a file of samples is none.
    ReportLine report_line "report-line" Config (path, line);
    /// Something in a study file is wrong.
    StudyMistake study_mistake "study-mistake" Config (what);
    /// The test that a study file names cannot begin.
    StudyTest study_test "study-test" Config (what, reason, folder);
    /// Another study works on the same target.
    StudyLocked study_locked "study-locked" Config (target, holder);
    /// A knob has another value than its study file says.
    StudyDiffers study_differs "study-differs" Config (knob, file, seen, source);
    /// A study's test sends less than its goal asks to be carried.
    StudyLoadSmall study_load_small "study-load-small" Config (sent, condition, least);
    /// The study file was changed while its journal is unfinished.
    StudyChanged study_changed "study-changed" Config (journal);
    /// Somebody answers where a study is to start its target.
    StudyNotFree study_not_free "study-not-free" Config (ready);
    /// No target that runs was found.
    TargetAbsent target_absent "target-absent" Config (target);
    /// A process that runs cannot be looked at.
    TargetUnseen target_unseen "target-unseen" Config (target, reason);
    /// A hook of a study failed outside of a trial.
    StudyHook study_hook "study-hook" Target (reason);
    /// A target is not as it was before a study.
    StudyNotRestored study_not_restored "study-not-restored" Target (count, left);
    /// A journal is another user's, or others may write it.
    StudyJournalForeign study_journal_foreign "study-journal-foreign" Config (journal, owner, mode);
    /// A journal is a link.
    StudyJournalLink study_journal_link "study-journal-link" Config (journal);
    /// What stands in a journal is none.
    StudyJournalDamaged study_journal_damaged "study-journal-damaged" Config (journal, reason);
    /// The secret of the pages may be known to others.
    PageSecretOpen page_secret_open "page-secret-open" Config (path);
    /// A journal cannot be written or read.
    StudyJournal study_journal "study-journal" Generator (journal, reason);
    /// A table of levels cannot be judged.
    TableInvalid table_invalid "table-invalid" Config (file, reason);
    /// A cell of a table is no number.
    TableCell table_cell "table-cell" Config (file, line, head, cell);
    /// A cell of a table that each line needs is empty.
    TableCellEmpty table_cell_empty "table-cell-empty" Config (file, line, head);
    /// A cell of a table has a number that it cannot have.
    TableCellLow table_cell_low "table-cell-low" Config (file, line, head, cell);
    /// A cell of a table that must be above zero is not.
    TableCellZero table_cell_zero "table-cell-zero" Config (file, line, head, cell);
    /// `TZ` names no zone.
    ZoneUnknown zone_unknown "zone-unknown" Config (zone);
    /// `TZ` names no zone, and which was meant is known.
    ZoneMisspelt zone_misspelt "zone-misspelt" Config (zone, nearest);
    /// An option's value is malformed.
    OptionInvalid option_invalid "option-invalid" Config (option, value, expected);
    /// An option's value is malformed, and it is known why.
    OptionRefused option_refused "option-refused" Config (option, value, why, expected);
    /// Two options cannot stand together.
    OptionConflict option_conflict "option-conflict" Config (one, other);
    /// An option means something only beside another.
    OptionNeeds option_needs "option-needs" Config (option, other);
    /// An option that says how often a test runs, where that is not the test's to say.
    OptionOfRuns option_of_runs "option-of-runs" Config (option);
    /// There is no such option.
    OptionUnknown option_unknown "option-unknown" Config (option);
    /// An option of URL runs beside an Artillery file.
    OptionOfUrl option_of_url "option-of-url" Config (option);
    /// Another program listens on a port.
    PortInUse port_in_use "port-in-use" Generator (address);
    /// A port is reserved.
    PortNotPermitted port_not_permitted "port-not-permitted" Generator (address);
    /// No network interface has an address.
    AddressNotHere address_not_here "address-not-here" Config (address);
    /// A server cannot listen for another reason.
    NotListening not_listening "not-listening" Generator (address, reason);
    /// Something that looks like a URL without its scheme.
    UrlWithoutScheme url_without_scheme "url-without-scheme" Config (url);
    /// A URL of a scheme that no load can be sent to.
    SchemeUnknown scheme_unknown "scheme-unknown" Config (url);
    /// Of the columns of a log nothing is known.
    LogColumns log_columns "log-columns" Config (files, names);
    /// An access log without a request.
    LogEmpty log_empty "log-empty" Config (files);
    /// A table without a column that is needed.
    ColumnMissing column_missing "column-missing" Config (file, column, seen);
    /// A file that would be overwritten.
    FileExists file_exists "file-exists" Config (path);
    /// A file that names sources already.
    ObserveThere observe_there "observe-there" Config (path);
    /// Signals are served to those who know a token.
    ObserveToken observe_token "observe-token" Config (least);
    /// A source needs a variable that is not set.
    ObserveVariable observe_variable "observe-variable" Config (source, name);
    /// The store that was named cannot be written.
    StoreNotWritable store_not_writable "store-not-writable" Config (path);
    /// The store that was named is a newer program's.
    StoreNewer store_newer "store-newer" Config (path);
    /// The file that was named as a store is something else.
    NotAStore not_a_store "not-a-store" Config (path);
    /// There is no such option, but a similar one.
    OptionMisspelt option_misspelt "option-misspelt" Config (option, similar);
    /// A command does not have an option that others have.
    OptionOfOthers option_of_others "option-of-others" Config (option, commands);
    /// There is no such option; another tool has it, and here it is typed so.
    OptionElsewhere option_elsewhere "option-elsewhere" Config (option, ours);
    /// An option of URL runs was given to a script, which says it in its own words.
    OptionInScript option_in_script "option-in-script" Config (option, spelling);
    /// There is no such option; another tool has it, and what it asks for is always shown.
    OptionNeedless option_needless "option-needless" Config (option);
    /// An option cannot have this value.
    OptionValue option_value "option-value" Config (option, value);
    /// An argument that the command needs is missing.
    ArgumentMissing argument_missing "argument-missing" Config (arguments);
    /// The command takes no such argument.
    ArgumentUnexpected argument_unexpected "argument-unexpected" Config (argument);
    /// There is no such command.
    CommandUnknown command_unknown "command-unknown" Config (name);
    /// There is no such command, but a similar one.
    CommandMisspelt command_misspelt "command-misspelt" Config (name, similar);
    /// A test stands where a command belongs.
    CommandIsTest command_is_test "command-is-test" Config (name);
    /// An option stands without its value.
    OptionWithoutValue option_without_value "option-without-value" Config (option);
    /// The command line cannot be read.
    Usage usage "usage" Config (reason);
    /// An output cannot be.
    OutputInvalid output_invalid "output-invalid" Config (reason);
    /// A scenario cannot be run as written.
    ScenarioInvalid scenario_invalid "scenario-invalid" Config (scenario, mistakes);
    /// A threshold is no condition.
    ThresholdMalformed threshold_malformed "threshold-malformed" Config (metric, text);
    /// A threshold is malformed, and what was meant is known.
    ThresholdCorrected threshold_corrected "threshold-corrected" Config (metric, text, why, instead);
    /// A threshold asks for a statistic that does not exist.
    ThresholdStatistic threshold_statistic "threshold-statistic" Config (metric, text, found);
    /// A threshold's percentile is no number.
    ThresholdPercentileText threshold_percentile_text "threshold-percentile-text" Config (metric, text, found);
    /// A threshold's percentile is outside 0 to 100.
    ThresholdPercentile threshold_percentile "threshold-percentile" Config (metric, text, found);
    /// A threshold compares with no number.
    ThresholdLimit threshold_limit "threshold-limit" Config (metric, text, found);
    /// A threshold's window is no length of whole seconds.
    ThresholdWindow threshold_window "threshold-window" Config (metric, text, found);
    /// A threshold asks for a statistic its metric does not have.
    ThresholdKind threshold_kind "threshold-kind" Config (metric, text, statistic, kind, supported);
    /// A threshold names a metric that does not exist.
    ThresholdMetric threshold_metric "threshold-metric" Config (metric);
    /// A threshold names a metric that does not exist, and which one was meant is known.
    ThresholdMetricMisspelt threshold_metric_misspelt "threshold-metric-misspelt" Config (metric, meant);
    /// A threshold's metric name is malformed.
    ThresholdName threshold_name "threshold-name" Config (metric);
    /// A function or module k6 has and we do not.
    Unsupported unsupported "unsupported" Config (what, instead);
    /// The test needs more open files than allowed.
    OpenFiles open_files "open-files" Generator (vus, needed, limit, fits);
    /// A script cannot be a test.
    ScriptUnusable script_unusable "script-unusable" Script (script, message);
    /// A file of a test has mistakes, which were told.
    TestFile test_file "test-file" Script (file);
    /// Set-up or teardown took too long.
    StageTimeout stage_timeout "stage-timeout" Script (stage, limit);
    /// The template that drives a browser.
    TemplateBrowser template_browser "template-browser" Config ();
    /// The modules of a script cannot be stored.
    NotVendored not_vendored "not-vendored" Script (script, reason);
    /// The list of stored modules cannot be read.
    LockUnreadable lock_unreadable "lock-unreadable" Config (path, reason, name);
    /// The secret that a gate signs with is none.
    GateSecret gate_secret "gate-secret" Config (place);
    /// The root key that a gate was given is none.
    GateKey gate_key "gate-key" Config (place);
    /// The state of a gate was found and is another user's.
    GateDataForeign gate_data_foreign "gate-data-foreign" Config (place, owner);
    /// The root key of a gate cannot be kept.
    GateKeyUnsaved gate_key_unsaved "gate-key-unsaved" Config (path, reason);
    /// The gates of a store sign with another secret.
    GateOtherSecret gate_other_secret "gate-other-secret" Config ();
    /// The address of a gate's Redis cannot be read.
    GateRedisAddress gate_redis_address "gate-redis-address" Config ();
    /// A gate's Redis is a node of a cluster.
    GateRedisCluster gate_redis_cluster "gate-redis-cluster" Config ();
    /// A gate's Redis refuses user or password.
    GateRedisLogin gate_redis_login "gate-redis-login" Config ();
    /// Another gate uses the directory.
    GateInUse gate_in_use "gate-in-use" Config (path);
    /// Another root key is asked for where no gate ever was.
    GateNothingKept gate_nothing_kept "gate-nothing-kept" Config (store);
    /// `--redis-ca` has no certificate, or Redis is not reached over TLS.
    GateRedisCa gate_redis_ca "gate-redis-ca" Config ();
    /// Nothing could be started.
    StartFailed start_failed "start-failed" Generator (what, reason);
    /// A file cannot be written.
    WriteFailed write_failed "write-failed" Generator (path, reason);
    /// The target answered no request to the end.
    NoAnswer no_answer "no-answer" Target (url, reason);
    /// The target speaks HTTP without TLS.
    NoTls no_tls "no-tls" Target (url, plain);
    /// No stored run is meant.
    RunMissing run_missing "run-missing" Config (reference);
    /// Several stored runs are meant.
    RunAmbiguous run_ambiguous "run-ambiguous" Config (reference, count);
    /// A run kept no answers that another could be held to.
    AnswersNotSaved answers_not_saved "answers-not-saved" Config (run);
    /// There is no store.
    StoreMissing store_missing "store-missing" Config (path);
    /// A store cannot be used.
    StoreUnusable store_unusable "store-unusable" Generator (path, reason);
    /// Nobody said where the store is.
    NoStore no_store "no-store" Config ();
    /// Runs cannot be merged.
    NotMerged not_merged "not-merged" Config (reason);
    /// A target others use, not confirmed.
    SharedTarget shared_target "shared-target" Config (host, note);
    /// A target others use, outside its hours.
    SharedHours shared_hours "shared-hours" Config (host, hours);
    /// OTLP would be received from everybody.
    OtlpOpen otlp_open "otlp-open" Config (address);
    /// There is no loadline.yaml.
    ProjectAbsent project_absent "project-absent" Config ();
    /// A loadline.yaml may give no orders.
    ProjectDistrusted project_distrusted "project-distrusted" Config (reason);
    /// The project's settings cannot be read.
    ProjectInvalid project_invalid "project-invalid" Config (path, reason);
    /// A loadline.yaml has a key that means nothing.
    ProjectKey project_key "project-key" Config (path, line, key, known);
    /// ... and is like one that there is.
    ProjectKeyMisspelt project_key_misspelt "project-key-misspelt" Config (path, line, key, similar);
    /// A number that cannot be.
    PlanInput plan_input "plan-input" Config (name, value, why);
    /// A number is missing.
    PlanMissing plan_missing "plan-missing" Config (input, beside);
    /// Nothing to plan from.
    PlanNothing plan_nothing "plan-nothing" Config ();
    /// A rate that cannot be.
    PlanRate plan_rate "plan-rate" Config (rate);
    /// A value of a file of inputs cannot be.
    PlanFileInput plan_file_input "plan-file-input" Config (path, line, name, value, why);
    /// A plan's file cannot be read.
    PlanFile plan_file "plan-file" Config (path, reason);
    /// Tests cannot be written without a rate.
    PlanNoRate plan_no_rate "plan-no-rate" Config ();
    /// Fields of a log cannot be mapped as asked.
    LogFields log_fields "log-fields" Config (part);
    /// Both sides of a comparison are the same runs.
    SameRuns same_runs "same-runs" Config (before, after);
    /// Runs stand on both sides of a comparison.
    SharedRuns shared_runs "shared-runs" Config (runs, before, after);
    /// No line of a log has the field that was named.
    LogFieldMissing log_field_missing "log-field-missing" Config (name);
    /// No line of a log has fields of these names, among those that are there.
    LogFieldsAbsent log_fields_absent "log-fields-absent" Config (names, seen);
    /// No line of a log has fields of these names.
    LogFieldsUnseen log_fields_unseen "log-fields-unseen" Config (names);
    /// Logs hold no line.
    LogBlank log_blank "log-blank" Config (files);
    /// A log format cannot be used.
    LogFormat log_format "log-format" Config (format, why);
    /// Logs do not tell how long requests took.
    LogWithoutTimes log_without_times "log-without-times" Config ();
    /// A mock's file cannot be served.
    MockFile mock_file "mock-file" Config (path, reason);
    /// A mock is about to run out of files.
    MockOpenFiles mock_open_files "mock-open-files" Generator (connections, limit);
    /// Preflight needs a rate.
    PreflightNoRate preflight_no_rate "preflight-no-rate" Config ();
    /// Artillery's phases have no segments.
    SegmentOfPhases segment_of_phases "segment-of-phases" Config ();
    /// A data file cannot be carried out.
    DataSpec data_spec "data-spec" Config (path, reason);
    /// A database is not for tests.
    DataNotMarked data_not_marked "data-not-marked" Config (name, comment, table);
    /// A file is not a capacity file.
    CapacityForm capacity_form "capacity-form" Config (path, reason);
    /// A former search counts load in another unit.
    CapacityUnit capacity_unit "capacity-unit" Config (name);
    /// A number of a capacity file cannot be meant.
    CapacityNumber capacity_number "capacity-number" Config (path, name, value);
    /// A capacity file without a line.
    CapacityNoLine capacity_no_line "capacity-no-line" Config (path);
    /// A capacity file of a line at which checks failed that nothing judged.
    CapacityFailedChecks capacity_failed_checks "capacity-failed-checks" Config (path, failed, all);
    /// A capacity file of a line at which iterations failed.
    CapacityBroken capacity_broken "capacity-broken" Config (path, broken, all);
    /// A capacity file of a later version.
    CapacityVersion capacity_version "capacity-version" Config (path, version);
    /// The gate does not answer.
    GateUnreachable gate_unreachable "gate-unreachable" Target (address, reason);
    /// The gate does not take the key.
    GateKeyRefused gate_key_refused "gate-key-refused" Config ();
    /// The gate has no such queue.
    GateNoQueue gate_no_queue "gate-no-queue" Config (queue);
    /// A file of rows is another than the one that former runs used.
    RowsChanged rows_changed "rows-changed" Config (file, row);
    /// The file that says how far rows are used cannot be read.
    RowsUnreadable rows_unreadable "rows-unreadable" Config (path);
    /// Former runs used all rows of a file.
    RowsUsedUp rows_used_up "rows-used-up" Config (file, rows);
    /// Loads of this command used all rows of a file.
    RowsUsedByLoads rows_used_by_loads "rows-used-by-loads" Config (file, rows);
    /// A table has rows already.
    DataNotEmpty data_not_empty "data-not-empty" Config (table, rows);
}
