//! Draws a case: first what limits and at which rate, then all other parts so that none is near its
//! own limit.
//!
//! Margins: a limited case is asked for at least [`OVERLOAD_MIN`] times what its part carries, and all
//! other parts carry [`SPARE_MIN`] times as much; a healthy case uses no part by more than
//! [`HEALTHY_USE_MAX`].

use crate::dice::Dice;
use crate::parts::{Bystander, Fault, HELD_OUT, STATIONS, Stack, Station, Witness};
use crate::plan::{Action, Load, Machine, Places, Plan, Shape, Spent, Statement, Step};
use crate::truths::{Origins, origins};

/// What is asked for, by what the limiting part carries.
const OVERLOAD_MIN: f64 = 1.4;
/// What other parts carry, by what the limiting part carries.
const SPARE_MIN: f64 = 1.8;
/// The most that a healthy case uses of any part.
const HEALTHY_USE_MAX: f64 = 0.55;
/// So often witnesses are drawn anew.
const DRAWS_MAX: usize = 200;
/// Of limited cases this share may have any witnesses, the others must have one that knows.
const ANY_WITNESS_SHARE: f64 = 0.25;

/// Time and sizes of one request's parts, ms.
#[derive(Debug, Clone, Copy, Default)]
struct Demand {
    cpu: f64,
    database: f64,
    /// Round trips of statements and their own time, ms.
    trips: f64,
    calls: f64,
    disk_of_database: f64,
    locked: f64,
    outside: f64,
    redis: f64,
    disk: f64,
    blocked: f64,
    slow: f64,
    line: f64,
}

/// Draws case `number` of a seed.
pub(crate) fn draw(seed: u64, number: u64, is_healthy: bool, is_held_out: bool) -> Plan {
    let dice = Dice::new(loadline_units::random_bits(seed, number));
    let (fault, stack) = loop {
        let stack = dice.pick(Stack::ALL);
        let fault = if is_healthy {
            Fault::Healthy
        } else {
            dice.pick(Fault::LIMITS)
        };
        if fault.fits(stack) && HELD_OUT.has(fault, stack) == is_held_out {
            break (fault, stack);
        }
    };
    Designer { dice, fault, stack }.plan()
}

struct Designer {
    dice: Dice,
    fault: Fault,
    stack: Stack,
}

impl Designer {
    fn plan(&self) -> Plan {
        let dice = &self.dice;
        let bystanders = self.bystanders();
        let has = |one| bystanders.contains(&one);
        let carried = dice.scale(18.0, 75.0);
        let spare = SPARE_MIN * dice.scale(1.0, 3.0);
        // Of a healthy case `carried` is what its fullest part carries; the load stays below.
        let other_share = if has(Bystander::OtherCaller) {
            dice.between(0.1, 0.25)
        } else {
            0.0
        };
        let mut machine = self.machine(
            has(Bystander::BusyNeighbours),
            has(Bystander::PeriodicBlocks),
        );
        let demand = self.demand(carried, spare, &mut machine);
        let mut places = [Places::default(); STATIONS];
        self.size(&mut places, &demand, carried, spare, &machine);
        let load = self.load(carried, &demand, other_share);
        let (programs, statements) = self.programs(&demand);
        let witnesses = self.witnesses(&bystanders, &demand);
        let two = programs.len() > 1;
        let top = match load {
            Load::Open { rate, .. } => rate,
            Load::Closed { .. } => carried * 0.4,
        };
        Plan {
            seed: dice.seed(),
            fault: self.fault,
            stack: self.stack,
            witnesses,
            load,
            begins_ms: dice.between(80.0, 900.0),
            seconds: dice.whole(20, 36) as f64,
            warm_up_s: if dice.chance(0.3) {
                dice.whole(2, 4) as f64
            } else {
                0.0
            },
            timeout_ms: dice.pick(&[60_000.0, 60_000.0, 10_000.0, 5_000.0]),
            places,
            machine,
            programs,
            statements,
            operations: if two {
                vec!["GET /orders/{id}", "POST /orders"]
            } else {
                vec!["GET /orders/{id}"]
            },
            slow_share: if self.fault == Fault::SlowTail {
                0.05
            } else {
                0.0
            },
            gate_rate: carried,
            bytes: self.bytes(),
            other_rate: other_share * top,
            database_cores: self.database_cores(),
            cold: if has(Bystander::WarmingCache) {
                dice.between(1.3, 1.6)
            } else {
                1.0
            },
            page_queues: dice.chance(0.6),
            looks_early: dice.chance(0.6),
            capacity: carried,
            bystanders,
        }
    }

    fn bystanders(&self) -> Vec<Bystander> {
        let dice = &self.dice;
        if dice.chance(if self.fault == Fault::Healthy {
            0.45
        } else {
            0.6
        }) {
            return Vec::new();
        }
        let mut all: Vec<Bystander> = (0..dice.whole(1, 3))
            .map(|_| dice.pick(Bystander::ALL))
            .collect();
        all.sort_unstable();
        all.dedup();
        all.retain(|one| self.allows(*one));
        all
    }

    /// What would be a second fault is no bystander.
    fn allows(&self, bystander: Bystander) -> bool {
        let computes = matches!(
            self.fault,
            Fault::Cpu | Fault::CpuQuota | Fault::Neighbour | Fault::LoopCpu | Fault::Collections
        );
        match bystander {
            Bystander::BusyNeighbours => !computes && self.fault != Fault::LoopBlocked,
            Bystander::PeriodicBlocks => !computes && self.stack != Stack::Go,
            // They would take away the only witness that sees the resource itself.
            Bystander::SharedDatabase => {
                !matches!(self.fault, Fault::RowLock | Fault::DatabaseDisk)
            }
            Bystander::Processes => !matches!(self.fault, Fault::Workers | Fault::Executor),
            Bystander::WarmingCache => self.fault == Fault::Healthy,
            Bystander::OtherCaller => !matches!(
                self.fault,
                Fault::UserLimit | Fault::OwnRate | Fault::OutsideRate
            ),
            _ => true,
        }
    }

    fn machine(&self, is_busy: bool, has_blocks: bool) -> Machine {
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
    fn cores_left(&self, machine: &Machine) -> f64 {
        let running = if self.stack.is_loop() {
            1.0
        } else {
            machine.cores
        };
        running * (machine.cores / (running + machine.neighbours)).min(1.0)
    }

    fn demand(&self, carried: f64, spare: f64, machine: &mut Machine) -> Demand {
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
                machine.leaked = room / (carried * dice.between(8.0, 14.0));
            }
            _ => {}
        }
        demand
    }

    /// Collections take most of the time that a request may cost.
    fn collects(&self, demand: &mut Demand, each: f64, machine: &mut Machine) {
        let stopped = self.dice.between(0.5, 0.7);
        demand.cpu = (1.0 - stopped) * each * self.cores_left(machine);
        machine.pause_ms = self.dice.between(60.0, 220.0);
        machine.heap_live = machine.heap_max * self.dice.between(0.86, 0.95);
        machine.young = machine.heap_max - machine.heap_live;
        machine.allocated = machine.young * stopped * each / machine.pause_ms;
    }

    fn database_cores(&self) -> f64 {
        2.0
    }

    fn bytes(&self) -> f64 {
        if self.fault == Fault::Line {
            120_000.0
        } else {
            2_400.0
        }
    }

    /// How long a connection is held, ms.
    fn held(&self, demand: &Demand) -> f64 {
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
    fn alone(&self, demand: &Demand) -> f64 {
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
    fn size(
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

    fn load(&self, carried: f64, demand: &Demand, other_share: f64) -> Load {
        let dice = &self.dice;
        let alone = self.alone(demand);
        let asked = match self.fault {
            Fault::Healthy => dice.between(0.15, HEALTHY_USE_MAX) * carried / (1.0 + other_share),
            Fault::UserLimit => dice.between(0.3, 0.5) * carried,
            Fault::MemoryDeath => dice.between(0.45, 0.55) * carried,
            _ => OVERLOAD_MIN * carried * dice.between(1.0, 1.8),
        };
        let shape = dice.pick(&[Shape::Constant, Shape::Constant, Shape::Ramp, Shape::Steps]);
        let needed = asked * alone / 1_000.0;
        if self.fault == Fault::UserLimit {
            let users = (needed / dice.between(1.5, 2.5)).max(1.0).floor();
            return Load::Open {
                shape: Shape::Constant,
                rate: (users * 1_000.0 / alone * 1.6).min(carried * 0.5),
                users: users as usize,
            };
        }
        let is_gated = matches!(
            self.fault,
            Fault::OwnRate | Fault::OutsideRate | Fault::MemoryDeath
        );
        if is_gated || dice.chance(0.55) {
            let users = (needed * 3.0 + 20.0).max(dice.scale(30.0, 300.0));
            return Load::Open {
                shape,
                rate: asked,
                users: users as usize,
            };
        }
        let think_ms = if dice.chance(0.5) {
            dice.scale(100.0, 1_500.0)
        } else {
            0.0
        };
        let users = asked * (alone + think_ms) / 1_000.0;
        let users = match self.fault {
            Fault::Healthy => users.floor().max(1.0),
            _ => users.ceil() + 2.0,
        };
        Load::Closed {
            shape,
            users: users as usize,
            think_ms,
        }
    }

    fn witnesses(&self, bystanders: &[Bystander], demand: &Demand) -> Vec<Witness> {
        let dice = &self.dice;
        let any = dice.chance(ANY_WITNESS_SHARE);
        let mut tries = 0;
        loop {
            tries += 1;
            let drawn: Vec<Witness> = Witness::ALL
                .iter()
                .copied()
                .filter(|one| match one {
                    Witness::Redis => demand.redis > 0.0 && dice.chance(0.6),
                    Witness::DatabaseKernel => dice.chance(0.4),
                    Witness::Kernel | Witness::Page => dice.chance(0.65),
                    _ => dice.chance(0.5),
                })
                .collect();
            let known = origins(self.fault, self.stack, &trusted(&drawn, bystanders));
            let is_enough = match self.fault {
                Fault::Healthy => true,
                _ => any || known > Origins::Insufficient || tries > DRAWS_MAX,
            };
            if is_enough {
                return drawn;
            }
        }
    }

    fn programs(&self, demand: &Demand) -> (Vec<Vec<Step>>, Vec<Statement>) {
        let mut statements = vec![Statement {
            text: "SELECT id, state, total FROM orders WHERE customer_id = $1",
            rows: if self.fault == Fault::HeavyStatement {
                3.0
            } else {
                1.0
            },
            blocks: if self.fault == Fault::HeavyStatement {
                9_000.0
            } else {
                4.0
            },
        }];
        statements.push(Statement {
            text: "UPDATE stock SET reserved = reserved + $1 WHERE id = $2",
            rows: 1.0,
            blocks: 5.0,
        });
        let mut programs = vec![self.program(demand)];
        if self.dice.chance(0.35) {
            programs.push(self.program(demand));
        }
        (programs, statements)
    }

    fn program(&self, demand: &Demand) -> Vec<Step> {
        let mut steps = Steps::default();
        let core = if self.stack.is_loop() {
            Station::Loop
        } else {
            Station::Cpu
        };
        if self.fault == Fault::OwnRate {
            steps.add(Action::Gate(429), Spent::Before);
        }
        if self.stack == Stack::Java {
            steps.add(Action::Take(Station::Workers), Spent::Before);
        }
        if self.stack.is_loop() {
            steps.add(Action::Work(core, 0.1), Spent::Before);
        }
        steps.add(Action::Enter, Spent::Own);
        steps.add(Action::Work(core, demand.cpu * 0.6), Spent::Own);
        if demand.redis > 0.0 {
            steps.call(
                Action::Work(Station::Redis, demand.redis),
                Spent::Message,
                1.0,
            );
        }
        if demand.blocked > 0.0 {
            steps.add(Action::Block(demand.blocked), Spent::Own);
        }
        if demand.disk > 0.0 {
            steps.add(Action::Work(Station::Disk, demand.disk), Spent::Own);
        }
        let is_held = self.fault == Fault::PoolHeld;
        if !is_held {
            self.outside(&mut steps, demand);
        }
        steps.add(Action::Take(Station::Pool), Spent::Pool);
        self.database(&mut steps, demand);
        if is_held {
            self.outside(&mut steps, demand);
            steps.call(Action::Wait(0.4), Spent::Sql(1), 1.0);
        }
        steps.add(Action::Give(Station::Pool), Spent::Own);
        steps.add(Action::Work(core, demand.cpu * 0.4), Spent::Own);
        steps.add(Action::Leave, Spent::Own);
        steps.add(Action::Give(Station::Workers), Spent::Own);
        if self.fault == Fault::Line {
            // One request after the other: the rate at which the line is full.
            steps.add(Action::Work(Station::Line, demand.line), Spent::Before);
        }
        steps.add(Action::Wait(0.2), Spent::Before);
        steps.0
    }

    fn database(&self, steps: &mut Steps, demand: &Demand) {
        if demand.locked > 0.0 {
            steps.call(
                Action::Work(Station::Lock, demand.locked),
                Spent::Sql(1),
                1.0,
            );
        }
        if demand.disk_of_database > 0.0 {
            steps.add(
                Action::Work(Station::DbDisk, demand.disk_of_database),
                Spent::Sql(0),
            );
        }
        steps.add(Action::Work(Station::DbCpu, demand.database), Spent::Sql(0));
        if demand.slow > 0.0 {
            steps.add(Action::Wait(demand.slow), Spent::Sql(0));
            if let Some(last) = steps.0.last_mut() {
                last.slow_only = true;
            }
        }
        steps.call(Action::Wait(demand.trips), Spent::Sql(0), demand.calls);
    }

    fn outside(&self, steps: &mut Steps, demand: &Demand) {
        if demand.outside <= 0.0 {
            return;
        }
        if self.fault == Fault::OutsideRate {
            steps.add(Action::Gate(502), Spent::Own);
        }
        if self.fault == Fault::Executor {
            steps.add(Action::Take(Station::Executor), Spent::Own);
        }
        let call = if self.fault == Fault::OutsideLimit {
            Action::Work(Station::Outside, demand.outside)
        } else {
            Action::Wait(demand.outside)
        };
        steps.call(call, Spent::Outside, 1.0);
        if self.fault == Fault::Executor {
            steps.add(Action::Give(Station::Executor), Spent::Own);
        }
    }
}

/// Witnesses whose figures are those of the target as a whole.
pub(crate) fn trusted(witnesses: &[Witness], bystanders: &[Bystander]) -> Vec<Witness> {
    let is_split = bystanders.contains(&Bystander::Processes);
    let is_shared = bystanders.contains(&Bystander::SharedDatabase);
    let trusted = witnesses.iter().copied().filter(|one| match one {
        Witness::Page => !is_split,
        Witness::Database => !is_shared,
        _ => true,
    });
    trusted.collect()
}

#[derive(Default)]
struct Steps(Vec<Step>);

impl Steps {
    fn add(&mut self, action: Action, spent: Spent) {
        self.call(action, spent, 0.0);
    }

    fn call(&mut self, action: Action, spent: Spent, calls: f64) {
        self.0.push(Step {
            action,
            spent,
            calls,
            slow_only: false,
        });
    }
}
