//! What a request asks of each part, and how large the parts are.

use crate::parts::{Fault, STATIONS, Stack, Station};
use crate::plan::{Machine, Places};

use super::Designer;

/// Time and sizes of one request's parts, ms.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Demand {
    pub(super) cpu: f64,
    pub(super) database: f64,
    /// Round trips of statements and their own time, ms.
    pub(super) trips: f64,
    pub(super) calls: f64,
    pub(super) disk_of_database: f64,
    pub(super) locked: f64,
    pub(super) outside: f64,
    pub(super) redis: f64,
    pub(super) disk: f64,
    pub(super) blocked: f64,
    pub(super) slow: f64,
    pub(super) line: f64,
}

impl Designer {
    pub(super) fn machine(&self, is_busy: bool, has_blocks: bool) -> Machine {
        let dice = &self.dice;
        let cores = dice.pick(&[2.0, 4.0, 4.0, 8.0]);
        let is_neighbour = self.fault == Fault::Neighbour;
        let neighbours = if is_neighbour {
            cores * dice.between(1.5, 3.0)
        } else if is_busy {
            cores * dice.between(1.0, 2.0)
        } else {
            0.0
        };
        let mib = 1_048_576.0;
        let heap_max = dice.pick(&[256.0, 512.0, 1024.0]) * mib;
        Machine {
            cores,
            quota: None,
            neighbours: neighbours.round(),
            allocated: dice.scale(0.05, 0.5) * mib,
            young: heap_max * 0.3,
            pause_ms: dice.between(2.0, 9.0),
            heap_live: heap_max * dice.between(0.15, 0.4),
            heap_max,
            leaked: 0.0,
            block_ms: if has_blocks { 80.0 } else { 0.0 },
        }
    }

    /// Cores of the target as far as others leave them, when all of them are wanted.
    pub(super) fn cores_left(&self, machine: &Machine) -> f64 {
        let running = if self.stack.is_loop() {
            1.0
        } else {
            machine.cores
        };
        running * (machine.cores / (running + machine.neighbours)).min(1.0)
    }

    pub(super) fn demand(&self, carried: f64, spare: f64, machine: &mut Machine) -> Demand {
        let dice = &self.dice;
        let cores = self.cores_left(machine);
        let each = 1_000.0 / carried;
        // What one request may cost so that `spare` times as many would be carried.
        let most = |servers: f64| servers * each / spare;
        let database_cores = self.database_cores();
        let calls = dice.whole(1, 4) as f64;
        let mut demand = Demand {
            cpu: dice.scale(1.0, 12.0).min(most(cores)),
            database: (calls * dice.scale(0.3, 2.0)).min(most(database_cores)),
            trips: calls * dice.between(0.3, 1.2),
            calls,
            ..Demand::default()
        };
        let needs_outside = matches!(
            self.fault,
            Fault::Workers
                | Fault::Executor
                | Fault::PoolHeld
                | Fault::OutsideLimit
                | Fault::OutsideRate
        );
        if needs_outside || dice.chance(0.4) {
            demand.outside = dice.scale(25.0, 140.0);
        }
        if self.fault == Fault::Redis || dice.chance(0.2) {
            demand.redis = dice.between(0.2, 0.8).min(most(1.0));
        }
        match self.fault {
            Fault::Cpu | Fault::Neighbour => demand.cpu = cores * each,
            Fault::LoopCpu => demand.cpu = cores * each,
            Fault::CpuQuota => {
                let quota = machine.cores * dice.between(0.15, 0.45);
                demand.cpu = quota * each;
                machine.quota = Some(quota);
            }
            Fault::LoopBlocked => {
                demand.cpu = demand.cpu.min(0.25 * each);
                demand.blocked = each - demand.cpu;
                demand.outside = 0.0;
            }
            Fault::RowLock => demand.locked = each,
            Fault::HeavyStatement => demand.database = database_cores * each,
            Fault::ManyStatements => {
                demand.database = database_cores * each;
                demand.calls = dice.whole(25, 120) as f64;
                demand.trips = demand.calls * 0.25;
            }
            Fault::DatabaseDisk => demand.disk_of_database = dice.whole(1, 3) as f64 * each,
            Fault::Disk => demand.disk = dice.whole(1, 3) as f64 * each,
            // Several users at once are needed for what is asked for.
            Fault::UserLimit => demand.outside = demand.outside.max(12.0 * each),
            Fault::Redis => demand.redis = each,
            Fault::Line => demand.line = each,
            Fault::PoolSmall => {
                let pool = dice.whole(2, 8) as f64 * each;
                demand.trips = (pool - demand.database).max(0.5 * each);
            }
            Fault::SlowTail => {
                let pool = dice.whole(2, 4) as f64 * each;
                demand.slow = (pool - demand.database - demand.trips).max(0.5 * each) / 0.05;
            }
            Fault::OutsideLimit | Fault::Executor => {
                demand.outside = dice.whole(3, 10) as f64 * each
            }
            Fault::PoolHeld => {
                let pool = dice.whole(4, 12) as f64 * each;
                demand.outside = (pool - demand.database - demand.trips).max(2.0 * each);
            }
            Fault::Workers => {
                demand.outside = 0.0;
                let threads = dice.whole(5, 16) as f64 * each;
                demand.outside = (threads - self.alone(&demand)).max(3.0 * each);
            }
            Fault::Collections => self.collects(&mut demand, each, machine),
            Fault::MemoryDeath => {
                let room = machine.heap_max - machine.heap_live;
                // About half of `carried` is asked for: it dies after 8 to 14 s.
                machine.leaked = room / (0.5 * carried * dice.between(8.0, 14.0));
            }
            _ => {}
        }
        demand
    }

    /// Collections take most of the time that a request may cost.
    pub(super) fn collects(&self, demand: &mut Demand, each: f64, machine: &mut Machine) {
        let stopped = self.dice.between(0.5, 0.7);
        demand.cpu = (1.0 - stopped) * each * self.cores_left(machine);
        machine.pause_ms = self.dice.between(60.0, 220.0);
        machine.heap_live = machine.heap_max * self.dice.between(0.86, 0.95);
        machine.young = machine.heap_max - machine.heap_live;
        machine.allocated = machine.young * stopped * each / machine.pause_ms;
    }

    pub(super) fn database_cores(&self) -> f64 {
        2.0
    }

    pub(super) fn bytes(&self) -> f64 {
        if self.fault == Fault::Line {
            120_000.0
        } else {
            2_400.0
        }
    }

    /// How long a connection is held, ms.
    pub(super) fn held(&self, demand: &Demand) -> f64 {
        let across = if self.fault == Fault::PoolHeld {
            demand.outside
        } else {
            0.0
        };
        demand.database
            + demand.trips
            + demand.disk_of_database
            + demand.locked
            + across
            + 0.05 * demand.slow
    }

    /// How long a request takes where nothing queues, ms.
    pub(super) fn alone(&self, demand: &Demand) -> f64 {
        let across = if self.fault == Fault::PoolHeld {
            0.0
        } else {
            demand.outside
        };
        demand.cpu
            + self.held(demand)
            + across
            + demand.redis
            + demand.disk
            + demand.blocked
            + demand.line
    }

    /// Places of all stations.
    pub(super) fn size(
        &self,
        places: &mut [Places; STATIONS],
        demand: &Demand,
        carried: f64,
        spare: f64,
        machine: &Machine,
    ) {
        let mut set = |station: Station, servers: f64| {
            places[station as usize].servers = servers.round().max(1.0) as usize;
        };
        let spared = |ms: f64| (spare * carried * ms / 1_000.0).ceil() + 2.0;
        let exact = |ms: f64| (carried * ms / 1_000.0).round().max(1.0);
        set(Station::Cpu, machine.cores);
        set(Station::Loop, 1.0);
        set(Station::DbCpu, self.database_cores());
        set(Station::Lock, 1.0);
        set(Station::Redis, 1.0);
        set(Station::Line, 1.0);
        set(
            Station::DbDisk,
            (demand.disk_of_database * carried / 1_000.0).max(1.0),
        );
        set(Station::Disk, (demand.disk * carried / 1_000.0).max(1.0));
        let (held, alone) = (self.held(demand), self.alone(demand));
        let pool = match self.fault {
            Fault::PoolHeld | Fault::PoolSmall | Fault::SlowTail => exact(held),
            _ => spared(held).max(self.dice.pick(&[5.0, 10.0, 20.0])),
        };
        set(Station::Pool, pool);
        if self.fault == Fault::OutsideLimit {
            set(Station::Outside, exact(demand.outside));
        }
        if self.stack == Stack::Java {
            let workers = match self.fault {
                Fault::Workers => exact(alone),
                _ => spared(alone).max(self.dice.pick(&[50.0, 100.0, 200.0])),
            };
            set(Station::Workers, workers);
        }
        if self.fault == Fault::Executor {
            set(Station::Executor, exact(demand.outside));
            if self.dice.chance(0.3) {
                places[Station::Executor as usize].queue_max = self.dice.whole(10, 60);
            }
        }
        if self.dice.chance(0.3) {
            places[Station::Pool as usize].patience_ms =
                Some(self.dice.pick(&[1_000.0, 2_000.0, 5_000.0]));
        }
    }
}
