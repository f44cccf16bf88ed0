use loadline_record::signals::SignalKind;

use crate::server::Server;
use crate::{TEST_DEADLINE, largest, observe, until};

#[test]
fn a_redis_tells_cpu_memory_and_commands_and_its_restart_is_a_gap() {
    let mut server = Server::redis();
    let url = format!("redis://:s3cret-of-redis@127.0.0.1:{}", server.port);
    let (observer, told) = observe(&url);
    until(&told, true);
    server.stop();
    until(&told, false);
    server.start();
    until(&told, true);
    let signals = observer.finish(TEST_DEADLINE);
    assert!(largest(&signals, SignalKind::RedisCpu) > 0.0);
    assert!(largest(&signals, SignalKind::RedisMemoryUsed) > 100_000.0);
    assert!(largest(&signals, SignalKind::RedisCommands) >= 1.0);
    let stored = serde_json::to_string(&signals).unwrap();
    assert!(!stored.contains("s3cret"), "no password is stored");

    let wrong = format!("redis://:wrong@127.0.0.1:{}", server.port);
    let (observer, told) = observe(&wrong);
    until(&told, false);
    let signals = observer.finish(TEST_DEADLINE);
    assert_eq!(signals.sources[0].failures[0].error, "login");
}
