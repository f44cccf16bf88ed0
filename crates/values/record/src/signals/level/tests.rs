use super::*;

/// A line of each form, with its level.
const FORMS: &[(&str, LineLevel)] = &[
    // Java
    (
        "2026-11-24T00:09:29.766Z  WARN 9304 --- [exec-12] c.z.h.p.HikariPool : Pool-1 - late",
        LineLevel::Warn,
    ),
    (
        "2026-11-24 00:09:29,766 ERROR [http-nio-8080-exec-1] o.a.c.Foo - no",
        LineLevel::Error,
    ),
    (
        "00:00:01.123 [main] DEBUG c.z.h.HikariConfig - maximumPoolSize: 10",
        LineLevel::Debug,
    ),
    (
        "24-Nov-2026 00:00:01.000 SEVERE [http-nio-8080-exec-1] org.apache.catalina.core.X msg",
        LineLevel::Error,
    ),
    ("WARNING: An illegal access", LineLevel::Warn),
    (
        "2026-11-24 00:00:01,000 WARN  [io.agr.pool] (executor-thread-1) Datasource '<default>': x",
        LineLevel::Warn,
    ),
    ("[0.123s][warning][gc] something", LineLevel::Warn),
    ("[1.2s][info ][gc] Pause", LineLevel::Info),
    (
        "Exception in thread \"main\" java.lang.OutOfMemoryError: Java heap space",
        LineLevel::Error,
    ),
    (
        "java.lang.OutOfMemoryError: Java heap space",
        LineLevel::Error,
    ),
    // Python
    ("WARNING:root:late", LineLevel::Warn),
    ("CRITICAL:app.views:no memory", LineLevel::Fatal),
    (
        "2026-11-24 00:00:01,000 - myapp - ERROR - no",
        LineLevel::Error,
    ),
    (
        "2026-11-24 00:00:01,000 [CRITICAL] app: MemoryError",
        LineLevel::Fatal,
    ),
    (
        "[2026-11-24 00:00:01 +0000] [12] [CRITICAL] WORKER TIMEOUT (pid:13)",
        LineLevel::Fatal,
    ),
    ("ERROR:    Exception in ASGI application", LineLevel::Error),
    (
        "[2026-11-24 00:00:00,000: ERROR/MainProcess] Task failed",
        LineLevel::Error,
    ),
    ("MemoryError", LineLevel::Error),
    (
        "sqlalchemy.exc.TimeoutError: QueuePool limit",
        LineLevel::Error,
    ),
    // Go
    (
        "2026/11/24 00:00:01 ERROR no answer err=x",
        LineLevel::Error,
    ),
    (
        "2026-11-24T00:00:01.000Z\tERROR\tapp/main.go:12\tno answer",
        LineLevel::Error,
    ),
    ("3:04PM WRN slow query", LineLevel::Warn),
    (
        "W0912 10:10:10.000000       1 file.go:10] late",
        LineLevel::Warn,
    ),
    (
        "E20260912 10:10:10.000000 1 file.cc:10] late",
        LineLevel::Error,
    ),
    ("panic: runtime error: index out of range", LineLevel::Fatal),
    ("fatal error: runtime: out of memory", LineLevel::Fatal),
    (
        "time=2026-11-24T00:00:01Z level=WARN msg=late",
        LineLevel::Warn,
    ),
    ("level=debug msg=retrying", LineLevel::Debug),
    // .NET
    (
        "fail: Microsoft.EntityFrameworkCore.Database.Command[20102]",
        LineLevel::Error,
    ),
    (
        "crit: Microsoft.AspNetCore.Server.Kestrel[0]",
        LineLevel::Fatal,
    ),
    ("warn: Shop.Cart[0]", LineLevel::Warn),
    ("dbug: Shop.Cart[0]", LineLevel::Debug),
    ("[12:00:01 ERR] no answer", LineLevel::Error),
    (
        "2026-11-24 00:00:01.0000|WARN|Shop.Cart|late",
        LineLevel::Warn,
    ),
    // Rust, Ruby, Node, PHP
    (
        "2026-11-24T00:00:01.000000Z ERROR shop::db: pool timed out",
        LineLevel::Error,
    ),
    (
        "[2026-11-24T00:00:01Z WARN  shop::db] late",
        LineLevel::Warn,
    ),
    (
        "thread 'main' panicked at src/main.rs:1:2:",
        LineLevel::Error,
    ),
    (
        "E, [2026-11-24T00:00:01.000000 #12] ERROR -- : no",
        LineLevel::Error,
    ),
    (
        "[Nest] 123  - 11/24/2026, 0:00:01 AM   ERROR [ExceptionsHandler] no",
        LineLevel::Error,
    ),
    ("error: no answer", LineLevel::Error),
    ("2026-11-24T00:00:01.000Z [warn]: late", LineLevel::Warn),
    ("(node:12) Warning: too much", LineLevel::Warn),
    (
        "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory",
        LineLevel::Fatal,
    ),
    (
        "Error: connect ECONNREFUSED 127.0.0.1:5432",
        LineLevel::Error,
    ),
    (
        "PHP Fatal error:  Allowed memory size of 1 bytes exhausted",
        LineLevel::Fatal,
    ),
    // Servers
    (
        "2026/11/24 00:00:01 [alert] 12#12: 512 worker_connections are not enough",
        LineLevel::Fatal,
    ),
    (
        "2026/11/24 00:00:01 [crit] 12#12: accept4() failed (24: Too many open files)",
        LineLevel::Fatal,
    ),
    (
        "[Sat Nov 28 05:00:00.123456 2026] [mpm_event:error] [pid 1:tid 2] AH00484: x",
        LineLevel::Error,
    ),
    (
        "2026-11-24 00:00:01.000 UTC [123] ERROR:  deadlock detected",
        LineLevel::Error,
    ),
    (
        "2026-11-24 00:00:01.000 UTC [123] shop@shop FATAL:  sorry, too many clients already",
        LineLevel::Fatal,
    ),
    (
        "2026-11-24 00:00:01.000 UTC [123] LOG:  checkpoint starting: time",
        LineLevel::Info,
    ),
    (
        "2026-11-24T00:00:01.000000Z 12 [ERROR] [MY-010584] [Repl] no",
        LineLevel::Error,
    ),
    (
        "2026-11-24  0:00:01 12 [Warning] Aborted connection 12",
        LineLevel::Warn,
    ),
    (
        "1:M 24 Nov 2026 00:00:01.000 # Can't save in background: fork: Cannot allocate memory",
        LineLevel::Warn,
    ),
    (
        "1:M 24 Nov 2026 00:00:01.000 * Ready to accept connections",
        LineLevel::Info,
    ),
    (
        "<11>Nov 24 00:00:01 host app[12]: no answer",
        LineLevel::Error,
    ),
    (
        "<14>1 2026-11-24T00:00:01Z host app 12 - - ERROR no",
        LineLevel::Error,
    ),
    (
        "Nov 24 00:00:01 myhost app[123]: ERROR no",
        LineLevel::Error,
    ),
    ("web-1  | 2026-11-24 WARN late", LineLevel::Warn),
    // Folded, as older records have it.
    (
        "WARN # --- [#] c.z.h.p.HikariPool : # - waiting=#",
        LineLevel::Warn,
    ),
];

#[test]
fn each_form_tells_its_level() {
    let wrong: Vec<String> = FORMS
        .iter()
        .filter(|(line, level)| LineLevel::of_line(line) != Some(*level))
        .map(|(line, level)| format!("{line}: {level:?}, read {:?}", LineLevel::of_line(line)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_word_of_the_message_is_no_level() {
    for line in [
        "the ErrorHandler started",
        "request handled, no ERROR was seen",
        "2026-11-24 00:00:01 no ERROR found",
        "connection pool exhausted=false",
        "Error rate is 0",
        "listening on 8080",
        "[12345.678] Out of memory: Killed process 12 (java)",
        "",
    ] {
        assert_eq!(LineLevel::of_line(line), None, "{line}");
    }
    let info = [
        "INFO 0 ERROR lines",
        "2026-11-24 00:00:01 INFO app - log level is ERROR",
    ];
    for line in info {
        assert_eq!(LineLevel::of_line(line), Some(LineLevel::Info), "{line}");
    }
}

#[test]
fn levels_are_in_order_and_read_back_by_name() {
    for pair in LineLevel::ALL.windows(2) {
        assert!(pair[0] < pair[1]);
    }
    for level in LineLevel::ALL {
        assert_eq!(LineLevel::named(level.name()), Some(level));
    }
    let pino = [10, 20, 30, 40, 50, 60].map(LineLevel::of_number);
    assert_eq!(pino, LineLevel::ALL.map(Some));
}
