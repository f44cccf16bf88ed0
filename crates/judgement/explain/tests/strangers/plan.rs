//! A case as drawn: what the simulation plays.

use crate::parts::{Bystander, Fault, Stack, Station, Witness};

/// What a request does at one step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Action {
    /// Waits for a place and keeps it.
    Take(Station),
    /// Gives it back.
    Give(Station),
    /// Waits for a place, uses it for so many ms, and gives it back.
    Work(Station, f64),
    /// Holds the loop for so many ms without computing.
    Block(f64),
    /// So many ms in which nothing of this back end is used.
    Wait(f64),
    /// The target begins to count it.
    Enter,
    /// The target has answered it.
    Leave,
    /// Fails with this status beyond a rate.
    Gate(u16),
}

/// What a step's time is spent on, in the words of traces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spent {
    /// Before the target counts, and after.
    Before,
    Own,
    Pool,
    /// A statement, by its number.
    Sql(usize),
    Outside,
    Message,
}

/// One step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step {
    pub(crate) action: Action,
    pub(crate) spent: Spent,
    /// Executions of the statement, or calls, that end with it.
    pub(crate) calls: f64,
    /// Only requests of slow keys have it.
    pub(crate) slow_only: bool,
}

/// A statement of the target's.
#[derive(Debug, Clone)]
pub(crate) struct Statement {
    pub(crate) text: &'static str,
    pub(crate) rows: f64,
    pub(crate) blocks: f64,
}

/// How requests are started.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Load {
    /// At a rate, whatever the answers.
    Open {
        shape: Shape,
        rate: f64,
        users: usize,
    },
    /// By users that wait for each answer.
    Closed {
        shape: Shape,
        users: usize,
        think_ms: f64,
    },
}

/// How the rate, or the number of users, changes in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    Constant,
    Ramp,
    Steps,
}

impl Shape {
    /// The share of the full load at a share of the time.
    pub(crate) fn share(self, at: f64) -> f64 {
        match self {
            Self::Constant => 1.0,
            Self::Ramp => (0.1 + 0.9 * at * 1.25).min(1.0),
            Self::Steps => [0.3, 0.6, 1.0, 1.0][((at * 4.0) as usize).min(3)],
        }
    }
}

/// Places of a station.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Places {
    pub(crate) servers: usize,
    /// Who finds so many waiting is refused.
    pub(crate) queue_max: usize,
    /// Who waits so long gives up.
    pub(crate) patience_ms: Option<f64>,
}

impl Default for Places {
    fn default() -> Self {
        Self {
            servers: usize::MAX,
            queue_max: usize::MAX,
            patience_ms: None,
        }
    }
}

/// The runtime and its machine.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Machine {
    pub(crate) cores: f64,
    /// Cores that a quota allows.
    pub(crate) quota: Option<f64>,
    /// Threads of other programs that always want to run.
    pub(crate) neighbours: f64,
    /// Bytes a request allocates.
    pub(crate) allocated: f64,
    /// Bytes between collections.
    pub(crate) young: f64,
    pub(crate) pause_ms: f64,
    pub(crate) heap_live: f64,
    pub(crate) heap_max: f64,
    /// Bytes a request leaves behind for ever.
    pub(crate) leaked: f64,
    pub(crate) block_ms: f64,
}

/// A case.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) seed: u64,
    pub(crate) fault: Fault,
    pub(crate) stack: Stack,
    pub(crate) witnesses: Vec<Witness>,
    pub(crate) bystanders: Vec<Bystander>,
    pub(crate) load: Load,
    pub(crate) begins_ms: f64,
    pub(crate) seconds: f64,
    pub(crate) warm_up_s: f64,
    pub(crate) timeout_ms: f64,
    pub(crate) places: [Places; crate::parts::STATIONS],
    pub(crate) machine: Machine,
    /// Steps of each endpoint.
    pub(crate) programs: Vec<Vec<Step>>,
    pub(crate) statements: Vec<Statement>,
    pub(crate) operations: Vec<&'static str>,
    pub(crate) slow_share: f64,
    /// Requests a second that a gate lets through.
    pub(crate) gate_rate: f64,
    pub(crate) bytes: f64,
    pub(crate) other_rate: f64,
    pub(crate) database_cores: f64,
    /// How many times the first seconds' database work costs at most.
    pub(crate) cold: f64,
    /// The page waits in the queue of requests.
    pub(crate) page_queues: bool,
    /// The first look comes before the load.
    pub(crate) looks_early: bool,
    /// What limits, at full load; of a healthy one the fullest.
    pub(crate) capacity: f64,
}

impl Plan {
    pub(crate) fn has(&self, bystander: Bystander) -> bool {
        self.bystanders.contains(&bystander)
    }

    pub(crate) fn sees(&self, witness: Witness) -> bool {
        self.witnesses.contains(&witness)
    }

    pub(crate) fn places_of(&self, station: Station) -> Places {
        self.places[station as usize]
    }
}
