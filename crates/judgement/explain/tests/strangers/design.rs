//! Draws a case: first what limits and at which rate, then all other parts so that none is near its
//! own limit.
//!
//! Margins: a limited case is asked for at least [`OVERLOAD_MIN`] times what its part carries, and all
//! other parts carry [`SPARE_MIN`] times as much; a healthy case uses no part by more than
//! [`HEALTHY_USE_MAX`].

mod demand;
mod program;

use crate::dice::Dice;
use crate::parts::{Bystander, Fault, HELD_OUT, STATIONS, Stack, Witness};
use crate::plan::{Load, Places, Plan, Shape};
use crate::truths::{Origins, origins};

use demand::Demand;

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

    fn load(&self, carried: f64, demand: &Demand, other_share: f64) -> Load {
        let dice = &self.dice;
        let alone = self.alone(demand);
        let asked = match self.fault {
            Fault::Healthy => dice.between(0.15, HEALTHY_USE_MAX) * carried / (1.0 + other_share),
            Fault::UserLimit => dice.between(0.3, 0.5) * carried,
            Fault::MemoryDeath => dice.between(0.45, 0.55) * carried,
            _ => OVERLOAD_MIN * carried * dice.between(1.0, 1.8),
        };
        let shape = if self.fault == Fault::MemoryDeath {
            Shape::Constant
        } else {
            dice.pick(&[Shape::Constant, Shape::Constant, Shape::Ramp, Shape::Steps])
        };
        let needed = asked * alone / 1_000.0;
        if self.fault == Fault::UserLimit {
            return Load::Open {
                shape: Shape::Constant,
                rate: asked,
                users: (needed / dice.between(1.5, 2.5)).max(1.0) as usize,
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
        // A single user that never pauses would ask for more than that.
        let is_one = self.fault == Fault::Healthy && users < 1.0;
        let think_ms = if is_one {
            1_000.0 / asked - alone
        } else {
            think_ms
        };
        let users = match self.fault {
            Fault::Healthy => users.floor().max(1.0),
            _ => users.ceil() + 2.0,
        };
        Load::Closed {
            // A single user has no ramp.
            shape: if users < 4.0 { Shape::Constant } else { shape },
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
