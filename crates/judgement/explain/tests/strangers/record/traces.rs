//! Traces: sums of requests whose spans were received, by operation and band.

use loadline_record::signals::{Entity, Label, SignalKind as Kind, SourceKind};

use super::Sheet;
use crate::simulation::{Look, Sums};

/// A trace is told so long after its last span.
const SETTLES_MS: f64 = 2_000.0;

pub(super) fn record(sheet: &mut Sheet<'_>) {
    // A sampler's share of all requests.
    let share = sheet.dice.pick(&[1.0, 1.0, 0.5, 0.1]);
    let mut times = Vec::new();
    for look in &sheet.played.looks {
        times.push(look.at_ms + SETTLES_MS);
        operations(sheet, look, share);
        calls(sheet, look, share);
    }
    sheet.source("otlp:4318", SourceKind::Otlp, &times, &[]);
}

fn operations(sheet: &mut Sheet<'_>, look: &Look, share: f64) {
    let at = look.at_ms + SETTLES_MS;
    let mut spans = 0.0;
    for (number, bands) in look.counters.sums.iter().enumerate() {
        for (band, sums) in ["typical", "tail"].into_iter().zip(bands) {
            if sums.requests < 1.0 {
                continue;
            }
            let of = Entity::new()
                .with(Label::Operation, sheet.plan.operations[number])
                .with(Label::Band, band);
            let [pool, sql, outside, message] = sums.spent;
            let own = (sums.seconds - pool - sql - outside - message).max(0.0);
            spans += 5.0 * sums.requests;
            let values = [
                (Kind::TracedRequests, sums.requests),
                (Kind::TracedErrors, sums.errors),
                (Kind::TracedTime, sums.seconds),
                (Kind::TracedPoolTime, pool),
                (Kind::TracedHeldTime, sums.held),
                (Kind::TracedMessageTime, message),
                (Kind::TracedOwnTime, own),
                (Kind::TracedDatabaseTime, sql),
                (Kind::TracedOutsideTime, outside),
            ];
            for (kind, value) in values {
                sheet.put_of(kind, &of, at, value * share);
            }
        }
    }
    if spans > 0.0 {
        sheet.put(Kind::SpansReceived, at, (spans * share).floor());
        sheet.put(Kind::SpansLeftOut, at, 0.0);
    }
}

/// Statements and calls are told by band, too: as many as the band's requests, and their part of the time.
fn calls(sheet: &mut Sheet<'_>, look: &Look, share: f64) {
    let at = look.at_ms + SETTLES_MS;
    let counters = &look.counters;
    for (number, band) in ["typical", "tail"].into_iter().enumerate() {
        let part = |of: fn(&Sums) -> f64| {
            let own: f64 = counters.sums.iter().map(|bands| of(&bands[number])).sum();
            let all: f64 = counters.sums.iter().flatten().map(of).sum();
            if all > 0.0 { own / all } else { 0.0 }
        };
        let requests = share * part(|sums| sums.requests);
        let in_sql = share * part(|sums| sums.spent[1]);
        let in_calls = share * part(|sums| sums.spent[2]);
        for (number, statement) in sheet.plan.statements.iter().enumerate() {
            let calls = counters.statements[number];
            if calls.calls >= 1.0 && requests > 0.0 {
                let of = Entity::new()
                    .with(Label::Statement, statement.text)
                    .with(Label::Band, band);
                sheet.put_of(Kind::TracedSqlCalls, &of, at, calls.calls * requests);
                sheet.put_of(Kind::TracedSqlTime, &of, at, calls.seconds * in_sql);
            }
        }
        if counters.outside_calls >= 1.0 && requests > 0.0 {
            let of = Entity::new()
                .with(Label::Peer, "payments:8080")
                .with(Label::Band, band);
            sheet.put_of(
                Kind::TracedCalls,
                &of,
                at,
                counters.outside_calls * requests,
            );
            // Spans of calls have the status of their answer.
            let refused = counters.outside_errors * requests;
            sheet.put_of(Kind::TracedCallsRefused, &of, at, refused);
            sheet.put_of(
                Kind::TracedCallTime,
                &of,
                at,
                counters.outside_time * in_calls,
            );
        }
    }
}
