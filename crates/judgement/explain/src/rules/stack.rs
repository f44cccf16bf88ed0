//! What settings are called in the target's own stack, as far as its signals tell which one it is.

use loadline_record::signals::Signals;

/// Where a target's settings are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stack {
    Java,
    Node,
    Python,
    Go,
    Dotnet,
}

/// Settings that show which stack it is.
const SHOWN_BY: [(&str, Stack); 5] = [
    ("jvm.", Stack::Java),
    ("node.", Stack::Node),
    ("python.", Stack::Python),
    ("go.", Stack::Go),
    ("dotnet.", Stack::Dotnet),
];

/// The setting that names what a process is run by.
const RUNTIME: &str = "process.runtime";

impl Stack {
    fn named(runtime: &str) -> Option<Self> {
        Some(match runtime {
            "java" => Self::Java,
            "node" => Self::Node,
            "python" => Self::Python,
            "dotnet" => Self::Dotnet,
            _ => return None,
        })
    }

    /// `None` where nothing tells, or several are observed.
    fn from_signals(signals: &Signals) -> Option<Self> {
        let settings = signals.settings().iter();
        let mut all = settings.filter_map(|setting| {
            if setting.name == RUNTIME {
                return Self::named(&setting.value);
            }
            let known = SHOWN_BY.iter();
            let mut shown = known.filter(|(beginning, _)| setting.name.starts_with(beginning));
            shown.next().map(|(_, stack)| *stack)
        });
        let first = all.next()?;
        all.all(|other| other == first).then_some(first)
    }
}

/// The size of a pool of connections.
pub(super) fn pool_size(signals: &Signals) -> Option<&'static str> {
    Some(match Stack::from_signals(signals)? {
        Stack::Node => {
            "node-postgres: new Pool({ max }); mysql2: connectionLimit; Prisma: connection_limit"
        }
        Stack::Python => "SQLAlchemy: pool_size, max_overflow; psycopg_pool, asyncpg: max_size",
        Stack::Go => "database/sql: SetMaxOpenConns",
        Stack::Dotnet => "connection string: Maximum Pool Size",
        Stack::Java => "Spring Boot: spring.datasource.hikari.maximum-pool-size",
    })
}

/// The size of the heap.
pub(super) fn heap_size(signals: &Signals) -> Option<&'static str> {
    Some(match Stack::from_signals(signals)? {
        Stack::Node => "--max-old-space-size",
        Stack::Go => "GOMEMLIMIT, GOGC",
        Stack::Dotnet => "DOTNET_GCHeapHardLimit",
        Stack::Java => "-Xmx",
        Stack::Python => return None,
    })
}

/// How many connections are taken, and how many may wait for that.
pub(super) fn connections(signals: &Signals) -> Option<&'static str> {
    Some(match Stack::from_signals(signals)? {
        Stack::Node => "server.listen({ port, backlog }); server.maxConnections",
        Stack::Python => "uvicorn: --backlog, --limit-concurrency; gunicorn: --backlog",
        Stack::Go => "net.core.somaxconn; netutil.LimitListener",
        Stack::Dotnet => "Kestrel: Limits.MaxConcurrentConnections, Sockets.Backlog",
        Stack::Java => "Spring Boot: server.tomcat.max-connections, server.tomcat.accept-count",
    })
}

/// The number of threads that serve requests.
pub(super) fn threads(signals: &Signals) -> Option<&'static str> {
    Some(match Stack::from_signals(signals)? {
        Stack::Python => "gunicorn: --workers, --threads; uvicorn: --workers",
        Stack::Node => "node:cluster, pm2 -i: one process a core",
        Stack::Java => "Spring Boot: server.tomcat.threads.max",
        // Each request has a goroutine, or a thread of a pool that grows by itself.
        Stack::Go | Stack::Dotnet => return None,
    })
}

#[cfg(test)]
mod tests {
    use loadline_record::signals::{Entity, TargetSetting};

    use super::*;

    fn signals(names: &[&str]) -> Signals {
        let mut signals = Signals::default();
        for name in names {
            signals.set(TargetSetting::new(name, "1", Entity::new()));
        }
        signals
    }

    #[test]
    fn settings_are_those_of_the_stack_that_is_seen() {
        let pool = |names: &[&str]| pool_size(&signals(names)).unwrap_or_default();
        assert!(pool(&["host.cores", "node.version"]).contains("new Pool"));
        assert!(pool(&["python.version"]).contains("SQLAlchemy"));
        assert!(pool(&["jvm.version"]).contains("hikari"));
        let mut process = Signals::default();
        process.set(TargetSetting::new(RUNTIME, "node", Entity::new()));
        assert!(connections(&process).is_some_and(|named| named.contains("backlog")));
        assert_eq!(pool(&["jvm.version", "go.version"]), "", "none of several");
        assert_eq!(
            pool(&["host.cores"]),
            "",
            "an unknown stack has unknown settings"
        );
    }
}
