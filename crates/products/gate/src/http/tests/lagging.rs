//! A gate that is cut off from the store knows less than the others, and must not say no.

use axum::http::StatusCode;
use serde_json::{Value, json};
use std::sync::Arc;

use super::entry::{let_in, through_the_door};
use super::{Answer, Site};
use crate::queue::Command;
use crate::storage::memory::{Memory, MemoryStore};

/// Two gates at one store, of which the second can be cut off.
struct Pair {
    first: Site,
    second: Site,
    way: Arc<MemoryStore>,
}

impl Pair {
    async fn open() -> Self {
        let memory = Arc::new(Memory::default());
        let first = Site::over(Arc::new(MemoryStore::new(&memory)), 1).await;
        let way = Arc::new(MemoryStore::new(&memory));
        let mut second = Site::over(way.clone(), 2).await;
        second.root.clone_from(&first.root);
        Self { first, second, way }
    }

    /// Waits until the second gate has opened the queue's room.
    async fn one_queue(&self) -> String {
        let queue = self.first.one_queue(json!({})).await;
        let id = crate::ids::QueueId::parse(&queue).unwrap();
        while self.second.gate.room(id).is_none() {
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
        queue
    }
}

fn is_try_again(answer: &Answer) {
    assert_eq!(
        answer.status,
        StatusCode::SERVICE_UNAVAILABLE,
        "{}",
        answer.text
    );
    assert_eq!(answer.header("retry-after"), "2");
}

#[tokio::test(start_paused = true)]
async fn a_gate_that_lags_never_says_that_a_place_or_session_is_gone() {
    let pair = Pair::open().await;
    let queue = pair.one_queue().await;
    let me = format!("/q/{queue}/me");
    let authz = format!("/authz?queue={queue}");
    pair.way.cut_off(true);
    let token = pair.first.join(&queue).await;
    let code = let_in(&pair.first, &queue).await;
    let (entered, _) = through_the_door(&pair.first, &format!("/enter/{queue}?wr={code}")).await;
    let session = entered.cookie();
    let inside = [("cookie", session.as_str())];

    is_try_again(
        &pair
            .second
            .as_visitor(&token, "GET", &me, Value::Null)
            .await,
    );
    is_try_again(
        &pair
            .second
            .public("GET", &authz, &inside, Value::Null)
            .await,
    );

    pair.way.cut_off(false);
    let known = pair
        .second
        .as_visitor(&token, "GET", &me, Value::Null)
        .await;
    assert_eq!(known.status, StatusCode::OK, "{}", known.text);
    let known = pair
        .second
        .public("GET", &authz, &inside, Value::Null)
        .await;
    assert_eq!(known.status, StatusCode::NO_CONTENT);

    let leave = format!("/q/{queue}/leave");
    let forever = json!({ "forever": true });
    pair.first.as_visitor(&token, "POST", &leave, forever).await;
    let gone = pair
        .second
        .as_visitor(&token, "GET", &me, Value::Null)
        .await;
    assert_eq!(
        gone.status,
        StatusCode::GONE,
        "who left is gone: {}",
        gone.text
    );
}

#[tokio::test(start_paused = true)]
async fn a_queue_or_key_made_while_a_gate_is_cut_off_is_not_called_unknown() {
    let pair = Pair::open().await;
    pair.one_queue().await;
    pair.way.cut_off(true);
    tokio::time::sleep(std::time::Duration::from_secs(2)).await;
    let tenant = pair.first.tenant("other").await;
    let queue = pair.first.queue(&tenant, "other", json!({})).await;
    let key = pair.first.key(&tenant, &["read"]).await;
    let status = format!("/q/{queue}/status");
    is_try_again(&pair.second.public("GET", &status, &[], Value::Null).await);
    let uri = format!("/v1/queues/{queue}/stats");
    is_try_again(&pair.second.with_key(&key, "GET", &uri, Value::Null).await);
}

/// The state is read aside and swapped in: nobody sees the half of it.
#[tokio::test(start_paused = true)]
async fn a_log_that_is_read_again_blanks_no_poll() {
    let memory = Arc::new(Memory::default());
    let site = Site::over(Arc::new(MemoryStore::new(&memory)), 1).await;
    let queue = site.one_queue(json!({ "mode": "hold" })).await;
    for _ in 0..20 {
        site.join(&queue).await;
    }
    let room = site.gate.rooms()[0].clone();
    memory.set_back(&queue);
    for _ in 0..2_000 {
        assert_eq!(room.look(crate::queue::Queue::waiting), 20);
        tokio::time::sleep(std::time::Duration::from_micros(100)).await;
    }
    // It goes on with what comes after, and answers it once.
    site.join(&queue).await;
    room.ask(Command::Tick).await.unwrap();
    assert_eq!(room.look(crate::queue::Queue::waiting), 21);
}

/// A queue made at one gate is asked for at another before that has read of it.
#[tokio::test(start_paused = true)]
async fn a_queue_or_key_made_at_another_gate_just_now_is_never_unknown() {
    let pair = Pair::open().await;
    let tenant = pair.first.tenant("shop").await;
    for number in 0..20 {
        let slug = format!("sale{number}");
        let queue = pair.first.queue(&tenant, &slug, json!({})).await;
        let uri = format!("/q/{queue}/status");
        let status = pair.second.public("GET", &uri, &[], Value::Null).await;
        assert_ne!(status.status, StatusCode::NOT_FOUND, "{}", status.text);
        let key = pair.first.key(&tenant, &["read"]).await;
        let uri = format!("/v1/queues/{queue}/stats");
        let stats = pair.second.with_key(&key, "GET", &uri, Value::Null).await;
        assert_ne!(stats.status, StatusCode::UNAUTHORIZED, "{}", stats.text);
        assert_ne!(stats.status, StatusCode::NOT_FOUND, "{}", stats.text);
    }
    let unknown = "/q/q_0123456789abcdef/status";
    let status = pair.second.public("GET", unknown, &[], Value::Null).await;
    assert_eq!(status.status, StatusCode::NOT_FOUND);
}
