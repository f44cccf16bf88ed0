//! Signals of the target, collected while a run goes.
//!
//! An [`TargetObserver`] looks at each source once a second on a thread of its own, never on the load's.
//! A source that fails is a gap in its signals, never a failure of the run: [`SourceAddress`]
//! names it, [`loadline_record::signals`] holds what it gave and when it did not answer.
//!
//! Sources, one file each: pages of metrics (`page`, their names in `names`), a `prometheus` that reads such
//! pages, processes of this machine (`process`), `postgres`, `mysql`, `redis`, what is sent over OTLP (`otlp`),
//! lines of `logs` (files, commands, a Loki), and what another host sees (`remote`), which `served` serves there.
//!
//! Elsewhere: what signals mean for the target, in `analysis`; who starts an observer, in
//! `session`.

mod address;
mod answering;
mod births;
mod bounded_stream;
mod cgroup;
mod client_sessions;
mod clock_ahead;
mod counted;
mod cpu_use;
mod exposition;
mod foreign;
mod joined;
mod logs;
mod minutes;
mod mysql;
mod names;
mod new_signals;
mod observer;
mod otlp;
mod page;
mod postgres;
mod process;
mod prometheus;
mod reading;
mod redis;
mod remote;
mod scrapes;
mod served;
mod server_tls;
mod setup;
mod source;
mod statement;
mod stub_status;
mod target_connections;
mod tempo;

pub use address::{SourceAddress, SourceAddressError};
pub use cgroup::ControlGroup;
#[doc(hidden)]
pub use foreign::{read_answer, read_export};
pub use observer::{SignalReader, TargetObserver};
pub use served::SignalServer;
pub use setup::{LOOK_INTERVAL, ObserverSetup, PageNetwork, SourceListener, SourceNotice};
