//! Traces: sums of requests whose spans were received, by operation and band.

use loadline_record::signals::{Entity, Label, SignalKind as Kind, SourceKind};

use super::Sheet;
use crate::simulation::{Calls, Counters, Look, Sums};

/// A trace is told so long after its last span.
const SETTLES_MS: f64 = 2_000.0;

pub(super) fn record(sheet: &mut Sheet<'_>) {
    // A sampler's share of all requests.
    let share = sheet.dice.pick(&[1.0, 1.0, 0.5, 0.1]);
    let mut times = Vec::new();
    let mut told = <[BandCalls; 2]>::default();
    let mut before = None;
    for look in &sheet.played.looks {
        times.push(look.at_ms + SETTLES_MS);
        operations(sheet, look, share);
        let looks = LookPair { before, now: look };
        calls(sheet, looks, share, &mut told);
        before = Some(look);
    }
    sheet.source("otlp:4318", SourceKind::Otlp, &times, &[]);
}

/// A look, and the one before it, if any.
#[derive(Clone, Copy)]
struct LookPair<'a> {
    before: Option<&'a Look>,
    now: &'a Look,
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

/// What the spans of statements and calls of one band have summed up to.
#[derive(Debug, Clone, Default)]
struct BandCalls {
    statements: Vec<Calls>,
    outside: Calls,
    refused: f64,
}

/// Statements and calls are told by band, too: since the look before as many as the band's requests, and their part of
/// the time.
fn calls(sheet: &mut Sheet<'_>, looks: LookPair<'_>, share: f64, told: &mut [BandCalls; 2]) {
    let at = looks.now.at_ms + SETTLES_MS;
    let (now, before) = (&looks.now.counters, looks.before.map(|look| &look.counters));
    let since = |of: &dyn Fn(&Counters) -> f64| of(now) - before.map_or(0.0, of);
    for (number, band) in ["typical", "tail"].into_iter().enumerate() {
        let part = |of: fn(&Sums) -> f64| {
            let own = since(&|all| all.sums.iter().map(|bands| of(&bands[number])).sum());
            let all = since(&|all| all.sums.iter().flatten().map(of).sum());
            if all > 0.0 { share * own / all } else { 0.0 }
        };
        let requests = part(|sums| sums.requests);
        let in_sql = part(|sums| sums.spent[1]);
        let in_calls = part(|sums| sums.spent[2]);
        let told = &mut told[number];
        told.statements
            .resize(sheet.plan.statements.len(), Calls::default());
        for (number, statement) in sheet.plan.statements.iter().enumerate() {
            let sum = &mut told.statements[number];
            sum.calls += requests * since(&|all| all.statements[number].calls);
            sum.seconds += in_sql * since(&|all| all.statements[number].seconds);
            if sum.calls > 0.0 {
                let of = Entity::new()
                    .with(Label::Statement, statement.text)
                    .with(Label::Band, band);
                sheet.put_of(Kind::TracedSqlCalls, &of, at, sum.calls);
                sheet.put_of(Kind::TracedSqlTime, &of, at, sum.seconds);
            }
        }
        told.outside.calls += requests * since(&|all| all.outside_calls);
        told.outside.seconds += in_calls * since(&|all| all.outside_time);
        // Spans of calls have the status of their answer.
        told.refused += requests * since(&|all| all.outside_errors);
        if told.outside.calls > 0.0 {
            let of = Entity::new()
                .with(Label::Peer, "payments:8080")
                .with(Label::Band, band);
            sheet.put_of(Kind::TracedCalls, &of, at, told.outside.calls);
            sheet.put_of(Kind::TracedCallsRefused, &of, at, told.refused);
            sheet.put_of(Kind::TracedCallTime, &of, at, told.outside.seconds);
        }
    }
}
