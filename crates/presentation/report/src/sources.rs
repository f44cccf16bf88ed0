//! How the sources of signals fared: one line for a run's end, and a list for a check.

use loadline_record::signals::{
    POD_ADDRESS, POD_HOST, POD_NODE, SignalKind, Signals, SourceError, SourceKind, SourceNote,
    SourceStatus, UnusedReason,
};
use loadline_text::{Catalog, Message, observe};

/// How all sources fared, in one line; `None` without sources.
#[must_use]
pub fn line(signals: &Signals, catalog: &Catalog) -> Option<String> {
    let each = signals.sources.iter().map(|source| fared(source, catalog));
    let each: Vec<String> = each.collect();
    let line = observe::signals_line(each.join("; "));
    (!each.is_empty()).then(|| catalog.text(&line))
}

/// An error's words.
#[must_use]
pub fn error(error: &SourceError, catalog: &Catalog) -> String {
    catalog.text(&words(error))
}

fn words(error: &SourceError) -> Message {
    match error {
        SourceError::Refused => observe::source_refused(),
        SourceError::TimedOut => observe::source_timed_out(),
        SourceError::NoSuchHost => observe::source_no_such_host(),
        SourceError::Status(status) => observe::source_status(status),
        SourceError::NotMetrics(line) => observe::source_not_metrics(line),
        SourceError::Empty => observe::source_empty(),
        SourceError::TooLarge => observe::source_too_large(),
        SourceError::CutOff => observe::source_cut_off(),
        SourceError::Tls => observe::source_tls(),
        SourceError::NoProcess => observe::source_no_process(),
        SourceError::NoFile => observe::source_no_file(),
        SourceError::NoListener => observe::source_no_listener(),
        SourceError::NoPermission => observe::source_no_permission(),
        SourceError::Login => observe::source_login(),
        SourceError::NoDatabase => observe::source_no_database(),
        SourceError::Unexpected => observe::source_unexpected(),
        SourceError::NothingSent => observe::source_nothing_sent(),
        SourceError::PortTaken => observe::source_port_taken(),
        SourceError::NoLines => observe::source_no_lines(),
        SourceError::TargetsDown => observe::source_targets_down(),
        SourceError::Defect => observe::source_defect(),
        SourceError::Other(text) => observe::source_other(text),
    }
}

/// What is to be known of a source's figures, in words.
#[must_use]
pub fn note(note: &SourceNote, catalog: &Catalog) -> String {
    let message = match note {
        SourceNote::SeveralProcesses(number) => observe::source_several_processes(*number),
        SourceNote::MixedProcesses(number) => observe::source_mixed_processes(*number),
        SourceNote::RefusedMessages(number) => observe::source_refused_messages(number),
        SourceNote::SlowAnswers(millis) => observe::source_slow_answers(format!("{millis} ms")),
        SourceNote::UnusedMetric(metric, reason) => match reason {
            UnusedReason::UnknownName => observe::source_unused_name(metric),
            UnusedReason::UnknownLabels => observe::source_unused_labels(metric),
            UnusedReason::NoValue => observe::source_unused_value(metric),
            UnusedReason::Unbounded => observe::source_unused_unbounded(metric),
            UnusedReason::NoUse => observe::source_unused_no_use(metric),
            UnusedReason::NoTime => observe::source_unused_no_time(metric),
        },
        SourceNote::MinuteValues { late, signals } => {
            observe::source_minute_values(signals, format!("{late} s"))
        }
        SourceNote::AllTraces(number) => observe::source_all_traces(number),
        SourceNote::UnnamedStatements => observe::source_unnamed_statements(),
        SourceNote::Other(text) => observe::source_other(text),
    };
    catalog.text(&message)
}

fn fared(source: &SourceStatus, catalog: &Catalog) -> String {
    let name = &source.name;
    let Some(last) = source.failures.last() else {
        return catalog.text(&observe::signals_answered(name));
    };
    let reason = error(&SourceError::of_code(&last.error), catalog);
    if source.answered == 0 {
        return catalog.text(&observe::signals_never(name, reason));
    }
    // A look a second: so many looks in vain are so many seconds.
    let vain: u64 = source.failures.iter().map(|failure| failure.attempts).sum();
    catalog.text(&observe::signals_partly(name, format!("{vain} s"), reason))
}

/// Whether a source answered, and does now.
#[must_use]
pub fn is_answering(signals: &Signals) -> bool {
    let fails = |source: &SourceStatus| source.failures.iter().any(|one| one.to_ms.is_none());
    signals
        .sources
        .iter()
        .all(|one| one.answered > 0 && !fails(one))
}

/// What each source gives, what is missing and what turns it on. Each of `all` is what one
/// source gave alone.
#[must_use]
pub fn check(all: &[Signals], catalog: &Catalog) -> String {
    let mut lines = Vec::new();
    let each = all
        .iter()
        .filter_map(|signals| Some((signals.sources.first()?, signals)));
    for (source, signals) in each {
        let failure = source.failures.last().filter(|last| last.to_ms.is_none());
        if let Some(failure) = failure {
            let cause = SourceError::of_code(&failure.error);
            let reason = error(&cause, catalog);
            lines.push(observe::source_fails(&source.name, reason));
            lines.extend(hint(source, &cause));
            continue;
        }
        lines.push(observe::source_answers(&source.name));
        lines.push(gives(signals));
        // A cluster has more pods than a line has room for.
        let places = [POD_NODE, POD_HOST, POD_ADDRESS];
        let settings = signals.settings().iter();
        let settings: Vec<String> = settings
            .filter(|s| !places.contains(&s.name.as_str()))
            .map(|s| format!("{}={}", s.name, s.value))
            .collect();
        if !settings.is_empty() {
            lines.push(observe::source_tells(settings.join(", ")));
        }
        let missing = source.missing.iter();
        lines.extend(missing.map(|m| observe::source_lacks(&m.signal, &m.setting)));
        let notes = source.notes.iter();
        lines.extend(notes.map(|one| observe::source_remark(note(one, catalog))));
    }
    let lines = lines.iter().map(|line| format!("{}\n", catalog.text(line)));
    lines.collect()
}

fn gives(signals: &Signals) -> Message {
    let mut kinds: Vec<_> = signals.series().iter().map(|series| series.kind).collect();
    // Minutes before the check are no part of it, and what they tell of is given all the same.
    let late = signals.sources.iter().flat_map(|one| &one.notes);
    let late = late.filter_map(|note| match note {
        SourceNote::MinuteValues { signals, .. } => Some(signals.split(", ")),
        _ => None,
    });
    kinds.extend(late.flatten().filter_map(SignalKind::named));
    kinds.sort();
    kinds.dedup();
    let is_log = signals
        .sources
        .iter()
        .any(|one| one.kind == SourceKind::Logs);
    if kinds.is_empty() && is_log {
        return observe::source_gives_no_line();
    }
    if kinds.is_empty() {
        return observe::source_gives_nothing();
    }
    let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
    observe::source_gives(names.join(", "))
}

fn hint(source: &SourceStatus, cause: &SourceError) -> Option<Message> {
    match (source.kind, cause) {
        (SourceKind::Page, SourceError::Status(401 | 403)) => Some(observe::source_hint_user()),
        (
            SourceKind::Postgres | SourceKind::Mysql | SourceKind::Redis,
            SourceError::Refused | SourceError::Login | SourceError::NoDatabase,
        ) => Some(observe::source_hint_database()),
        (
            SourceKind::Page,
            SourceError::Status(_) | SourceError::NotMetrics(_) | SourceError::Empty,
        ) => Some(observe::source_hint_page()),
        (SourceKind::Process, SourceError::NoListener | SourceError::NoProcess) => {
            Some(observe::source_hint_port())
        }
        (SourceKind::Process, SourceError::NoPermission) => Some(observe::source_hint_permission()),
        (SourceKind::Prometheus, SourceError::Empty | SourceError::TooLarge) => {
            Some(observe::source_hint_prometheus())
        }
        (SourceKind::Logs, SourceError::Login | SourceError::NoLines) => {
            Some(observe::source_hint_loki())
        }
        (SourceKind::Remote, SourceError::Refused | SourceError::Login) => {
            Some(observe::source_hint_remote())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use loadline_record::signals::{Entity, MissingSignal};
    use loadline_text::Lang;

    use super::*;

    fn source(name: &str) -> SourceStatus {
        let mut source = SourceStatus::new(name, SourceKind::Page);
        source.answered(0);
        source
    }

    #[test]
    fn a_runs_end_says_in_one_line_which_sources_answered() {
        let mut gone = source("b");
        gone.failed(1000, "refused");
        gone.failed(2000, "refused");
        gone.answered(3000);
        let mut never = SourceStatus::new("c", SourceKind::Page);
        never.failed(0, "status 404");
        let mut signals = Signals::default();
        assert_eq!(line(&signals, &Catalog::new(Lang::En)), None);
        signals.sources = vec![source("a"), gone, never];
        let english = line(&signals, &Catalog::new(Lang::En)).unwrap();
        assert_eq!(
            english,
            "signals: a answered; b did not answer for 2 s (connection refused); c never answered (status 404)"
        );
        let korean = line(&signals, &Catalog::new(Lang::Ko)).unwrap();
        assert_eq!(
            korean,
            "신호: a 응답함; b 2 s 동안 응답하지 않음(연결이 거부됨); c 한 번도 응답하지 않음(상태 코드 404)"
        );
    }

    #[test]
    fn who_is_refused_hears_what_to_look_at() {
        let cases = [
            (SourceKind::Page, "status 401", "USER:PASSWORD@"),
            (SourceKind::Page, "not-metrics 1", "/actuator/prometheus"),
            (SourceKind::Postgres, "refused", "host, port"),
            (SourceKind::Postgres, "login", "user, password"),
            (SourceKind::Mysql, "no-database", "name of the database"),
            (SourceKind::Logs, "login", "&tenant="),
        ];
        for (kind, error, hint) in cases {
            let mut failed = SourceStatus::new("a", kind);
            failed.failed(0, error);
            let mut signals = Signals::default();
            signals.sources = vec![failed];
            let said = check(&[signals], &Catalog::new(Lang::En));
            assert!(said.contains(hint), "{said}");
        }
    }

    #[test]
    fn a_check_says_what_is_to_be_known_of_a_sources_figures() {
        let mut mixed = source("a");
        mixed.remark(SourceNote::MixedProcesses(3));
        let unused = UnusedReason::UnknownName;
        mixed.remark(SourceNote::UnusedMetric("my_pool".to_owned(), unused));
        let mut signals = Signals::default();
        signals.sources = vec![mixed];
        for (lang, said, unused) in [
            (
                Lang::En,
                "at least 3 processes answer in turn",
                "my_pool is not used",
            ),
            (
                Lang::Ko,
                "프로세스 3개 이상이 번갈아",
                "my_pool: 사용하지 않음",
            ),
        ] {
            let text = check(std::slice::from_ref(&signals), &Catalog::new(lang));
            assert!(text.contains(said) && text.contains(unused), "{text}");
        }
    }

    #[test]
    fn a_check_says_what_is_missing_and_what_turns_it_on() {
        let mut answering = source("a");
        answering.lacks(MissingSignal::new(SignalKind::WorkersBusy, "x=true"));
        let mut signals = Signals::default();
        signals.sources = vec![answering];
        signals.push(SignalKind::PoolMax, &Entity::new(), 0, 10.0);
        let mut failing = SourceStatus::new("b", SourceKind::Page);
        failing.failed(0, "status 404");
        let mut none = Signals::default();
        none.sources = vec![failing];
        let text = check(&[signals, none], &Catalog::new(Lang::En));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "a: answers");
        assert_eq!(lines[1], "  gives    pool-max");
        assert_eq!(lines[2], "  missing  workers-busy: set x=true");
        assert_eq!(lines[3], "b: gives nothing: status 404");
        assert!(lines[4].contains("exposure.include"), "{text}");
    }
}
