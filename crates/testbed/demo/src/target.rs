//! Everything the handlers share: settings in force and the state they govern.
//!
//! Handlers take one [`Live`] at their start and work on it to their end, so a change
//! in between never shows them half of it.

use serde_json::Value;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;
use tokio::time::Instant;

use crate::deers::Deers;
use crate::faults::{FaultCounts, Stall};
use crate::metrics::Metrics;
use crate::pool::{Fill, Pool};
use crate::settings::{DemoSettings, SettingsError};
use crate::waiting_room::WaitingRoom;

const CONNECTIONS: &str = "connections";
const CPU: &str = "cpu";

/// The target.
#[derive(Debug)]
pub(crate) struct Target {
    defaults: DemoSettings,
    live: RwLock<Arc<Live>>,
}

/// Settings in force and the state they govern.
#[derive(Debug)]
pub(crate) struct Live {
    pub(crate) settings: DemoSettings,
    pub(crate) connections: Arc<Pool>,
    pub(crate) cpu: Arc<Pool>,
    pub(crate) deers: Arc<Deers>,
    pub(crate) waiting_room: Arc<WaitingRoom>,
    pub(crate) fault_counts: Arc<FaultCounts>,
    pub(crate) stall: Arc<Stall>,
    pub(crate) metrics: Arc<Metrics>,
}

impl Target {
    pub(crate) fn new(defaults: DemoSettings) -> Self {
        let live = Live::new(defaults.clone());
        Self {
            defaults,
            live: RwLock::new(Arc::new(live)),
        }
    }

    pub(crate) fn live(&self) -> Arc<Live> {
        // The only write is one assignment, so the value is whole even after a panic.
        self.live
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Changes the settings that `change` names.
    pub(crate) fn change(&self, change: &Value) -> Result<Arc<Live>, SettingsError> {
        let mut live = self.live.write().unwrap_or_else(PoisonError::into_inner);
        let settings = live.settings.changed_by(change)?;
        *live = Arc::new(live.with(settings));
        Ok(live.clone())
    }

    /// Back to the settings of the start, with nothing stored, queued, counted or stalled.
    pub(crate) fn reset(&self) -> Arc<Live> {
        let mut live = self.live.write().unwrap_or_else(PoisonError::into_inner);
        // Who waits in the stall holds the old state and would not see the new one.
        live.stall.end();
        *live = Arc::new(Live::new(self.defaults.clone()));
        live.clone()
    }
}

impl Live {
    fn new(settings: DemoSettings) -> Self {
        let metrics = Metrics::new(CONNECTIONS, CPU);
        Self {
            connections: Arc::new(connections(&settings, &metrics)),
            cpu: Arc::new(cpu(&settings, &metrics)),
            settings,
            deers: Arc::default(),
            waiting_room: Arc::new(WaitingRoom::new(Instant::now())),
            fault_counts: Arc::default(),
            stall: Arc::new(Stall::new(Instant::now())),
            metrics: Arc::new(metrics),
        }
    }

    /// The same state under other settings: new pools and counts only where their settings changed.
    fn with(&self, settings: DemoSettings) -> Self {
        let old = &self.settings;
        let metrics = self.metrics.clone();
        Self {
            connections: if old.pool.max == settings.pool.max {
                self.connections.clone()
            } else {
                Arc::new(connections(&settings, &metrics))
            },
            cpu: if old.cpu == settings.cpu {
                self.cpu.clone()
            } else {
                Arc::new(cpu(&settings, &metrics))
            },
            fault_counts: if old.faults == settings.faults {
                self.fault_counts.clone()
            } else {
                Arc::default()
            },
            deers: self.deers.clone(),
            waiting_room: self.waiting_room.clone(),
            stall: self.stall.clone(),
            settings,
            metrics,
        }
    }

    /// How full both pools are, with their names in metrics.
    pub(crate) fn fills(&self) -> [(&'static str, Fill); 2] {
        [
            (CONNECTIONS, self.connections.fill()),
            (CPU, self.cpu.fill()),
        ]
    }

    /// The metrics text as of now.
    pub(crate) fn metrics_text(&self) -> String {
        self.metrics.text(&self.fills(), self.deers.count())
    }
}

fn connections(settings: &DemoSettings, metrics: &Metrics) -> Pool {
    // Requests wait for a connection in any number, as in the pools this one stands for.
    Pool::new(
        settings.pool.max,
        usize::MAX,
        metrics.pool_times(CONNECTIONS),
    )
}

fn cpu(settings: &DemoSettings, metrics: &Metrics) -> Pool {
    let cpu = &settings.cpu;
    Pool::new(cpu.threads, cpu.waiting_max, metrics.pool_times(CPU))
}

/// The longest a single request is kept waiting on purpose.
pub(crate) const LONGEST_WAIT: Duration = Duration::from_secs(60);
