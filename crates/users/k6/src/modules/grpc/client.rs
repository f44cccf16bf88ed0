//! A script's client: the methods it knows, and its connection.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use loadline_net::GrpcChannel;
use loadline_proto::{Method, Types};

use super::schemas::LoadedSchema;

/// A script's client.
#[derive(Default)]
pub(super) struct Client {
    /// In the order they were loaded.
    loaded: RefCell<Vec<Arc<LoadedSchema>>>,
    types: RefCell<Rc<Types>>,
    pub(super) link: RefCell<Option<Link>>,
}

/// A connection and the address it was asked for with.
#[derive(Clone)]
pub(super) struct Link {
    pub(super) channel: GrpcChannel,
    pub(super) address: Rc<str>,
}

/// Why a call needs one.
pub(super) const NO_CONNECTION: &str = "no gRPC connection, you must call connect first";

impl Client {
    /// Adds what was loaded to what is known.
    pub(super) fn learn(&self, loaded: &Arc<LoadedSchema>) {
        let mut known = self.loaded.borrow_mut();
        if known.iter().any(|there| Arc::ptr_eq(there, loaded)) {
            return;
        }
        known.push(loaded.clone());
        let mut types = Types::default();
        for loaded in known.iter() {
            types.add(loaded.schema.clone());
        }
        *self.types.borrow_mut() = Rc::new(types);
    }

    /// The method at `/package.Service/Method`; the one loaded last counts.
    pub(super) fn method(&self, path: &str) -> Option<Arc<Method>> {
        let loaded = self.loaded.borrow();
        loaded
            .iter()
            .rev()
            .find_map(|loaded| loaded.methods.get(path).cloned())
    }

    /// What `Any` may hold.
    pub(super) fn types(&self) -> Rc<Types> {
        self.types.borrow().clone()
    }

    pub(super) fn link(&self) -> Option<Link> {
        self.link.borrow().clone()
    }
}

/// The method a script names, with a slash before it or without.
///
/// # Errors
/// k6's words.
pub(super) fn find(client: &Client, name: &str) -> Result<Arc<Method>, String> {
    if name.is_empty() {
        return Err("method to invoke cannot be empty".to_owned());
    }
    let path = if name.starts_with('/') {
        name.to_owned()
    } else {
        format!("/{name}")
    };
    client
        .method(&path)
        .ok_or_else(|| format!("method {path:?} not found in file descriptors"))
}
