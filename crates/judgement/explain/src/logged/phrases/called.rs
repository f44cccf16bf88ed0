//! What a program writes of what it calls: databases, pools of connections to them, other servers.

use loadline_record::signals::LineLevel;

use super::super::super::finding::RuleId;
use super::LogStack::{Any, DotNet, Go, Java, Mysql, Nginx, Node, Postgres, Python, Redis, Rust};
use super::{LogPhrase, row};

pub(super) const SESSIONS: &[LogPhrase] = &[
    row(Postgres, RuleId::DatabaseSessions, &["too many clients already"], "2026-11-24 00:00:01.000 UTC [12] shop@shop FATAL:  sorry, too many clients already").decisive(),
    row(Postgres, RuleId::DatabaseSessions, &["remaining connection slots are reserved"], "org.postgresql.util.PSQLException: FATAL: remaining connection slots are reserved for roles with the SUPERUSER attribute").decisive(),
    row(Postgres, RuleId::DatabaseSessions, &["too many connections for"], "FATAL:  too many connections for role \"shop\"").decisive(),
    row(Redis, RuleId::DatabaseSessions, &["max number of clients reached"], "ERROR app - ERR max number of clients reached").decisive(),
    row(Mysql, RuleId::DatabaseSessions, &["too many connections"], "ERROR app - Error: ER_CON_COUNT_ERROR: Too many connections").decisive(),
    row(Mysql, RuleId::DatabaseSessions, &["max_user_connections", "exceeded"], "ERROR app - User 'shop' has exceeded the 'max_user_connections' resource").decisive(),
];

pub(super) const LOCKS: &[LogPhrase] = &[
    row(Postgres, RuleId::RowLock, &["deadlock detected"], "2026-11-24 00:00:01.000 UTC [12] ERROR:  deadlock detected").decisive(),
    row(Postgres, RuleId::RowLock, &["due to lock timeout"], "ERROR:  canceling statement due to lock timeout"),
    row(Postgres, RuleId::RowLock, &["could not obtain lock"], "ERROR:  could not obtain lock on row in relation \"orders\""),
    row(Postgres, RuleId::RowLock, &["could not serialize access"], "ERROR:  could not serialize access due to concurrent update"),
    row(Mysql, RuleId::RowLock, &["deadlock found"], "ERROR app - Deadlock found when trying to get lock; try restarting transaction").decisive(),
    row(Mysql, RuleId::RowLock, &["lock wait timeout exceeded"], "ERROR app - Lock wait timeout exceeded; try restarting transaction"),
    row(DotNet, RuleId::RowLock, &["was deadlocked on lock"], "fail: Shop[0] Transaction (Process ID 52) was deadlocked on lock resources with another process").decisive(),
    row(DotNet, RuleId::RowLock, &["lock request time out"], "fail: Shop[0] Lock request time out period exceeded."),
    row(Python, RuleId::RowLock, &["database is locked"], "sqlite3.OperationalError: database is locked"),
    row(Any, RuleId::RowLock, &["table is locked"], "ERROR database table is locked: orders"),
    row(Java, RuleId::RowLock, &["cannotacquirelockexception"], "org.springframework.dao.CannotAcquireLockException: could not execute statement"),
    row(Java, RuleId::RowLock, &["pessimisticlockexception"], "ERROR c.shop.Cart - jakarta.persistence.PessimisticLockException: could not extract ResultSet"),
];

pub(super) const AWAY: &[LogPhrase] = &[
    row(
        Nginx,
        RuleId::OutsideUnreachable,
        &["while connecting to upstream"],
        "2026/11/24 00:00:01 [error] 12#12: *1 connect() failed (111: Connection refused) while connecting to upstream",
    )
    // What it was doing when it ran out of something of its own.
    .without(&["worker_connections", "too many open files", "no live upstreams"]),
    row(
        Nginx,
        RuleId::OutsideUnreachable,
        &["host not found in upstream"],
        "2026/11/24 00:00:01 [emerg] 12#12: host not found in upstream \"shop\"",
    ),
    row(
        Nginx,
        RuleId::OutsideUnreachable,
        &["could not be resolved"],
        "2026/11/24 00:00:01 [error] 12#12: *1 shop could not be resolved (3: Host not found)",
    ),
    row(
        Java,
        RuleId::OutsideUnreachable,
        &["connection to", "refused. check that"],
        "org.postgresql.util.PSQLException: Connection to 10.1.2.3:5432 refused. Check that the hostname and port are correct",
    ),
    row(
        Any,
        RuleId::OutsideUnreachable,
        &["connection refused"],
        "java.net.ConnectException: Connection refused",
    ),
    row(
        Java,
        RuleId::OutsideUnreachable,
        &["connect timed out"],
        "ERROR c.shop.Pay - java.net.SocketTimeoutException: Connect timed out",
    ),
    row(
        Java,
        RuleId::OutsideUnreachable,
        &["unknownhostexception"],
        "java.net.UnknownHostException: pay.example",
    ),
    row(
        Java,
        RuleId::OutsideUnreachable,
        &["no route to host"],
        "java.net.NoRouteToHostException: No route to host",
    ),
    row(
        Java,
        RuleId::OutsideUnreachable,
        &["connecttimeout"],
        "org.apache.http.conn.ConnectTimeoutException: Connect to pay.example:443 timed out",
    ),
    row(
        Node,
        RuleId::OutsideUnreachable,
        &["econnrefused"],
        "Error: connect ECONNREFUSED 127.0.0.1:5432",
    ),
    row(
        Node,
        RuleId::OutsideUnreachable,
        &["connect etimedout"],
        "Error: connect ETIMEDOUT 10.1.2.3:443",
    ),
    row(
        Node,
        RuleId::OutsideUnreachable,
        &["getaddrinfo"],
        "Error: getaddrinfo ENOTFOUND pay.example",
    ),
    row(
        Python,
        RuleId::OutsideUnreachable,
        &["failed to establish a new connection"],
        "ERROR:app:HTTPConnectionPool(host='pay', port=80): Failed to establish a new connection: [Errno 113]",
    ),
    row(
        Python,
        RuleId::OutsideUnreachable,
        &["name or service not known"],
        "ERROR:app:[Errno -2] Name or service not known",
    ),
    row(
        Python,
        RuleId::OutsideUnreachable,
        &["cannot connect to host"],
        "ERROR:app:Cannot connect to host pay.example:443 ssl:default",
    ),
    row(
        Go,
        RuleId::OutsideUnreachable,
        &["dial tcp", "i/o timeout"],
        "2026/11/24 00:00:01 ERROR pay err=\"dial tcp 10.1.2.3:443: i/o timeout\"",
    ),
    row(
        Go,
        RuleId::OutsideUnreachable,
        &["no such host"],
        "level=error msg=pay err=\"dial tcp: lookup pay.example: no such host\"",
    ),
    row(
        DotNet,
        RuleId::OutsideUnreachable,
        &["actively refused"],
        "fail: Shop[0] No connection could be made because the target machine actively refused it.",
    ),
    row(
        Mysql,
        RuleId::OutsideUnreachable,
        &["communications link failure"],
        "ERROR c.shop.Cart - Communications link failure",
    ),
    row(
        Any,
        RuleId::OutsideUnreachable,
        &["connection timed out"],
        "ERROR connect to pay.example: Connection timed out",
    )
    .without(&[
        "pool",
        "upstream timed out",
        "while reading",
        "idle connection",
    ]),
];

pub(super) const POOLS: &[LogPhrase] = &[
    row(
        Java,
        RuleId::PoolExhausted,
        &["connection is not available", "timed out"],
        "WARN o.h.SqlExceptionHelper - HikariPool-1 - Connection is not available, request timed out after 30000ms (total=10, active=10, idle=0, waiting=3)",
    ),
    row(
        Java,
        RuleId::PoolExhausted,
        &["pool empty. unable to fetch a connection"],
        "ERROR app - PoolExhaustedException: [http-1] Timeout: Pool empty. Unable to fetch a connection in 30 seconds, none available[size:100; busy:100; idle:0; lastwait:30000].",
    ),
    row(
        Java,
        RuleId::PoolExhausted,
        &["pool error timeout waiting for idle object"],
        "java.sql.SQLException: Cannot get a connection, pool error Timeout waiting for idle object",
    ),
    row(
        Java,
        RuleId::PoolExhausted,
        &["attempt by a client to checkout a connection has timed out"],
        "java.sql.SQLException: An attempt by a client to checkout a Connection has timed out.",
    ),
    row(
        Java,
        RuleId::PoolExhausted,
        &["wait millis", "maxactive"],
        "ERROR app - com.alibaba.druid.pool.GetConnectionTimeoutException: wait millis 60000, active 20, maxActive 20, creating 0",
    ),
    row(
        Java,
        RuleId::PoolExhausted,
        &["timeout waiting for connection from pool"],
        "org.apache.http.conn.ConnectionPoolTimeoutException: Timeout waiting for connection from pool",
    ),
    row(
        Java,
        RuleId::PoolExhausted,
        &["could not get a resource", "pool"],
        "redis.clients.jedis.exceptions.JedisException: Could not get a resource from the pool",
    ),
    row(
        Java,
        RuleId::PoolExhausted,
        &["pool#acquire", "has been pending"],
        "java.util.concurrent.TimeoutException: Pool#acquire(Duration) has been pending for more than the configured timeout of 45000ms",
    ),
    row(
        Java,
        RuleId::PoolExhausted,
        &["acquisition timeout"],
        "ERROR app - java.sql.SQLException: Sorry, acquisition timeout!",
    ),
    row(
        Java,
        RuleId::PoolExhausted,
        &["pending acquire queue has reached its maximum"],
        "ERROR app - PoolAcquirePendingLimitException: Pending acquire queue has reached its maximum size of 1000",
    ),
    row(
        Java,
        RuleId::PoolExhausted,
        &["unable to acquire jdbc connection"],
        "org.hibernate.exception.JDBCConnectionException: Unable to acquire JDBC Connection",
    ),
    row(
        Node,
        RuleId::PoolExhausted,
        &["timeout exceeded when trying to connect"],
        "Error: timeout exceeded when trying to connect",
    ),
    row(
        Node,
        RuleId::PoolExhausted,
        &["timeout acquiring a connection", "pool"],
        "KnexTimeoutError: Knex: Timeout acquiring a connection. The pool is probably full.",
    ),
    row(
        Node,
        RuleId::PoolExhausted,
        &["connectionacquiretimeouterror"],
        "SequelizeConnectionAcquireTimeoutError: Operation timeout",
    ),
    row(
        Node,
        RuleId::PoolExhausted,
        &["fetching a new connection from the connection pool"],
        "ERROR Timed out fetching a new connection from the connection pool. (Current connection pool timeout: 10, connection limit: 5)",
    ),
    row(
        Python,
        RuleId::PoolExhausted,
        &["queuepool limit", "reached"],
        "sqlalchemy.exc.TimeoutError: QueuePool limit of size 5 overflow 10 reached, connection timed out, timeout 30.00",
    ),
    row(
        Python,
        RuleId::PoolExhausted,
        &["couldn't get a connection after"],
        "psycopg_pool.PoolTimeout: couldn't get a connection after 30.00 sec",
    ),
    row(
        Python,
        RuleId::PoolExhausted,
        &["poolerror", "pool exhausted"],
        "psycopg2.pool.PoolError: connection pool exhausted",
    ),
    row(
        Python,
        RuleId::PoolExhausted,
        &["no connection available"],
        "redis.exceptions.ConnectionError: No connection available.",
    ),
    row(
        Go,
        RuleId::PoolExhausted,
        &["connection pool timeout"],
        "level=error msg=cart err=\"redis: connection pool timeout\"",
    ),
    row(
        Go,
        RuleId::PoolExhausted,
        &["connection pool exhausted"],
        "level=error msg=cart err=\"redigo: connection pool exhausted\"",
    ),
    row(
        Rust,
        RuleId::PoolExhausted,
        &["pool timed out while waiting"],
        "ERROR shop::db: pool timed out while waiting for an open connection",
    ),
    row(
        Rust,
        RuleId::PoolExhausted,
        &["timed out waiting for connection"],
        "ERROR shop::db: timed out waiting for connection",
    ),
    row(
        DotNet,
        RuleId::PoolExhausted,
        &["obtaining a connection from the pool"],
        "fail: Shop[0] Timeout expired.  The timeout period elapsed prior to obtaining a connection from the pool.",
    ),
    row(
        DotNet,
        RuleId::PoolExhausted,
        &["connection pool has been exhausted"],
        "fail: Shop[0] The connection pool has been exhausted, either raise 'Max Pool Size' (currently 100) or 'Timeout'",
    ),
    row(
        Any,
        RuleId::PoolExhausted,
        &["pool is exhausted"],
        "ERROR Pool is exhausted: timed out waiting for a connection",
    )
    .without(&["thread pool"]),
    row(
        Any,
        RuleId::PoolExhausted,
        &["waiting for a connection", "timed out"],
        "ERROR timed out waiting for a connection",
    ),
    row(
        Any,
        RuleId::PoolExhausted,
        &["pool_timeout"],
        "ERROR order failed: {\"code\":\"POOL_TIMEOUT\"}",
    )
    // Its setting.
    .without(&["pool_timeout=", "pool_timeout:", "pool_timeout_"]),
];

pub(super) const SLOW: &[LogPhrase] = &[
    row(
        Nginx,
        RuleId::SlowOutside,
        &["upstream timed out"],
        "2026/11/24 00:00:01 [error] 12#12: *1 upstream timed out (110: Connection timed out) while reading response header from upstream",
    ),
    row(
        Java,
        RuleId::SlowOutside,
        &["read timed out"],
        "java.net.SocketTimeoutException: Read timed out",
    ),
    row(
        Java,
        RuleId::SlowOutside,
        &["readtimeoutexception"],
        "io.netty.handler.timeout.ReadTimeoutException: null",
    ),
    row(
        Node,
        RuleId::SlowOutside,
        &["esockettimedout"],
        "Error: ESOCKETTIMEDOUT",
    ),
    row(
        Node,
        RuleId::SlowOutside,
        &["timeout of", "exceeded"],
        "AxiosError: timeout of 2000ms exceeded",
    ),
    row(
        Python,
        RuleId::SlowOutside,
        &["readtimeout"],
        "httpx.ReadTimeout: The read operation timed out",
    ),
    row(
        Go,
        RuleId::SlowOutside,
        &["deadline exceeded"],
        "level=error msg=pay err=\"Get http://pay: context deadline exceeded\"",
    ),
    row(
        DotNet,
        RuleId::SlowOutside,
        &["httpclient.timeout", "elapsing"],
        "fail: Shop[0] The request was canceled due to the configured HttpClient.Timeout of 2 seconds elapsing.",
    ),
];

pub(super) const REFUSED: &[LogPhrase] = &[
    row(
        Nginx,
        RuleId::Refused,
        &["limiting requests, excess"],
        "2026/11/24 00:00:01 [error] 12#12: *1 limiting requests, excess: 5.1 by zone \"one\"",
    )
    .decisive(),
    row(
        Nginx,
        RuleId::Refused,
        &["limiting connections by zone"],
        "2026/11/24 00:00:01 [error] 12#12: *1 limiting connections by zone \"addr\"",
    )
    .decisive(),
    row(
        Java,
        RuleId::Refused,
        &["requestnotpermitted"],
        "io.github.resilience4j.ratelimiter.RequestNotPermitted: RateLimiter 'pay' does not permit further calls",
    ),
    row(
        Java,
        RuleId::Refused,
        &["bulkhead", "is full"],
        "io.github.resilience4j.bulkhead.BulkheadFullException: Bulkhead 'pay' is full and does not permit further calls",
    ),
    row(
        Any,
        RuleId::Refused,
        &["rate limit", "exceeded"],
        "WARN rate limit exceeded",
    ),
    row(
        Any,
        RuleId::Refused,
        &["too many requests"],
        "ERROR 429 Too Many Requests: 120 a minute",
    ),
    row(
        Any,
        RuleId::Refused,
        &["quota exceeded"],
        "ERROR quota exceeded for project shop",
    ),
];

pub(super) const RETRIES: &[LogPhrase] = &[
    row(
        Any,
        RuleId::Retries,
        &["trying again"],
        "WARN payment answered 429, trying again",
    ),
    row(
        Any,
        RuleId::Retries,
        &["will retry"],
        "WARN call failed, will retry in 100 ms",
    ),
    row(
        Any,
        RuleId::Retries,
        &["retrying"],
        "WARNING:urllib3.connectionpool:Retrying (Retry(total=2, connect=None)) after connection broken by 'RemoteDisconnected'",
    ),
    row(
        Any,
        RuleId::Retries,
        &["retry attempt"],
        "warn: Shop.Pay[0] Retry attempt 2 of 3 after 200 ms",
    ),
    row(
        Go,
        RuleId::Retries,
        &["retry #"],
        "level=warn msg=\"pay failed\" note=\"retry #2\"",
    )
    .from(LineLevel::Warn),
];
