//! Publishes what was measured in each period, under the names that Artillery's plugin
//! `publish-metrics` gives it: statsd, Prometheus' push gateway, OpenTelemetry.
//!
//! A thread of its own sends one period after another; a failed delivery is told at the end and stops
//! nothing. Elsewhere: outputs that get samples as they come, in the hub.

mod otlp;
mod push_gateway;
mod statsd;

pub use otlp::OtlpReceiver;
pub use push_gateway::PrometheusReceiver;
pub use statsd::{StatsdEvent, StatsdReceiver};

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use loadline_net::NetworkSettings;

/// How long the end waits for the last delivery.
const LAST_DELIVERY_TIMEOUT: Duration = Duration::from_secs(15);

/// What was measured in a period.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PeriodValues {
    /// Sums of the period.
    pub counters: BTreeMap<String, f64>,
    /// Events per second.
    pub rates: BTreeMap<String, f64>,
    /// Distributions: names of aggregations and their values.
    pub summaries: BTreeMap<String, Vec<(&'static str, f64)>>,
    /// When the first value was measured, ms since 1970.
    pub first_at: i64,
    /// When the last was.
    pub last_at: i64,
}

/// Where periods are published.
#[derive(Debug, Clone, PartialEq)]
pub enum PublishReceiver {
    /// A statsd server, or Telegraf's.
    Statsd(StatsdReceiver),
    /// Prometheus' push gateway.
    Prometheus(PrometheusReceiver),
    /// A collector of OpenTelemetry.
    Otlp(OtlpReceiver),
}

/// Sends to one receiver.
trait Publish {
    /// The run begins.
    fn begin(&mut self) -> Result<(), String> {
        Ok(())
    }

    fn publish(&mut self, values: &PeriodValues) -> Result<(), String>;

    /// The run is over.
    fn end(&mut self) -> Result<(), String> {
        Ok(())
    }
}

impl PublishReceiver {
    fn name(&self) -> &'static str {
        match self {
            Self::Statsd(_) => "statsd",
            Self::Prometheus(_) => "prometheus",
            Self::Otlp(_) => "open-telemetry",
        }
    }

    fn open(self, network: &Arc<NetworkSettings>) -> Result<Box<dyn Publish>, String> {
        Ok(match self {
            Self::Statsd(receiver) => Box::new(receiver.open()?),
            Self::Prometheus(receiver) => Box::new(receiver.open(network)?),
            Self::Otlp(receiver) => Box::new(receiver.open(network)?),
        })
    }
}

/// Publishes the periods of a run.
pub struct PeriodSender {
    periods: Sender<PeriodValues>,
    /// Why something was not delivered; ends when everything was tried.
    failures: Receiver<String>,
}

impl PeriodSender {
    /// Starts the thread; nothing is sent before the first period but statsd's event.
    ///
    /// # Errors
    /// The thread could not be started.
    pub fn start(
        receivers: Vec<PublishReceiver>,
        network: NetworkSettings,
    ) -> Result<Self, String> {
        let (periods, queue) = unbounded::<PeriodValues>();
        let (tell, failures) = bounded(16);
        let run = move || {
            let network = Arc::new(network);
            // The first failures are enough.
            let told = |name: &str, outcome: Result<(), String>| {
                if let Err(reason) = outcome {
                    let _ = tell.try_send(format!("{name}: {reason}"));
                }
            };
            let mut open = Vec::new();
            for receiver in receivers {
                let name = receiver.name();
                match receiver.open(&network) {
                    Ok(publisher) => open.push((name, publisher)),
                    Err(reason) => told(name, Err(reason)),
                }
            }
            for (name, publisher) in &mut open {
                told(name, publisher.begin());
            }
            for values in queue {
                for (name, publisher) in &mut open {
                    told(name, publisher.publish(&values));
                }
            }
            for (name, publisher) in &mut open {
                told(name, publisher.end());
            }
        };
        std::thread::Builder::new()
            .name("publish".to_owned())
            .spawn(run)
            .map_err(|error| error.to_string())?;
        Ok(Self { periods, failures })
    }

    /// Publishes a period; returns at once.
    pub fn publish(&self, values: PeriodValues) {
        // A thread that ended delivers nothing; the end reports that.
        let _ = self.periods.send(values);
    }

    /// Waits for the last delivery; why the first ones failed, each reason once.
    #[must_use]
    pub fn finish(self) -> Vec<String> {
        drop(self.periods);
        let mut reasons: Vec<String> = Vec::new();
        while let Ok(reason) = self.failures.recv_timeout(LAST_DELIVERY_TIMEOUT) {
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
        reasons
    }
}

/// A value as JavaScript writes it.
fn shown(value: f64) -> String {
    format!("{value}")
}
