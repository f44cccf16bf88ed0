//! What a signal measures. A counter only grows, and starts anew when its process does.

/// Whether values are counts so far, or stand for themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignalMeasure {
    /// Counts so far; what matters is by how much they grow.
    Counter,
    /// The value at that time.
    Gauge,
}

/// The unit of a signal's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignalUnit {
    /// Seconds.
    Seconds,
    /// Bytes.
    Bytes,
    /// Bytes per second.
    BytesPerSecond,
    /// CPU cores.
    Cores,
    /// A share, 0 to 1.
    Ratio,
    /// A number of things.
    Count,
}

macro_rules! kinds {
    ($($kind:ident $name:literal $measure:ident $unit:ident $meaning:literal;)*) => {
        /// What a signal measures.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum SignalKind {
            $(#[doc = $meaning] $kind,)*
        }

        impl SignalKind {
            /// All kinds.
            pub const ALL: &[Self] = &[$(Self::$kind,)*];

            /// Its name in files.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)*
                }
            }

            /// Whether it is a counter.
            #[must_use]
            pub fn measure(self) -> SignalMeasure {
                match self {
                    $(Self::$kind => SignalMeasure::$measure,)*
                }
            }

            /// The unit of its values; of a counter, of its counts.
            #[must_use]
            pub fn unit(self) -> SignalUnit {
                match self {
                    $(Self::$kind => SignalUnit::$unit,)*
                }
            }
        }
    };
}

kinds! {
    // The target's process
    ProcessCpu "process-cpu" Counter Seconds "CPU time of the process, user and system.";
    CoresAvailable "cores-available" Gauge Cores "CPUs the process may use: its quota, its set of CPUs, or all of the host.";
    ThrottledTime "throttled-time" Counter Seconds "Time in which the CPU quota stopped it.";
    ThrottledPeriods "throttled-periods" Counter Count "Periods of the CPU quota in which it was stopped.";
    QuotaPeriods "quota-periods" Counter Count "Periods of the CPU quota in which it wanted to run.";
    RunDelay "run-delay" Counter Seconds "Time its threads were ready to run and waited for a core.";
    MemoryUsed "memory-used" Gauge Bytes "Resident memory, or what counts against the limit.";
    MemoryLimit "memory-limit" Gauge Bytes "The most memory it may use.";
    Threads "threads" Gauge Count "Threads of the process.";
    Processes "processes" Gauge Count "The process and all below it.";
    ContextSwitches "context-switches" Counter Count "Context switches of all kinds.";
    ForcedSwitches "forced-switches" Counter Count "Context switches forced on running threads.";
    StorageWaiters "storage-waiters" Gauge Count "Threads that wait for storage.";
    OpenSockets "open-sockets" Gauge Count "Open sockets.";
    OpenFiles "open-files" Gauge Count "Files that a process has open, sockets included.";
    OpenFilesMax "open-files-max" Gauge Count "The most files that it may have open.";
    Uptime "uptime" Gauge Seconds "How long the process has been running.";
    CompilationTime "compilation-time" Counter Seconds "Time the run-time compiler worked.";
    EventLoopLag "event-loop-lag" Gauge Seconds "How late an event loop runs what is due.";
    EventLoopUse "event-loop-use" Gauge Ratio "Share of time in which an event loop was busy.";
    EventLoopBlocked "event-loop-blocked" Gauge Ratio "Share of event-loop threads that wait for something else than events.";
    EventLoopLooks "event-loop-looks" Counter Count "Looks at event-loop threads: how sure the share of blocked ones is.";
    EventLoopCpu "event-loop-cpu" Counter Seconds "CPU time of event-loop threads.";
    EventLoopRunDelay "event-loop-run-delay" Counter Seconds "Time event-loop threads were ready to run and waited for a core.";
    EventLoopThreads "event-loop-threads" Gauge Count "Threads that run an event loop.";
    // The host of the target
    HostCpu "host-cpu" Counter Seconds "CPU time that everything on the host used.";
    HostCores "host-cores" Gauge Cores "CPUs of the host.";
    HostStolen "host-stolen" Counter Seconds "CPU time that other virtual machines took.";
    HostMemoryAvailable "host-memory-available" Gauge Bytes "Memory that could be used without swapping.";
    HostMemoryTotal "host-memory-total" Gauge Bytes "All memory of the host.";
    ClockAhead "clock-ahead" Gauge Seconds "How far the host's clock is ahead of the generator's.";
    // The heap
    HeapUsed "heap-used" Gauge Bytes "Heap in use.";
    HeapAfterCollection "heap-after-collection" Gauge Bytes "Heap in use after the last collection.";
    HeapAfterCollectionShare "heap-after-collection-share" Gauge Ratio "Share of the heap in use after the last collection.";
    HeapMax "heap-max" Gauge Bytes "The largest size of the heap.";
    HeapAllocated "heap-allocated" Counter Bytes "Memory that was allocated.";
    CollectionPauseTime "collection-pause-time" Counter Seconds "Time in which garbage collections stopped the process.";
    CollectionPauses "collection-pauses" Counter Count "Garbage collections that stopped the process.";
    // Pools of connections
    PoolActive "pool-active" Gauge Count "Connections that requests hold.";
    PoolIdle "pool-idle" Gauge Count "Connections that nobody holds.";
    PoolPending "pool-pending" Gauge Count "Requests that wait for a connection.";
    PoolMax "pool-max" Gauge Count "The most connections.";
    PoolMin "pool-min" Gauge Count "Connections that a pool keeps open though nobody holds them.";
    PoolOpened "pool-opened" Counter Count "Connections that a pool opened.";
    PoolTimeouts "pool-timeouts" Counter Count "Requests that got no connection in time.";
    PoolHoldTime "pool-hold-time" Counter Seconds "Time connections were held.";
    PoolHolds "pool-holds" Counter Count "Connections that were given back.";
    PoolAcquireTime "pool-acquire-time" Counter Seconds "Time requests waited for a connection.";
    PoolAcquires "pool-acquires" Counter Count "Requests that got a connection.";
    PoolWaits "pool-waits" Counter Count "Requests that had to wait for a connection, where only those are counted.";
    // Threads and sockets that take requests
    WorkersBusy "workers-busy" Gauge Count "Threads that serve requests.";
    WorkersMax "workers-max" Gauge Count "The most threads that serve requests.";
    WorkersQueue "workers-queue" Gauge Count "Requests that wait for a thread.";
    WorkersQueueMax "workers-queue-max" Gauge Count "The most requests that may wait for a thread.";
    WorkersRefused "workers-refused" Counter Count "Requests that found the queue for a thread full.";
    Connections "connections" Gauge Count "Connections of callers.";
    ConnectionsMax "connections-max" Gauge Count "The most connections of callers.";
    ConnectionsIdle "connections-idle" Gauge Count "Connections of callers on which no request is under way.";
    ConnectionsAccepted "connections-accepted" Counter Count "Connections of callers that were accepted.";
    ConnectionsDropped "connections-dropped" Counter Count "Connections of callers that were accepted and closed, for a limit was reached.";
    AcceptQueue "accept-queue" Gauge Count "Connections that wait to be accepted.";
    AcceptQueueMax "accept-queue-max" Gauge Count "The most connections that may wait to be accepted.";
    AcceptQueueOverflows "accept-queue-overflows" Counter Count "Connections that found the accept queue full.";
    // What the target says of its requests
    ServerRequests "server-requests" Counter Count "Requests it answered.";
    ServerRequestTime "server-request-time" Counter Seconds "Time it took for them.";
    ServerRequestsActive "server-requests-active" Gauge Count "Requests it is serving.";
    ServerErrors "server-errors" Counter Count "Requests it answered with a server's error.";
    ScrapeTime "scrape-time" Gauge Seconds "Time the page of metrics took to answer.";
    // Calls to other servers
    OutsideCalls "outside-calls" Counter Count "Calls that ended.";
    OutsideCallTime "outside-call-time" Counter Seconds "Time they took.";
    OutsideCallsActive "outside-calls-active" Gauge Count "Calls under way.";
    OutsideErrors "outside-errors" Counter Count "Calls that failed.";
    OutsideRefused "outside-refused" Counter Count "Calls that were answered 429 or 503: the other server is at a limit of its own.";
    // Requests whose spans were received, a share of all: what counts is their ratio
    SpansReceived "spans-received" Counter Count "Spans that were taken.";
    SpansLeftOut "spans-left-out" Counter Count "Spans that found no room, or could not be read.";
    TracedRequests "traced-requests" Counter Count "Traced requests.";
    TracedErrors "traced-errors" Counter Count "Traced requests that failed.";
    TracedTime "traced-time" Counter Seconds "Time of traced requests.";
    TracedDatabaseTime "traced-database-time" Counter Seconds "Time of traced requests in statements, those side by side counted once.";
    TracedSqlCalls "traced-sql-calls" Counter Count "Executions of a statement by traced requests.";
    TracedSqlTime "traced-sql-time" Counter Seconds "Time of a statement in traced requests.";
    TracedOutsideTime "traced-outside-time" Counter Seconds "Time of traced requests in outside calls, those side by side counted once.";
    TracedHeldTime "traced-held-time" Counter Seconds "Time of traced requests in outside calls while they held a connection.";
    TracedCalls "traced-calls" Counter Count "Calls of traced requests to a server.";
    TracedCallTime "traced-call-time" Counter Seconds "Time of calls of traced requests to a server.";
    TracedCallsRefused "traced-calls-refused" Counter Count "Calls of traced requests that a server refused: answered 429 or 503, or not let in.";
    TracedPoolTime "traced-pool-time" Counter Seconds "Time traced requests waited for a connection.";
    TracedMessageTime "traced-message-time" Counter Seconds "Time of traced requests with caches and message brokers.";
    TracedOwnTime "traced-own-time" Counter Seconds "Time of traced requests in nothing that has a span.";
    // The database
    SessionsActive "sessions-active" Gauge Count "Sessions that execute a statement.";
    SessionsIdle "sessions-idle" Gauge Count "Sessions without a transaction.";
    SessionsIdleInTransaction "sessions-idle-in-transaction" Gauge Count "Sessions with an open transaction that execute nothing.";
    SessionsWaitingForLock "sessions-waiting-for-lock" Gauge Count "Sessions that wait for a lock.";
    SessionsWaiting "sessions-waiting" Gauge Count "Sessions that execute a statement and wait for something else, such as storage.";
    SessionsMax "sessions-max" Gauge Count "The most sessions.";
    LimitedSessions "limited-sessions" Gauge Count "Sessions of one role, or of one database, that may have so many only.";
    LimitedSessionsMax "limited-sessions-max" Gauge Count "The most sessions of that role or database.";
    ClientSessionsActive "client-sessions-active" Gauge Count "Sessions of one client that execute a statement.";
    ClientSessionsIdle "client-sessions-idle" Gauge Count "Sessions of one client without a transaction.";
    ClientSessionsIdleInTransaction "client-sessions-idle-in-transaction" Gauge Count "Sessions of one client with an open transaction that execute nothing.";
    ClientSessionsWaitingForLock "client-sessions-waiting-for-lock" Gauge Count "Sessions of one client that wait for a lock.";
    ClientSessionsWaiting "client-sessions-waiting" Gauge Count "Sessions of one client that execute a statement and wait for something else.";
    ClientSessionsBlocking "client-sessions-blocking" Gauge Count "Sessions of one client that hold a lock others wait for.";
    Transactions "transactions" Counter Count "Transactions that ended.";
    StatementCalls "statement-calls" Counter Count "Executions of a statement.";
    StatementTime "statement-time" Counter Seconds "Time statements took, waiting included.";
    StatementRows "statement-rows" Counter Count "Rows a statement returned or changed.";
    StatementBlocks "statement-blocks" Counter Count "Blocks a statement looked at, cached or not.";
    StatementExamined "statement-examined" Counter Count "Rows a statement looked at.";
    DatabaseCpu "database-cpu" Counter Seconds "CPU time of the database's processes.";
    DatabaseCores "database-cores" Gauge Cores "CPUs the database may use.";
    DatabaseIoTime "database-io-time" Counter Seconds "Time the database waited for storage.";
    // A managed database, as its cloud tells of it: means of the minute that begins then
    DatabaseCpuShare "database-cpu-share" Gauge Ratio "Share of a managed database's CPUs that is used.";
    Sessions "sessions" Gauge Count "Sessions, whatever they do, where they are not told apart.";
    DatabaseStorageQueue "database-storage-queue" Gauge Count "Reads and writes that wait for a managed database's storage.";
    DatabaseStorageOperations "database-storage-operations" Gauge Count "Reads and writes of a managed database's storage, per second.";
    DatabaseStorageThroughput "database-storage-throughput" Gauge BytesPerSecond "Bytes read and written of a managed database's storage.";
    DatabaseMemoryFree "database-memory-free" Gauge Bytes "Memory that a managed database has left.";
    DatabaseReplicaLag "database-replica-lag" Gauge Seconds "How far a managed database is behind the one it copies.";
    // Redis
    RedisCpu "redis-cpu" Counter Seconds "CPU time of Redis.";
    RedisMainThreadCpu "redis-main-thread-cpu" Counter Seconds "CPU time of the thread that executes commands.";
    RedisMemoryUsed "redis-memory-used" Gauge Bytes "Memory in use.";
    RedisMemoryLimit "redis-memory-limit" Gauge Bytes "The most memory; 0 without a limit.";
    RedisCommands "redis-commands" Counter Count "Commands executed.";
    RedisEvictions "redis-evictions" Counter Count "Keys removed to make room.";
    RedisClients "redis-clients" Gauge Count "Connected clients.";
    // Messages, network, logs
    ConsumerLag "consumer-lag" Gauge Count "Messages that a group of consumers has not read yet.";
    NetworkReceived "network-received" Counter Bytes "Bytes received.";
    NetworkSent "network-sent" Counter Bytes "Bytes sent.";
    NetworkSpeed "network-speed" Gauge BytesPerSecond "The most the line carries in one direction.";
    SegmentsSent "segments-sent" Counter Count "TCP segments sent.";
    SegmentsResent "segments-resent" Counter Count "TCP segments sent again.";
    RoundTripTime "round-trip-time" Gauge Seconds "Time of a round trip to the callers, as TCP measures it.";
    LogLines "log-lines" Counter Count "Lines of a log with one wording.";
    LogErrors "log-errors" Counter Count "Lines of a log with one wording that report an error.";
}

impl SignalKind {
    /// The kind of this name in files.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.name() == name)
    }
}
