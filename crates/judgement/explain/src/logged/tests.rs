use super::*;
use phrases::{LogStack, phrase_of, tables};

fn line_of(text: &str) -> LogLine {
    LogLine {
        text: text.to_owned(),
        level: LineLevel::of_line(text),
        count: 1.0,
        from_s: 0.0,
        to_s: 0.0,
    }
}

fn shown(text: &str) -> Option<RuleId> {
    let line = line_of(text);
    shows(phrase_of(text)?, &line)
}

#[test]
fn each_row_is_recognised_in_its_sample() {
    for phrase in tables() {
        let found = phrase_of(phrase.sample);
        let found = found.map(|found| (found.sample, found.shows));
        assert_eq!(
            found,
            Some((phrase.sample, phrase.shows)),
            "{}",
            phrase.sample
        );
        assert_eq!(
            shown(phrase.sample),
            Some(phrase.shows),
            "{}",
            phrase.sample
        );
    }
}

#[test]
fn each_stack_has_rows_and_each_topic_has_several_stacks() {
    use LogStack::{DotNet, Go, Java, Mysql, Nginx, Node, Postgres, Python, Redis};
    for stack in [
        Java, Node, Python, Go, DotNet, Nginx, Postgres, Mysql, Redis,
    ] {
        let rows = tables().filter(|phrase| phrase.stack == stack).count();
        assert!(rows >= 2, "{stack:?}: {rows}");
    }
    for topic in [
        RuleId::OutOfMemory,
        RuleId::PoolExhausted,
        RuleId::OutsideUnreachable,
    ] {
        let mut stacks: Vec<LogStack> = tables()
            .filter(|phrase| phrase.shows == topic)
            .map(|phrase| phrase.stack)
            .collect();
        stacks.sort_unstable();
        stacks.dedup();
        assert!(stacks.len() >= 4, "{topic:?}: {stacks:?}");
    }
}

/// The same words in lines that report nothing.
#[test]
fn harmless_lines_with_the_same_words_are_not_recognised() {
    let harmless = [
        "INFO retry policy set to 3",
        "WARN retry policy set to 3",
        "WARN connection pool exhausted=false",
        "INFO timeout set to 30s",
        "WARN timeout set to 30s",
        "DEBUG health check: Connection refused, trying again",
        "00:00:01.123 [main] DEBUG c.z.h.HikariConfig - connectionTimeout: 30000, message: Connection is not available, request timed out",
        "INFO c.z.h.HikariDataSource - HikariPool-1 - Start completed.",
        "INFO --- config: lockTimeout=5s, retries=3, maxConnections=100, poolSize=10",
        "{pool: {exhausted: false, retries: 3}}",
        "WARN urllib3.connectionpool: Connection pool is full, discarding connection: pay.example",
        "WARN the pool has 3 free connections",
        "LOG:  checkpoint complete: wrote 12 buffers",
        "LOG:  process 12 still waiting for ShareLock on transaction 5",
        "INFO deadlock detection is on",
        "WARN deadlock detection is off",
        "INFO rate limit is 100/s",
        "WARN the rate limit of pay is 100/s",
        "dbug: Microsoft.EntityFrameworkCore[0] retrying",
        "INFO GC overhead limit is configured with 98",
        "WARN JVM flag -XX:+HeapDumpOnOutOfMemory is not given",
        "DEBUG -XX:+ExitOnOutOfMemoryError",
        "Picked up JAVA_TOOL_OPTIONS: -XX:+ExitOnOutOfMemoryError -Xmx256m",
        "[2026-11-24 00:00:01 +0000] [7] [INFO] Listening at: http://127.0.0.1:8080 (7), backlog 2048",
        "server.listen({ backlog: 511 }), pool { max: 10, idleTimeoutMillis: 30000 }",
        "INFO limit of open files: 1024",
        "WARN open files: 900 of 1024",
        "INFO worker_connections 1024",
        "1:M 24 Nov 2026 00:00:01.000 * maxclients has been set to 10000, too many connections are refused",
        "ERROR card was refused by the bank, connection to shop closed by user",
        "INFO connect timed out handler registered",
        "WARN message shown: please try again later",
        "INFO too many requests are answered with 429",
        "DEBUG all threads are currently busy: false",
        "I1124 00:00:01.000000 1 main.go:10] will retry every 5s",
        "time=x level=DEBUG msg=retrying",
        "WARN cannot acquire a connection to the printer",
    ];
    let wrong: Vec<String> = harmless
        .iter()
        .filter_map(|line| shown(line).map(|rule| format!("{rule:?}: {line}")))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_line_of_a_reporter_says_nothing_of_the_target_but_that_memory_is_out() {
    let pushed = "WARN i.m.registry.datadog : failed to send metrics: Connection refused";
    assert_eq!(shown(pushed), None);
    let memory =
        "ERROR opentelemetry BatchSpanProcessor: java.lang.OutOfMemoryError: Java heap space";
    assert_eq!(shown(memory), Some(RuleId::OutOfMemory));
}
