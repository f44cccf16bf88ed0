//! What settings are called in the target's own stack, as far as its signals tell which one it is.

use loadline_record::signals::{Entity, Label, Signals};

use super::finding::StackSetting::{self, Named};

/// Where a target's settings are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stack {
    Java,
    Node,
    Python,
    Ruby,
    Go,
    Dotnet,
}

/// Settings that show which stack it is.
const SHOWN_BY: [(&str, Stack); 6] = [
    ("jvm.", Stack::Java),
    ("node.", Stack::Node),
    ("python.", Stack::Python),
    ("ruby.", Stack::Ruby),
    ("go.", Stack::Go),
    ("dotnet.", Stack::Dotnet),
];

/// The setting that names what a process is run by.
const RUNTIME: &str = "process.runtime";

/// The target is of a stack whose interpreter runs one thread at a time.
pub(super) fn is_one_thread_at_a_time(signals: &Signals) -> bool {
    let stack = Stack::from_signals(signals);
    matches!(stack, Some(Stack::Python | Stack::Ruby))
}

impl Stack {
    fn named(runtime: &str) -> Option<Self> {
        Some(match runtime {
            "java" => Self::Java,
            "node" => Self::Node,
            "python" => Self::Python,
            "ruby" => Self::Ruby,
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

/// Names the library that a pool or an executor is of.
const LIBRARY: &str = "pool.library";

/// What sizes pools of each library.
const SIZES: [(&str, &str); 23] = [
    (
        "HikariCP",
        "HikariCP: maximumPoolSize; Spring Boot: spring.datasource.hikari.maximum-pool-size",
    ),
    (
        "r2dbc-pool",
        "r2dbc-pool: maxSize; Spring Boot: spring.r2dbc.pool.max-size",
    ),
    (
        "Agroal",
        "Agroal: maxSize; Quarkus: quarkus.datasource.jdbc.max-size",
    ),
    ("Commons Pool", "Commons Pool: maxTotal"),
    ("database/sql", "database/sql: SetMaxOpenConns"),
    (
        "PgBouncer",
        "PgBouncer: default_pool_size, max_db_connections",
    ),
    (
        "pgxpool",
        "pgxpool: MaxConns; connection string: pool_max_conns",
    ),
    ("psycopg_pool", "psycopg_pool: ConnectionPool(max_size)"),
    ("asyncpg", "asyncpg: create_pool(max_size)"),
    ("SQLAlchemy", "SQLAlchemy: pool_size, max_overflow"),
    ("node-postgres", "node-postgres: new Pool({ max })"),
    ("SQLx", "SQLx: PoolOptions::max_connections"),
    ("Prisma", "Prisma: connection_limit"),
    (
        "Tomcat",
        "Tomcat: maxThreads; Spring Boot: server.tomcat.threads.max",
    ),
    (
        "Jetty",
        "Jetty: QueuedThreadPool(maxThreads); Spring Boot: server.jetty.threads.max",
    ),
    (
        "executor",
        "ThreadPoolExecutor: setCorePoolSize, setMaximumPoolSize; Spring Boot: spring.task.execution.pool.core-size, max-size",
    ),
    ("bulkhead", "Resilience4j: maxConcurrentCalls"),
    ("Vert.x worker pool", "Vert.x: setWorkerPoolSize"),
    ("p-queue", "p-queue: new PQueue({ concurrency })"),
    ("pond", "pond: pond.NewPool(maxConcurrency)"),
    ("generic-pool", "generic-pool: createPool(factory, { max })"),
    ("Knex", "Knex: pool: { max }"),
    ("ActiveRecord", "ActiveRecord: pool in database.yml"),
];

/// A pool that stands between targets and a database: theirs may be larger than it.
pub(super) const POOL_BETWEEN: &str = "PgBouncer";
/// Libraries whose pools hold connections of a database.
const OF_DATABASE: [&str; 13] = [
    "HikariCP",
    "r2dbc-pool",
    "Agroal",
    "database/sql",
    "pgxpool",
    "psycopg_pool",
    "asyncpg",
    "SQLAlchemy",
    "node-postgres",
    "SQLx",
    "Prisma",
    "Knex",
    "ActiveRecord",
];

/// Whether a library's pools hold connections of a database.
pub(super) fn is_of_database(library: &str) -> bool {
    OF_DATABASE.contains(&library)
}

/// The library that a pool is of, where something tells it.
pub(super) fn library<'a>(signals: &'a Signals, pool: &Entity) -> Option<&'a str> {
    let of_pool = |label| pool.get(label);
    let settings = signals.settings().iter();
    let mut libraries = settings.filter(|one| {
        let is_same = |label| {
            one.entity
                .get(label)
                .is_none_or(|of| of_pool(label) == Some(of))
        };
        one.name == LIBRARY
            && one.entity.get(Label::Pool) == of_pool(Label::Pool)
            && is_same(Label::Instance)
    });
    libraries.next().map(|one| one.value.as_str())
}

/// The setting of the very pool that is seen, by its library; `None` where nothing tells the library, or a
/// library is not known.
fn size_by_library(signals: &Signals, pool: &Entity) -> Option<&'static str> {
    let library = library(signals, pool)?;
    let known = SIZES.iter().find(|(name, _)| *name == library)?;
    Some(known.1)
}

/// The size of a pool of connections.
pub(super) fn pool_size(signals: &Signals, pool: &Entity) -> StackSetting {
    let by_stack = || {
        of_stack(signals, |stack| match stack {
            Stack::Node => Named(
                "node-postgres: new Pool({ max }); mysql2: connectionLimit; Prisma: connection_limit",
            ),
            Stack::Python => {
                Named("SQLAlchemy: pool_size, max_overflow; psycopg_pool, asyncpg: max_size")
            }
            Stack::Ruby => Named("ActiveRecord: pool in database.yml"),
            Stack::Go => Named("database/sql: SetMaxOpenConns"),
            Stack::Dotnet => Named("connection string: Maximum Pool Size"),
            Stack::Java => Named(
                "HikariCP: maximumPoolSize; Spring Boot: spring.datasource.hikari.maximum-pool-size",
            ),
        })
    };
    size_by_library(signals, pool).map_or_else(by_stack, Named)
}

fn of_stack(signals: &Signals, named: impl Fn(Stack) -> StackSetting) -> StackSetting {
    Stack::from_signals(signals).map_or(StackSetting::UnknownStack, named)
}

/// The size of the heap.
pub(super) fn heap_size(signals: &Signals) -> StackSetting {
    of_stack(signals, |stack| match stack {
        Stack::Node => Named("--max-old-space-size"),
        Stack::Go => Named("GOMEMLIMIT, GOGC"),
        Stack::Dotnet => Named("DOTNET_GCHeapHardLimit"),
        Stack::Java => Named("-Xmx"),
        Stack::Python | Stack::Ruby => StackSetting::None,
    })
}

/// How many connections are taken, and how many may wait for that.
pub(super) fn connections(signals: &Signals) -> StackSetting {
    of_stack(signals, |stack| match stack {
        Stack::Node => Named("server.listen({ port, backlog }); server.maxConnections"),
        Stack::Python => Named("uvicorn: --backlog, --limit-concurrency; gunicorn: --backlog"),
        Stack::Ruby => Named("Puma: backlog in bind, such as tcp://0.0.0.0:9292?backlog=1024"),
        Stack::Go => Named("net.core.somaxconn; netutil.LimitListener"),
        Stack::Dotnet => Named("Kestrel: Limits.MaxConcurrentConnections, Sockets.Backlog"),
        Stack::Java => {
            Named("Spring Boot: server.tomcat.max-connections, server.tomcat.accept-count")
        }
    })
}

/// The number of threads that serve requests.
pub(super) fn threads(signals: &Signals, pool: &Entity) -> StackSetting {
    let by_stack = || match Stack::from_signals(signals) {
        // Tomcat's threads, Jetty's and those of executors are told by their names: these are others.
        Some(Stack::Java) => StackSetting::UnknownStack,
        _ => processes(signals),
    };
    size_by_library(signals, pool).map_or_else(by_stack, Named)
}

/// What lets more, or fewer, of a target run at once, where no pool of threads is seen.
pub(super) fn processes(signals: &Signals) -> StackSetting {
    of_stack(signals, |stack| match stack {
        Stack::Python => Named("gunicorn: --workers, --threads; uvicorn: --workers"),
        Stack::Ruby => Named("Puma: -w, -t; WEB_CONCURRENCY, RAILS_MAX_THREADS"),
        Stack::Node => Named("node:cluster, pm2 -i: one process a core"),
        Stack::Java => Named("Spring Boot: server.tomcat.threads.max"),
        // Each request has a goroutine, or a thread of a pool that grows by itself.
        Stack::Go | Stack::Dotnet => StackSetting::None,
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

    fn text(setting: StackSetting) -> &'static str {
        match setting {
            Named(text) => text,
            StackSetting::None | StackSetting::UnknownStack => "",
        }
    }

    #[test]
    fn settings_are_those_of_the_stack_that_is_seen() {
        let pool = |names: &[&str]| text(pool_size(&signals(names), &Entity::new()));
        assert!(pool(&["host.cores", "node.version"]).contains("new Pool"));
        assert!(pool(&["python.version"]).contains("SQLAlchemy"));
        assert!(pool(&["jvm.version"]).contains("hikari"));
        let mut process = Signals::default();
        process.set(TargetSetting::new(RUNTIME, "node", Entity::new()));
        assert!(text(connections(&process)).contains("backlog"));
        assert_eq!(pool(&["jvm.version", "go.version"]), "", "none of several");
        let unknown = signals(&["host.cores"]);
        assert_eq!(
            pool_size(&unknown, &Entity::new()),
            StackSetting::UnknownStack
        );
    }

    #[test]
    fn the_setting_is_that_of_the_pools_own_library() {
        let of = |pool: &str| Entity::new().with(Label::Pool, pool);
        let mut all = signals(&["jvm.version"]);
        for (pool, library) in [("http-nio-8080", "Tomcat"), ("orders", "executor")] {
            all.set(TargetSetting::new(LIBRARY, library, of(pool)));
        }
        let named = |pool: &str| text(threads(&all, &of(pool)));
        assert!(named("http-nio-8080").contains("server.tomcat.threads.max"));
        assert!(named("orders").contains("setCorePoolSize"));
        assert!(!named("orders").contains("tomcat"));
        assert_eq!(named("third"), "", "another pool of the same target");
    }
}
