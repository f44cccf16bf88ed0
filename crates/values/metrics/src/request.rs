//! The nine samples of a request, the same for every kind of virtual user.

use loadline_units::PhaseMillis;

use crate::builtin;
use crate::shard::Shard;
use crate::tags::TagSetId;

impl Shard {
    /// Records a request: that there was one, how long its phases took, and whether it failed;
    /// `None` where nobody says which answers are failures.
    #[inline]
    pub fn record_request(&mut self, tags: TagSetId, phases: &PhaseMillis, failed: Option<bool>) {
        let reqs = (builtin::HTTP_REQS, 1.0);
        let duration = (builtin::HTTP_REQ_DURATION, phases.duration);
        let blocked = (builtin::HTTP_REQ_BLOCKED, phases.blocked);
        let connecting = (builtin::HTTP_REQ_CONNECTING, phases.connecting);
        let tls = (builtin::HTTP_REQ_TLS_HANDSHAKING, phases.tls_handshaking);
        let sending = (builtin::HTTP_REQ_SENDING, phases.sending);
        let waiting = (builtin::HTTP_REQ_WAITING, phases.waiting);
        let receiving = (builtin::HTTP_REQ_RECEIVING, phases.receiving);
        match failed {
            Some(failed) => {
                let failed = (builtin::HTTP_REQ_FAILED, f64::from(u8::from(failed)));
                self.record_all(
                    tags,
                    &[
                        reqs, duration, blocked, connecting, tls, sending, waiting, receiving,
                        failed,
                    ],
                );
            }
            None => self.record_all(
                tags,
                &[
                    reqs, duration, blocked, connecting, tls, sending, waiting, receiving,
                ],
            ),
        }
    }
}
