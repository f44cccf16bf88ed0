//! The steps of a request.

use crate::parts::{Fault, Stack, Station};
use crate::plan::{Action, Spent, Statement, Step};

use super::Designer;
use super::demand::Demand;

impl Designer {
    pub(super) fn programs(&self, demand: &Demand) -> (Vec<Vec<Step>>, Vec<Statement>) {
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
