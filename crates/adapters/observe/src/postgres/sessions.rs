//! What the sessions do and wait for, all of them and those of each client.

use loadline_record::signals::{Entity, Label, MissingSignal, SignalKind};
use tokio_postgres::{Client, Row};

use super::count;
use crate::client_sessions::{ClientSessions, SessionClient, SessionGroup};
use crate::reading::Reading;

const SESSIONS: &str = "
    SELECT coalesce(state, ''), coalesce(wait_event_type, ''), count(*),
           count(*) FILTER (WHERE state IS NULL),
           coalesce(application_name, ''), coalesce(host(client_addr), ''),
           coalesce(client_port = ANY($1), false)
    FROM pg_stat_activity
    WHERE datname IS NOT NULL AND pid <> pg_backend_pid()
    GROUP BY state, wait_event_type, 5, 6, 7";

/// Asked only while sessions wait for locks, and of a few of them: the server looks at all locks for each.
const BLOCKING: &str = "
    SELECT count(*), coalesce(application_name, ''), coalesce(host(client_addr), ''),
           coalesce(client_port = ANY($1), false)
    FROM pg_stat_activity
    WHERE pid IN (
        SELECT unnest(pg_blocking_pids(waiting.pid)) FROM (
            SELECT pid FROM pg_stat_activity
            WHERE wait_event_type = 'Lock' AND datname IS NOT NULL LIMIT 20) waiting)
    GROUP BY 2, 3, 4";

/// Roles and databases that may have so many sessions only; a role without bounds is no such one. None at all is a
/// value, too.
const LIMITED: &str = "
    SELECT true, rolname::text, count(a.pid), rolconnlimit::int8
    FROM pg_roles LEFT JOIN pg_stat_activity a ON a.usesysid = pg_roles.oid
    WHERE rolconnlimit >= 0 AND NOT rolsuper
    GROUP BY 2, 4
    UNION ALL
    SELECT false, d.datname::text, count(a.pid), datconnlimit::int8
    FROM pg_database d LEFT JOIN pg_stat_activity a ON a.datid = d.oid
    WHERE datconnlimit >= 0
    GROUP BY 2, 4
    LIMIT 50";

/// Sessions of one client that do the same.
struct Sessions {
    state: String,
    wait: String,
    number: f64,
    client: SessionClient,
}

impl Sessions {
    fn read(row: &Row) -> Self {
        Self {
            state: row.get(0),
            wait: row.get(1),
            number: count(row.get(2)),
            client: client(row, 4),
        }
    }

    /// The kinds that they are of, of all sessions and of those of a client.
    fn kinds(&self) -> &'static [(SignalKind, SignalKind)] {
        const ACTIVE: (SignalKind, SignalKind) =
            (SignalKind::SessionsActive, SignalKind::ClientSessionsActive);
        match self.state.as_str() {
            "active" | "fastpath function call" => match self.wait.as_str() {
                "" => &[ACTIVE],
                "Lock" => &[
                    ACTIVE,
                    (
                        SignalKind::SessionsWaitingForLock,
                        SignalKind::ClientSessionsWaitingForLock,
                    ),
                ],
                _ => &[
                    ACTIVE,
                    (
                        SignalKind::SessionsWaiting,
                        SignalKind::ClientSessionsWaiting,
                    ),
                ],
            },
            "idle" => &[(SignalKind::SessionsIdle, SignalKind::ClientSessionsIdle)],
            // Of another user, so it may not be seen.
            "" => &[],
            _ => &[(
                SignalKind::SessionsIdleInTransaction,
                SignalKind::ClientSessionsIdleInTransaction,
            )],
        }
    }
}

/// Who has the sessions of a row: name, address and whether it is the target, from this column on.
fn client(row: &Row, column: usize) -> SessionClient {
    SessionClient {
        name: row.get(column),
        address: row.get(column + 1),
        is_target: row.get(column + 2),
    }
}

/// Tells the sessions; `own_ports` are the target's ends of its connections.
pub(super) async fn look(
    clients: &mut ClientSessions,
    own_ports: &[i32],
    client: &Client,
    reading: &mut Reading,
) -> Result<Option<MissingSignal>, tokio_postgres::Error> {
    // None at all is a value too.
    for kind in [
        SignalKind::SessionsActive,
        SignalKind::SessionsIdle,
        SignalKind::SessionsIdleInTransaction,
        SignalKind::SessionsWaitingForLock,
        SignalKind::SessionsWaiting,
    ] {
        reading.add(kind, Entity::new(), 0.0);
    }
    let mut hidden = 0;
    let mut groups = Vec::new();
    for row in client.query(SESSIONS, &[&own_ports]).await? {
        hidden += row.get::<_, i64>(3);
        let sessions = Sessions::read(&row);
        for (kind, of_client) in sessions.kinds() {
            let is_wait = *kind == SignalKind::SessionsWaiting;
            let wait = if is_wait { sessions.wait.as_str() } else { "" };
            let of = Entity::new().with(Label::Wait, wait);
            reading.add(*kind, of, sessions.number);
            groups.push(SessionGroup {
                kind: *of_client,
                client: sessions.client.clone(),
                wait: wait.to_owned(),
                number: sessions.number,
            });
        }
    }
    limited(client, reading).await?;
    let waits = |group: &SessionGroup| group.kind == SignalKind::ClientSessionsWaitingForLock;
    if groups.iter().any(waits) {
        groups.extend(blocking(own_ports, client).await?);
    }
    clients.give(groups, reading);
    let kind = SignalKind::SessionsIdleInTransaction;
    if hidden == 0 {
        return Ok(None);
    }
    Ok(Some(MissingSignal::new(kind, &grant(client).await?)))
}

/// What an administrator runs so that this role sees what others do.
pub(super) async fn grant(client: &Client) -> Result<String, tokio_postgres::Error> {
    let role = client.query_one("SELECT quote_ident(current_user)", &[]);
    let role: String = role.await?.get(0);
    Ok(format!("GRANT pg_monitor TO {role};"))
}

/// Tells of each role and database with a limit of its own how many sessions it has.
async fn limited(client: &Client, reading: &mut Reading) -> Result<(), tokio_postgres::Error> {
    for row in client.query(LIMITED, &[]).await? {
        let is_role: bool = row.get(0);
        let label = if is_role {
            Label::Client
        } else {
            Label::Database
        };
        let of = Entity::new().with(label, row.get(1));
        reading.add(SignalKind::LimitedSessions, of.clone(), count(row.get(2)));
        reading.add(SignalKind::LimitedSessionsMax, of, count(row.get(3)));
    }
    Ok(())
}

/// Who holds the locks that others wait for.
async fn blocking(
    own_ports: &[i32],
    client: &Client,
) -> Result<Vec<SessionGroup>, tokio_postgres::Error> {
    let rows = client.query(BLOCKING, &[&own_ports]).await?;
    let groups = rows.iter().map(|row| SessionGroup {
        kind: SignalKind::ClientSessionsBlocking,
        client: self::client(row, 1),
        wait: String::new(),
        number: count(row.get(0)),
    });
    Ok(groups.collect())
}
