//! The hand-over of starts between workers, in many interleavings: `make model`.

use std::sync::Arc as StdArc;

use loadline_model::idle::IdleCounts;
use loadline_units::WorkerId;
use shuttle::sync::atomic::{AtomicU64, Ordering};
use shuttle::sync::{Arc, Mutex};
use shuttle::thread;

/// Two workers share three users; each makes starts and returns users. However the
/// threads interleave, a reservation always finds a user in the list of the worker it
/// was made on, and no user runs two starts at once.
#[test]
fn a_reserved_user_is_always_there_and_never_given_twice() {
    shuttle::check_random(one_round, 2_000);
}

fn one_round() {
    let idle = StdArc::new(IdleCounts::new(2));
    let lists: Arc<Vec<Mutex<Vec<u32>>>> = Arc::new(vec![Mutex::new(vec![]), Mutex::new(vec![])]);
    let busy = Arc::new([0, 1, 2].map(|_| AtomicU64::new(0)));
    for (user, worker) in [(0_u32, 0_u16), (1, 1), (2, 1)] {
        lists[usize::from(worker)].lock().unwrap().push(user);
        idle.add(WorkerId(worker));
    }
    let threads: Vec<_> = (0..2_u16)
        .map(|own| {
            let (idle, lists, busy) = (idle.clone(), lists.clone(), busy.clone());
            thread::spawn(move || {
                for _ in 0..3 {
                    let own = WorkerId(own);
                    let on = if idle.reserve(own) {
                        Some(own)
                    } else {
                        idle.reserve_elsewhere(own)
                    };
                    let Some(worker) = on else { continue };
                    let user = lists[worker.index()].lock().unwrap().pop();
                    let user = user.expect("a reserved user stands in the list");
                    let runs = busy[user as usize].fetch_add(1, Ordering::SeqCst);
                    assert_eq!(runs, 0, "a user runs one start at a time");
                    busy[user as usize].fetch_sub(1, Ordering::SeqCst);
                    lists[worker.index()].lock().unwrap().push(user);
                    idle.add(worker);
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    let left: usize = lists.iter().map(|list| list.lock().unwrap().len()).sum();
    assert_eq!(left, 3, "no user is lost");
}
