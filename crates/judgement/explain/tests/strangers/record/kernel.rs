//! `pid:` of the target: what the kernel counts of it and of its machine.

use loadline_record::signals::{Entity, Label, SignalKind as Kind, SourceKind, TargetSetting};

use super::Sheet;
use crate::parts::{Fault, Stack, Station};
use crate::plan::{Action, Plan};
use crate::simulation::Look;

/// Ticks a second in which the kernel tells CPU time.
const TICKS_PER_S: f64 = 100.0;
const GIB: f64 = 1_073_741_824.0;

pub(super) fn record(sheet: &mut Sheet<'_>) {
    let looks = &sheet.played.looks;
    let died = sheet.played.died_ms.unwrap_or(f64::INFINITY);
    let alive: Vec<&Look> = looks.iter().filter(|look| look.at_ms < died).collect();
    let dead: Vec<f64> = looks
        .iter()
        .map(|look| look.at_ms)
        .filter(|at| *at >= died)
        .collect();
    let mut neighbours = 4_000.0;
    let mut before = (0.0, 0.0);
    let base = sheet.dice.between(3.0, 40.0);
    for look in &alive {
        let seconds = (look.at_ms - before.0) / 1_000.0;
        let machine = sheet.plan.machine;
        let own = look.counters.cpu - before.1;
        let others = machine.neighbours * seconds + 0.03 * seconds;
        neighbours += others.min((machine.cores * seconds - own).max(0.0));
        before = (look.at_ms, look.counters.cpu);
        of_process(sheet, look, base);
        of_host(sheet, look, neighbours);
    }
    let times: Vec<f64> = alive.iter().map(|look| look.at_ms).collect();
    sheet.source("pid:4242", SourceKind::Process, &times, &dead);
    let runtime = match sheet.plan.stack {
        Stack::Java => "java",
        Stack::Go => "",
        Stack::Node => "node",
        Stack::Python => "python",
    };
    let setting = TargetSetting::new("process.runtime", runtime, Entity::new());
    sheet.signals.set(setting);
}

/// The cores it may use.
fn cores(plan: &Plan) -> f64 {
    plan.machine.quota.unwrap_or(plan.machine.cores)
}

fn of_process(sheet: &mut Sheet<'_>, look: &Look, base: f64) {
    let (plan, at, counters) = (sheet.plan, look.at_ms, &look.counters);
    let ticks = |seconds: f64| (seconds * TICKS_PER_S).floor() / TICKS_PER_S;
    sheet.put(Kind::ProcessCpu, at, ticks(base + counters.cpu));
    sheet.put(Kind::CoresAvailable, at, cores(plan));
    let machine = plan.machine;
    let memory = machine.heap_live + counters.leaked + counters.young * 0.5 + 6e7;
    sheet.put(Kind::MemoryUsed, at, memory);
    if plan.fault == Fault::MemoryDeath {
        sheet.put(Kind::MemoryLimit, at, machine.heap_max + 6e7);
    }
    let threads = match plan.stack {
        Stack::Java => 40.0 + counters.busy[Station::Workers as usize],
        Stack::Go => 9.0,
        Stack::Node => 11.0,
        Stack::Python => 3.0,
    };
    sheet.put(Kind::Threads, at, threads);
    sheet.put(Kind::Processes, at, 1.0);
    sheet.put(Kind::Uptime, at, 300.0 + at / 1_000.0);
    if machine.quota.is_some() {
        sheet.put(Kind::QuotaPeriods, at, look.quota_periods);
        sheet.put(Kind::ThrottledPeriods, at, look.throttled_periods);
        sheet.put(Kind::ThrottledTime, at, look.throttled_s);
    }
    let served: f64 = counters
        .sums
        .iter()
        .flatten()
        .map(|sums| sums.requests)
        .sum();
    sheet.put(Kind::ContextSwitches, at, (served * 6.0).floor());
    let preempted = counters.run_delay / 0.004;
    sheet.put(Kind::ForcedSwitches, at, preempted.floor());
    let disk = counters.busy[Station::Disk as usize] + counters.waiting[Station::Disk as usize];
    let has_disk = plan.programs[0]
        .iter()
        .any(|step| matches!(step.action, Action::Work(Station::Disk, _)));
    sheet.put(Kind::StorageWaiters, at, if has_disk { disk } else { 0.0 });
    sheet.put(
        Kind::RunDelay,
        at,
        counters.run_delay + 0.0002 * at / 1_000.0,
    );
    of_loop(sheet, look);
    let accepted = counters.waiting[Station::Workers as usize];
    // Tomcat accepts far more connections than it has threads.
    sheet.put(Kind::AcceptQueue, at, (accepted - 8_192.0).max(0.0));
    sheet.put(Kind::OpenSockets, at, 12.0 + counters.active + accepted);
    sheet.put(Kind::AcceptQueueOverflows, at, 0.0);
    of_heap(sheet, look);
}

/// One look a second at where the first thread of a loop is.
fn of_loop(sheet: &mut Sheet<'_>, look: &Look) {
    let name = match sheet.plan.stack {
        Stack::Node => "node",
        Stack::Python => "python3",
        _ => return,
    };
    let of = Entity::new().with(Label::Pool, name);
    let is_blocked = look.counters.blocked;
    // At the tick of other looks it serves their questions: more often than by chance.
    let serves = sheet.plan.sees(crate::parts::Witness::Page) && sheet.dice.chance(0.2);
    let is_busy = look.counters.busy[Station::Loop as usize] > 0.0 || serves;
    sheet.put_of(
        Kind::EventLoopUse,
        &of,
        look.at_ms,
        f64::from(u8::from(is_busy)),
    );
    sheet.put_of(
        Kind::EventLoopBlocked,
        &of,
        look.at_ms,
        f64::from(u8::from(is_blocked)),
    );
}

/// What HotSpot's file of counters tells.
fn of_heap(sheet: &mut Sheet<'_>, look: &Look) {
    if sheet.plan.stack != Stack::Java || sheet.plan.sees(crate::parts::Witness::Page) {
        return;
    }
    let (at, machine, counters) = (look.at_ms, sheet.plan.machine, &look.counters);
    for (name, share) in [("Serial young", 0.0), ("Serial full", 1.0)] {
        let is_full = sheet.plan.fault == Fault::Collections;
        let part = if is_full { share } else { 1.0 - share };
        let of = Entity::new().with(Label::Collector, name);
        sheet.put_of(
            Kind::CollectionPauseTime,
            &of,
            at,
            0.8 + part * counters.pause_time,
        );
        sheet.put_of(
            Kind::CollectionPauses,
            &of,
            at,
            40.0 + part * counters.pauses,
        );
    }
    let used = machine.heap_live + counters.leaked + counters.young;
    sheet.put(Kind::HeapUsed, at, used.min(machine.heap_max));
    sheet.put(Kind::HeapMax, at, machine.heap_max);
    if sheet.plan.fault == Fault::Collections && counters.pauses > 0.0 {
        let share = machine.heap_live / machine.heap_max;
        sheet.put(Kind::HeapAfterCollectionShare, at, share);
    }
    sheet.put(
        Kind::CompilationTime,
        at,
        12.0 + (at / 1_000.0).ln_1p() * 0.4,
    );
}

fn of_host(sheet: &mut Sheet<'_>, look: &Look, neighbours: f64) {
    let (at, machine) = (look.at_ms, sheet.plan.machine);
    sheet.put(Kind::HostCpu, at, neighbours + look.counters.cpu);
    sheet.put(Kind::HostCores, at, machine.cores);
    sheet.put(Kind::HostStolen, at, 0.0);
    sheet.put(Kind::HostMemoryTotal, at, 8.0 * GIB);
    sheet.put(Kind::HostMemoryAvailable, at, 5.0 * GIB);
    let sent = look.counters.sent;
    let of = Entity::new().with(Label::Interface, "eth0");
    sheet.put_of(Kind::NetworkSent, &of, at, 1e6 + sent);
    sheet.put_of(Kind::NetworkReceived, &of, at, 1e6 + 0.1 * sent);
    sheet.put(Kind::SegmentsSent, at, (5_000.0 + sent / 1_400.0).floor());
    sheet.put(Kind::SegmentsResent, at, 3.0);
}
