//! The built-in target: a small back end with known faults that can be switched.
//!
//! Every endpoint has one limit that a person can work out on paper (permits over
//! hold time, threads over work), so what a load test says about it can be checked.
//! [`Demo::bind`] takes [`Options`] and [`Demo::serve`] runs until told to stop;
//! everything else is changed over HTTP ([`Settings`], `PUT /settings`).
//!
//! It knows no load engine, no scripts and no flags.

mod cpu;
mod deers;
mod endpoint;
mod faults;
mod metrics;
mod millis;
mod pool;
mod pool_times;
mod routes;
mod server;
mod settings;
mod target;
mod waiting_room;

pub use loadline_listen::Drained;
pub use server::{Demo, DemoError, Options};
pub use settings::{
    BreakBody, Call, ContentSettings, CpuSettings, DeerSettings, FaultSettings, FirstPageSettings,
    How, Mistake, PoolSettings, PooledSettings, Settings, SettingsError, WaitingRoomSettings,
};
