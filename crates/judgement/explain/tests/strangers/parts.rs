//! What back ends are made of, how they fail, and who watches them.

/// What may limit a back end, and what looks as if it did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fault {
    /// Nothing limits.
    Healthy,
    /// Cores of a runtime of many threads are used up.
    Cpu,
    /// A quota stops the process.
    CpuQuota,
    /// Other programs take the cores.
    Neighbour,
    /// The one core of an event loop is used up.
    LoopCpu,
    /// An event loop waits in a call that blocks.
    LoopBlocked,
    /// Threads that take requests all wait for another server.
    Workers,
    /// Threads of the application's own executor do.
    Executor,
    /// Connections of a pool are held across a call to another server.
    PoolHeld,
    /// A pool is smaller than its statements need.
    PoolSmall,
    /// One row is changed by everybody.
    RowLock,
    /// The database's cores are used up by a heavy statement.
    HeavyStatement,
    /// The database's cores are used up by many small statements.
    ManyStatements,
    /// The database's disk is.
    DatabaseDisk,
    /// Another server serves only so many at once.
    OutsideLimit,
    /// Another server answers 429 beyond a rate.
    OutsideRate,
    /// The target itself answers 429 beyond a rate.
    OwnRate,
    /// Requests wait for the target's disk.
    Disk,
    /// The line is full.
    Line,
    /// Memory grows until the process dies.
    MemoryDeath,
    /// Collections stop the process for most of the time.
    Collections,
    /// One key of twenty is slow, and fills the pool.
    SlowTail,
    /// Redis uses its one core up.
    Redis,
    /// The test allows too few users.
    UserLimit,
}

impl Fault {
    /// All that limit, in the order of tables.
    pub(crate) const LIMITS: &[Self] = &[
        Self::Cpu,
        Self::CpuQuota,
        Self::Neighbour,
        Self::LoopCpu,
        Self::LoopBlocked,
        Self::Workers,
        Self::Executor,
        Self::PoolHeld,
        Self::PoolSmall,
        Self::RowLock,
        Self::HeavyStatement,
        Self::ManyStatements,
        Self::DatabaseDisk,
        Self::OutsideLimit,
        Self::OutsideRate,
        Self::OwnRate,
        Self::Disk,
        Self::Line,
        Self::MemoryDeath,
        Self::Collections,
        Self::SlowTail,
        Self::Redis,
        Self::UserLimit,
    ];

    /// Whether a runtime can have it.
    pub(crate) fn fits(self, stack: Stack) -> bool {
        match self {
            Self::Cpu | Self::CpuQuota | Self::Neighbour => !stack.is_loop(),
            Self::LoopCpu | Self::LoopBlocked => stack.is_loop(),
            Self::Workers | Self::Executor => stack == Stack::Java,
            Self::Collections => stack == Stack::Java,
            _ => true,
        }
    }
}

/// Scored apart: written blind to the rules, and left out of the default run.
pub(crate) struct HeldOut {
    pub(crate) faults: &'static [Fault],
    pub(crate) stacks: &'static [Stack],
}

/// See [`HeldOut`].
pub(crate) const HELD_OUT: HeldOut = HeldOut {
    faults: &[Fault::SlowTail, Fault::OutsideRate],
    stacks: &[Stack::Python],
};

impl HeldOut {
    pub(crate) fn has(&self, fault: Fault, stack: Stack) -> bool {
        self.faults.contains(&fault) || self.stacks.contains(&stack)
    }
}

/// What a target is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Stack {
    /// Threads of Tomcat, HikariCP, a garbage collector that stops all.
    Java,
    /// Goroutines and `database/sql`.
    Go,
    /// One event loop.
    Node,
    /// One event loop of asyncio.
    Python,
}

impl Stack {
    pub(crate) const ALL: &[Self] = &[Self::Java, Self::Go, Self::Node, Self::Python];

    pub(crate) fn is_loop(self) -> bool {
        matches!(self, Self::Node | Self::Python)
    }
}

/// Where requests queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Station {
    Workers,
    Executor,
    Pool,
    Lock,
    Outside,
    DbCpu,
    DbDisk,
    Disk,
    Redis,
    Line,
    Cpu,
    Loop,
}

/// How many kinds of station there are.
pub(crate) const STATIONS: usize = 12;

impl Station {
    pub(crate) const ALL: [Self; STATIONS] = [
        Self::Workers,
        Self::Executor,
        Self::Pool,
        Self::Lock,
        Self::Outside,
        Self::DbCpu,
        Self::DbDisk,
        Self::Disk,
        Self::Redis,
        Self::Line,
        Self::Cpu,
        Self::Loop,
    ];
}

/// Who tells of the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Witness {
    /// `pid:` of the target.
    Kernel,
    /// Its page of metrics.
    Page,
    /// The database's own statistics.
    Database,
    /// `pid:` of the database.
    DatabaseKernel,
    /// What Redis tells.
    Redis,
    /// Traces with statements and calls.
    Traces,
    /// Lines of its log.
    Logs,
}

impl Witness {
    pub(crate) const ALL: &[Self] = &[
        Self::Kernel,
        Self::Page,
        Self::Database,
        Self::DatabaseKernel,
        Self::Redis,
        Self::Traces,
        Self::Logs,
    ];
}

/// What else goes on beside the target, and is no fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Bystander {
    /// Lines of exporters, health checks and debuggers.
    LoudLog,
    /// Another program's sessions, locks and statements on the database.
    SharedDatabase,
    /// Each look at the page is answered by another process.
    Processes,
    /// Other programs use the machine's cores.
    BusyNeighbours,
    /// Somebody asks whether the target is well, and the page counts it.
    HealthChecks,
    /// The page counts another caller's requests.
    OtherCaller,
    /// Idle and slow connections of others.
    SlowClients,
    /// 80 ms of each second the process computes something of its own.
    PeriodicBlocks,
    /// A cache is empty at first.
    WarmingCache,
}

impl Bystander {
    pub(crate) const ALL: &[Self] = &[
        Self::LoudLog,
        Self::SharedDatabase,
        Self::Processes,
        Self::BusyNeighbours,
        Self::HealthChecks,
        Self::OtherCaller,
        Self::SlowClients,
        Self::PeriodicBlocks,
        Self::WarmingCache,
    ];
}
