//! Sessions of a database by who has them: the target, or another program that uses the same database.

use std::collections::BTreeSet;

use loadline_record::signals::{Entity, Label, SignalKind};

use crate::reading::Reading;

/// Clients that are told apart; the rest is one.
const CLIENTS_MAX: usize = 50;
/// What the rest is called, and clients without a name and an address.
const OTHERS: &str = "(others)";
const UNNAMED: &str = "(unnamed)";
/// The kinds of which none at all is a value too.
const KINDS: [SignalKind; 5] = [
    SignalKind::ClientSessionsActive,
    SignalKind::ClientSessionsIdle,
    SignalKind::ClientSessionsIdleInTransaction,
    SignalKind::ClientSessionsWaitingForLock,
    SignalKind::ClientSessionsBlocking,
];

/// Whose some sessions are.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SessionClient {
    /// What it calls itself: an application, or a user.
    pub(crate) name: String,
    /// Where it comes from.
    pub(crate) address: String,
    /// The target has the other end of the connection.
    pub(crate) is_target: bool,
}

/// Some sessions of one client.
#[derive(Debug, Clone)]
pub(crate) struct SessionGroup {
    pub(crate) kind: SignalKind,
    pub(crate) client: SessionClient,
    /// What they wait for, where that is told.
    pub(crate) wait: String,
    pub(crate) number: f64,
}

/// The clients of a database so far.
#[derive(Debug, Default)]
pub(crate) struct ClientSessions {
    known: BTreeSet<SessionClient>,
    /// Some sessions were seen to be the target's.
    knows_target: bool,
}

impl ClientSessions {
    /// Tells how many sessions each client has, and none of those that it no longer has.
    pub(crate) fn give(&mut self, groups: Vec<SessionGroup>, reading: &mut Reading) {
        self.knows_target |= groups.iter().any(|group| group.client.is_target);
        let mut told = Vec::new();
        for group in groups {
            let client = self.known_as(group.client);
            told.push((group.kind, self.entity(&client), group.wait, group.number));
        }
        for client in &self.known {
            for kind in KINDS {
                reading.add(kind, self.entity(client), 0.0);
            }
        }
        for (kind, of, wait, number) in told {
            reading.add(kind, of.with(Label::Wait, &wait), number);
        }
    }

    fn known_as(&mut self, client: SessionClient) -> SessionClient {
        if !self.known.contains(&client) {
            if self.known.len() >= CLIENTS_MAX {
                let others = SessionClient {
                    name: OTHERS.to_owned(),
                    address: String::new(),
                    is_target: client.is_target,
                };
                self.known.insert(others.clone());
                return others;
            }
            self.known.insert(client.clone());
        }
        client
    }

    fn entity(&self, client: &SessionClient) -> Entity {
        let name = format!("{} {}", client.name, client.address);
        let name = match name.trim() {
            "" => UNNAMED,
            name => name,
        };
        let owner = match (self.knows_target, client.is_target) {
            (false, _) => "",
            (true, true) => "target",
            (true, false) => "others",
        };
        Entity::new()
            .with(Label::Client, name)
            .with(Label::Owner, owner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(kind: SignalKind, name: &str, is_target: bool, number: f64) -> SessionGroup {
        SessionGroup {
            kind,
            client: SessionClient {
                name: name.to_owned(),
                address: "10.0.0.1".to_owned(),
                is_target,
            },
            wait: String::new(),
            number,
        }
    }

    fn active(clients: &mut ClientSessions, groups: Vec<SessionGroup>) -> Vec<(String, f64)> {
        let mut reading = Reading::default();
        clients.give(groups, &mut reading);
        let values = reading.values.into_iter();
        let active = values.filter(|(kind, _, _)| *kind == SignalKind::ClientSessionsActive);
        active
            .map(|(_, of, number)| (of.to_string(), number))
            .collect()
    }

    #[test]
    fn sessions_of_the_target_are_told_from_those_of_others() {
        let mut clients = ClientSessions::default();
        let kind = SignalKind::ClientSessionsActive;
        let groups = vec![group(kind, "", true, 2.0), group(kind, "", false, 14.0)];
        let expected = [
            ("client=10.0.0.1, owner=others".to_owned(), 14.0),
            ("client=10.0.0.1, owner=target".to_owned(), 2.0),
        ];
        assert_eq!(active(&mut clients, groups), expected);
        let none = active(&mut clients, Vec::new());
        assert!(none.len() == 2 && none.iter().all(|(_, number)| *number < 0.1));
    }

    #[test]
    fn whose_sessions_are_is_not_told_where_no_connection_of_the_target_is_known() {
        let mut clients = ClientSessions::default();
        let groups = vec![group(
            SignalKind::ClientSessionsActive,
            "report",
            false,
            3.0,
        )];
        let expected = [("client=report 10.0.0.1".to_owned(), 3.0)];
        assert_eq!(active(&mut clients, groups), expected);
    }

    #[test]
    fn clients_beyond_a_number_are_one_and_none_is_lost() {
        let mut clients = ClientSessions::default();
        let kind = SignalKind::ClientSessionsActive;
        let groups = (0..CLIENTS_MAX + 30).map(|n| group(kind, &format!("job-{n:03}"), false, 1.0));
        let told = active(&mut clients, groups.collect());
        assert_eq!(told.len(), CLIENTS_MAX + 1);
        let all: f64 = told.iter().map(|(_, number)| number).sum();
        assert!((all - 80.0).abs() < 0.1);
    }
}
