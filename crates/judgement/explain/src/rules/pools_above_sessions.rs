//! The pools of all instances together may open more connections than the database takes.
//!
//! Nothing fails before all of them fill, which is when the load is highest. Only pools whose library opens connections of
//! a database count, and only those of one name: pools of other names may be of another database.

use std::collections::BTreeMap;

use loadline_record::signals::{Entity, Label, SignalKind, Signals};
use loadline_text::{Message, counted, evidence, findings};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, FindingRole, RuleId,
};
use super::{Draft, RuleContext, stack};

/// Sessions are near their limit from this share on.
const NEAR_SHARE_MIN: f64 = 0.8;
/// Connections that `PostgreSQL` keeps for those who look after it.
const RESERVED: [&str; 2] = [
    "postgres.superuser_reserved_connections",
    "postgres.reserved_connections",
];

/// The most sessions that the target's pools get.
struct SessionLimit {
    /// The role or the database whose limit it is; `None`: the server's own.
    of: Option<String>,
    most: f64,
    /// Sessions that count against it.
    taken: f64,
}

/// Pools of one name, one of each instance.
struct SamePools<'a> {
    entity: &'a Entity,
    sizes: Vec<f64>,
}

impl SamePools<'_> {
    fn together(&self) -> f64 {
        self.sizes.iter().sum()
    }

    /// `2 × 60`, or `60 + 40` where their sizes differ.
    fn shown(&self) -> String {
        let first = self.sizes[0];
        if self.sizes.iter().all(|size| (size - first).abs() < 0.5) {
            return format!("{} × {}", self.sizes.len(), counted(first));
        }
        let sizes: Vec<String> = self.sizes.iter().map(|size| counted(*size)).collect();
        sizes.join(" + ")
    }
}

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let pools = largest(context)?;
    let limit = limit(context)?;
    let together = pools.together();
    if together <= limit.most || limit.most < 1.0 {
        return None;
    }
    let instances = counts(pools.sizes.len());
    let each = (limit.most / instances).floor().max(1.0);
    let (all, most) = (counted(together), counted(limit.most));
    let statement: Message = match limit.of {
        Some(of) => findings::pools_above_sessions_of(pools.shown(), all, of, most),
        None => findings::pools_above_sessions(pools.shown(), all, most),
    };
    let is_near = limit.taken >= NEAR_SHARE_MIN * limit.most;
    let count = EvidenceUnit::Count;
    let signals = &context.view.run.signals;
    Draft::new(
        RuleId::PoolsAboveSessions,
        BottleneckPart::Database,
        EvidenceGrade::A,
        statement,
    )
    .role(if is_near {
        FindingRole::Next
    } else {
        FindingRole::Notice
    })
    .entity(&Entity::new().with(
        Label::Pool,
        pools.entity.get(Label::Pool).unwrap_or_default(),
    ))
    .shown(
        "pools-together",
        evidence::pools_together(),
        together,
        count,
    )
    .shown(
        "sessions-most",
        evidence::sessions_most(),
        limit.most,
        count,
    )
    .shown("sessions", evidence::sessions(), limit.taken, count)
    .advised([
        Advice::to(findings::pools_above_sessions_try(counted(each)))
            .by_stack(stack::pool_size(signals, pools.entity)),
    ])
    .done()
}

/// The pools of the name that may open most connections; `None` where their connections go through a pool of their own
/// between target and database.
fn largest<'a>(context: &RuleContext<'a>) -> Option<SamePools<'a>> {
    let view = context.view;
    let signals = &view.run.signals;
    let mut all: BTreeMap<&str, SamePools<'a>> = BTreeMap::new();
    for series in signals.of_kind(SignalKind::PoolMax) {
        let entity = &series.entity;
        let library = stack::library(signals, entity);
        if library == Some(stack::POOL_BETWEEN) {
            return None;
        }
        let is_of_database = library.is_some_and(stack::is_of_database);
        let (true, Some(size)) = (is_of_database, view.gauge_of(series)) else {
            continue;
        };
        let name = entity.get(Label::Pool).unwrap_or_default();
        let pools = all.entry(name).or_insert_with(|| SamePools {
            entity,
            sizes: Vec::new(),
        });
        pools.sizes.push(size.last);
    }
    let all = all.into_values();
    all.max_by(|a, b| a.together().total_cmp(&b.together()))
}

/// The lowest of the limits that hold for the target.
fn limit(context: &RuleContext<'_>) -> Option<SessionLimit> {
    let view = context.view;
    let signals = &view.run.signals;
    // Of several databases nobody knows which one a pool is of.
    if signals.of_kind(SignalKind::SessionsMax).count() > 1 {
        return None;
    }
    let sessions = context.measured.sessions;
    let of_server = sessions.most.map(|most| SessionLimit {
        of: None,
        most: most - reserved(signals),
        taken: sessions.all,
    });
    let mut limited = signals.of_kind(SignalKind::LimitedSessions);
    // A role that has sessions while the target works, alone, is the target's.
    let of_role = limited.next().filter(|_| limited.next().is_none());
    let of_role = of_role.and_then(|series| {
        let of = &series.entity;
        let name = of.get(Label::Client).or_else(|| of.get(Label::Database))?;
        Some(SessionLimit {
            of: Some(name.to_owned()),
            most: view.largest(SignalKind::LimitedSessionsMax, of)?,
            taken: view.gauge_of(series)?.mean,
        })
    });
    let of_role = of_role.filter(|role| role.taken >= 1.0);
    let both = of_server.into_iter().chain(of_role);
    both.min_by(|a, b| a.most.total_cmp(&b.most))
}

fn reserved(signals: &Signals) -> f64 {
    let of_name = |name: &&str| {
        let found = signals.settings().iter().find(|one| one.name == *name)?;
        found.value.parse::<f64>().ok()
    };
    RESERVED.iter().filter_map(of_name).sum()
}

fn counts(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}
