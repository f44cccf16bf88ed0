//! Heap size and garbage collector, from the memory limit.

use loadline_text::{Message, plan};

use super::{Case, Setting, SettingScope, SettingsBlock};
use crate::error::SizingError;
use crate::figure::{FigureUnit, PlanFigure, number};

/// Classes, compiled code and similar of a Spring Boot application, in MiB.
const METASPACE_MIB: f64 = 256.0;
const CODE_CACHE: f64 = 128.0;
/// Buffers outside the heap and the collector's own memory, as a share of the limit.
const NATIVE_SHARE: f64 = 0.1;
/// A thread's stack in MiB, and the number of threads besides Tomcat's.
const STACK_MIB: f64 = 1.0;
const OTHER_THREADS: f64 = 30.0;
/// From this number of cores on HotSpot treats the machine as a server and uses G1, not Serial.
const SERVER_CORES: f64 = 2.0;
const SERVER_MEMORY: f64 = 1792.0;
/// Heap sizes are multiples of this, in MiB.
const HEAP_STEP_MIB: f64 = 64.0;

/// Adds heap and collector if the memory limit is known.
pub(super) fn add(
    case: &Case<'_>,
    threads: f64,
    block: &mut SettingsBlock,
) -> Result<(), SizingError> {
    let Some(limit) = case.inputs.memory else {
        return Ok(());
    };
    let native = (limit * NATIVE_SHARE).round();
    let stacks = (threads + OTHER_THREADS) * STACK_MIB;
    let left = limit - METASPACE_MIB - CODE_CACHE - native - stacks;
    let least = limit / 4.0;
    let heap = (left.max(least) / HEAP_STEP_MIB).floor().max(1.0) * HEAP_STEP_MIB;
    let rest = format!(
        "{} - {} - {} - {} - {} × {} MiB",
        number(limit),
        number(METASPACE_MIB),
        number(CODE_CACHE),
        number(native),
        number(threads + OTHER_THREADS),
        number(STACK_MIB)
    );
    let rest = if left < least {
        format!("max({rest}, {} MiB / 4)", number(limit))
    } else {
        format!("({rest})")
    };
    let step = number(HEAP_STEP_MIB);
    let formula = format!("floor({rest} / {step} MiB) × {step} MiB");
    let mut figure = PlanFigure::new(
        case.id("heap"),
        plan::heap(),
        heap,
        FigureUnit::Mebibytes,
        &*formula,
    )
    .assumes(plan::assumes_outside_heap(
        number(METASPACE_MIB),
        number(CODE_CACHE),
        number(native),
        number(stacks),
    ));
    if left < least {
        figure = figure.doubts(plan::doubts_memory_small());
    }
    block.figures.push(figure);
    let megabytes = number(heap).replace(',', "");
    jvm(
        block,
        "-Xms",
        format!("{megabytes}m"),
        plan::reason_plain("= -Xmx"),
    );
    jvm(
        block,
        "-Xmx",
        format!("{megabytes}m"),
        plan::reason_plain(formula),
    );
    collector(case, limit, block);
    Ok(())
}

fn collector(case: &Case<'_>, limit: f64, block: &mut SettingsBlock) {
    let is_server = case.cores >= SERVER_CORES && limit >= SERVER_MEMORY;
    let formula = format!(
        "{} ≥ {}, {} ≥ {} MiB",
        number(case.cores),
        number(SERVER_CORES),
        number(limit),
        number(SERVER_MEMORY)
    );
    let label = plan::collector(if is_server { "G1" } else { "Serial" });
    let figure = PlanFigure::new(
        case.id("collector"),
        label,
        f64::from(u8::from(is_server)),
        FigureUnit::Holds,
        &*formula,
    )
    .source("HotSpot ergonomics: a server has 2 CPUs and 1,792 MiB or more");
    let figure = if is_server {
        figure.assumes(plan::assumes_collector_named())
    } else {
        figure.doubts(plan::doubts_serial())
    };
    block.figures.push(figure);
    let flag = if is_server {
        "-XX:+UseG1GC"
    } else {
        "-XX:+UseSerialGC"
    };
    jvm(block, flag, String::new(), plan::reason_plain(formula));
    let cores = case.cores.ceil().max(1.0);
    jvm(
        block,
        "-XX:ActiveProcessorCount=",
        number(cores).replace(',', ""),
        plan::reason_cores(),
    );
}

fn jvm(block: &mut SettingsBlock, key: &'static str, value: String, reason: Message) {
    block.settings.push(Setting {
        place: SettingScope::Jvm,
        key,
        value,
        reasons: vec![reason],
    });
}
