use super::*;

/// A file as HotSpot writes it.
fn file(numbers: &[(&str, i64)], texts: &[(&str, &str)]) -> Vec<u8> {
    let mut entries = Vec::new();
    let mut entry = |name: &str, kind: u8, value: &[u8], vector: u32| {
        let name_length = (name.len() + 1).next_multiple_of(8);
        let length = (20 + 4 + name_length + value.len()).next_multiple_of(8);
        let place = u32::try_from(24 + name_length).unwrap();
        let mut one = Vec::new();
        one.extend(u32::try_from(length).unwrap().to_le_bytes());
        one.extend(24_u32.to_le_bytes());
        one.extend(vector.to_le_bytes());
        one.extend([kind, 0, 1, 2]);
        one.extend(place.to_le_bytes());
        one.resize(24, 0);
        one.extend(name.bytes());
        one.resize(24 + name_length, 0);
        one.extend(value);
        one.resize(length, 0);
        entries.extend(one);
    };
    for (name, value) in numbers {
        entry(name, b'J', &value.to_le_bytes(), 0);
    }
    for (name, text) in texts {
        let value: Vec<u8> = text.bytes().chain([0]).collect();
        entry(name, b'B', &value, u32::try_from(value.len()).unwrap());
    }
    let mut all = vec![0xca, 0xfe, 0xc0, 0xc0, 1, 2, 0, 1];
    all.resize(24, 0);
    all.extend(32_u32.to_le_bytes());
    all.extend(
        u32::try_from(numbers.len() + texts.len())
            .unwrap()
            .to_le_bytes(),
    );
    all.extend(entries);
    all
}

fn serial(full: i64, old: i64) -> Vec<u8> {
    let numbers = [
        ("sun.os.hrt.frequency", 1_000_000_000),
        ("sun.gc.collector.0.invocations", 12),
        ("sun.gc.collector.0.time", 250_000_000),
        ("sun.gc.collector.1.invocations", full),
        ("sun.gc.collector.1.time", 2_000_000_000),
        ("sun.gc.generation.0.maxCapacity", 32 << 20),
        ("sun.gc.generation.0.space.0.used", 10 << 20),
        ("sun.gc.generation.1.maxCapacity", 64 << 20),
        ("sun.gc.generation.1.space.0.used", old),
        ("java.ci.totalTime", 3_000_000_000),
    ];
    let texts = [
        ("sun.gc.collector.0.name", "Serial young collection pauses"),
        ("sun.gc.collector.1.name", "Serial full collection pauses"),
        ("sun.gc.policy.name", "Copy:MSC"),
        ("java.property.java.version", "17.0.17"),
        (
            "java.rt.vmArgs",
            "-XX:+UseSerialGC -Dpassword=s3cret -Xmx96m",
        ),
    ];
    file(&numbers, &texts)
}

fn looked_at(machine: &mut JavaMachine, bytes: &[u8]) -> Reading {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("7");
    fs::write(&path, bytes).unwrap();
    machine.file = Some(path);
    let mut reading = Reading::default();
    machine.give(1.5, &mut reading);
    reading
}

fn value(reading: &Reading, kind: SignalKind, collector: &str) -> Option<f64> {
    let is_it = |entity: &Entity| entity.get(Label::Collector).unwrap_or_default() == collector;
    let found = reading
        .values
        .iter()
        .find(|(known, entity, _)| *known == kind && is_it(entity));
    found.map(|(_, _, value)| *value)
}

#[test]
fn pauses_and_heap_of_a_jvm_are_read_from_its_counters() {
    let mut machine = JavaMachine::default();
    let reading = looked_at(&mut machine, &serial(3, 60 << 20));
    let young = "Serial young collection pauses";
    let full = "Serial full collection pauses";
    assert_eq!(
        value(&reading, SignalKind::CollectionPauseTime, young),
        Some(0.25)
    );
    assert_eq!(
        value(&reading, SignalKind::CollectionPauses, full),
        Some(3.0)
    );
    assert_eq!(
        value(&reading, SignalKind::HeapUsed, ""),
        Some(f64::from(70 << 20))
    );
    assert_eq!(
        value(&reading, SignalKind::HeapMax, ""),
        Some(f64::from(96 << 20))
    );
    assert_eq!(value(&reading, SignalKind::CompilationTime, ""), Some(3.0));
    let settings: Vec<String> = reading
        .settings
        .iter()
        .map(|one| format!("{}={}", one.name, one.value))
        .collect();
    let expected = [
        "jvm.version=17.0.17",
        "jvm.collector=Serial",
        "jvm.flags=-XX:+UseSerialGC -Xmx96m",
        "jvm.processors=2",
    ];
    assert_eq!(settings, expected);
}

#[test]
fn the_heap_after_a_collection_is_known_once_a_full_one_was_seen() {
    let mut machine = JavaMachine::default();
    let after = |machine: &mut JavaMachine, full, old| {
        value(
            &looked_at(machine, &serial(full, old)),
            SignalKind::HeapAfterCollectionShare,
            "",
        )
    };
    assert_eq!(after(&mut machine, 3, 60 << 20), None);
    assert_eq!(after(&mut machine, 3, 62 << 20), None);
    assert_eq!(after(&mut machine, 4, 32 << 20), Some(0.5));
    assert_eq!(after(&mut machine, 4, 62 << 20), Some(0.5));
}

#[test]
fn regions_of_g1_are_not_counted_twice() {
    let numbers = [
        ("sun.os.hrt.frequency", 1_000_000_000),
        ("sun.gc.generation.0.maxCapacity", 96 << 20),
        ("sun.gc.generation.1.maxCapacity", 96 << 20),
    ];
    let bytes = file(&numbers, &[("sun.gc.policy.name", "GarbageFirst")]);
    let heap = Heap::from_counters(&Counters::read(&bytes).unwrap());
    assert!((heap.most - f64::from(96 << 20)).abs() < 1.0);
}

#[test]
fn what_is_cut_or_garbage_gives_nothing() {
    let whole = serial(3, 60 << 20);
    let read = |bytes: &[u8]| {
        if let Some(counters) = Counters::read(bytes) {
            assert!(collectors(&counters).count() <= COLLECTORS_MAX);
            assert!(Heap::from_counters(&counters).used.is_finite());
        }
    };
    for length in 0..whole.len() {
        read(&whole[..length]);
    }
    for at in 0..whole.len() {
        for flipped in [1, 0x40, 0xff] {
            let mut bytes = whole.clone();
            bytes[at] ^= flipped;
            read(&bytes);
        }
    }
    assert!(Counters::read(b"").is_none());
    assert!(Counters::read(&[0xff; 4096]).is_none());
}
