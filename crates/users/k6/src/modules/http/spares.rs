//! Response buffers, used again.

use std::cell::RefCell;
use std::ops::Deref;
use std::rc::Rc;

use loadline_net::Response;

/// Responses whose buffers are kept, and the largest body kept with them.
const SPARE_RESPONSES_MAX: usize = 8;

const SPARE_BODY_BYTES_MAX: usize = 64 * 1024;

/// Response buffers to be used again.
#[derive(Default)]
#[expect(clippy::vec_box, reason = "a response moves by its pointer")]
pub(super) struct Spares(RefCell<Vec<Box<Response>>>);

impl Spares {
    pub(super) fn take(&self) -> Box<Response> {
        self.0.borrow_mut().pop().unwrap_or_default()
    }

    fn give(&self, mut response: Box<Response>) {
        let mut spares = self.0.borrow_mut();
        if spares.len() < SPARE_RESPONSES_MAX {
            if response.body.capacity() > SPARE_BODY_BYTES_MAX {
                response.body = Vec::new();
            }
            spares.push(response);
        }
    }
}

/// A response, given back for its buffers at the end.
pub(super) struct Lent {
    response: Option<Box<Response>>,
    spares: Option<Rc<Spares>>,
}

impl Lent {
    pub(super) fn new(response: Box<Response>, spares: Rc<Spares>) -> Self {
        Self {
            response: Some(response),
            spares: Some(spares),
        }
    }

    /// An empty response that nobody wants back.
    pub(super) fn empty() -> Self {
        Self {
            response: Some(Box::default()),
            spares: None,
        }
    }
}

impl Deref for Lent {
    type Target = Response;

    fn deref(&self) -> &Response {
        self.response.as_ref().expect("it is there until the end")
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if let (Some(response), Some(spares)) = (self.response.take(), &self.spares) {
            spares.give(response);
        }
    }
}
