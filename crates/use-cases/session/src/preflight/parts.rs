//! Tries generator, outside servers and their stand-ins, each alone.

use std::net::SocketAddr;
use std::time::{Duration, SystemTime};

use crossbeam_channel::Receiver;
use loadline_analysis::bed::{
    BedPart, NotTriedReason, PartCapacity, PartJudgement, PartMeasurement, PartRole, PartState,
    RateSearch, StandIn, UnhealthyRate,
};
use loadline_bare::UrlRequest;
use loadline_mock::RouteSpec;
use loadline_net::NetworkSettings;

use super::{ProbeError, ProbeResult, SinkServer, probe};

/// No part is tried beyond so many times its planned rate.
const HEADROOM_TRIED_MAX: f64 = 3.0;
/// So many rates are tried of each: what the generator offers in excess concerns nobody else.
const GENERATOR_RATES_MAX: usize = 5;
const OUTSIDE_RATES_MAX: usize = 3;
/// The low rate, and how long it is tried.
const LOW_RATE: f64 = 1.0;
const LOW_LENGTH: Duration = Duration::from_secs(6);
/// Tries of the generator: another program may have taken the CPU for a moment.
const GENERATOR_TRIES_MAX: u32 = 3;
const HEADROOM_TRIES_MAX: u32 = 2;
/// How often a part that was offered too much is looked at before it counts as not coming back.
const SETTLE_TRIES_MAX: usize = 5;
const SETTLE_LENGTH: Duration = Duration::from_secs(2);
/// Where a stand-in listens, unless the server it stands in for does.
const STAND_IN_PORT: u16 = 9000;

/// What all parts are tried with.
pub struct PartRunner {
    /// How servers are reached.
    pub settings: NetworkSettings,
    /// How long each rate is tried.
    pub length: Duration,
    /// The time of day, for answers of the built-in servers.
    pub wall_clock: fn() -> SystemTime,
    /// A message, or nobody left to send one, ends what is being tried.
    pub interrupts: Receiver<()>,
}

impl PartRunner {
    fn probe(
        &self,
        target: &UrlRequest,
        rate: f64,
        length: Duration,
        usual: Duration,
    ) -> Result<Option<ProbeResult>, ProbeError> {
        let (target, settings) = (target.clone(), self.settings.clone());
        probe(target, rate, length, usual, settings, &self.interrupts)
    }

    /// The generator alone, against a built-in sink.
    ///
    /// # Errors
    /// [`ProbeError`].
    pub fn generator(&self, planned: f64) -> Result<BedPart, ProbeError> {
        let sink = SinkServer::start(self.wall_clock)?;
        let target = UrlRequest::get(&sink.url())?;
        let mut part = BedPart::new(PartRole::Generator, String::new(), planned);
        part.state = PartState::NotTried(NotTriedReason::Interrupted);
        let mut search = RateSearch::new(planned, HEADROOM_TRIED_MAX, GENERATOR_RATES_MAX, None);
        while let Some(rate) = search.next_rate() {
            let is_plan = part.tries.is_empty();
            let tries = if is_plan {
                GENERATOR_TRIES_MAX
            } else {
                HEADROOM_TRIES_MAX
            };
            let mut found = None;
            for _ in 0..tries {
                let Some(one) = self.probe(&target, rate, self.length, Duration::ZERO)? else {
                    return Ok(part);
                };
                let mut judgement = one.measured.judge(None);
                // Above the plan it must also be healthy, for that is what headroom is for.
                if !is_plan && judgement == PartJudgement::Holds && !one.generator.is_empty() {
                    judgement = PartJudgement::GivesWay(one.measured.answered);
                }
                found = Some((one, judgement));
                if judgement == PartJudgement::Holds {
                    break;
                }
            }
            let Some((found, judgement)) = found else {
                break;
            };
            search.record(&found.measured, judgement);
            part.capacity = search.capacity();
            if is_plan {
                part.state = judgement.into();
                part.cpu = found.cpu;
            }
            let is_lower = (part.unhealthy.as_ref()).is_none_or(|known| rate < known.rate);
            if !found.generator.is_empty() && is_lower {
                let limits = found.generator;
                part.unhealthy = Some(UnhealthyRate { rate, limits });
            }
            part.tries.push(found.measured);
        }
        Ok(part)
    }

    /// An outside server alone: at a low rate, at its planned rate, and around what it carries.
    ///
    /// # Errors
    /// [`ProbeError`].
    pub fn outside(&self, target: &UrlRequest, planned: f64) -> Result<BedPart, ProbeError> {
        let mut part = BedPart::new(PartRole::Outside, target.url.masked(), planned);
        part.state = PartState::NotTried(NotTriedReason::Interrupted);
        let low_rate = LOW_RATE.min(planned);
        let Some(found) = self.low(target, low_rate)? else {
            return Ok(part);
        };
        part.connect_ms = found.connect_ms;
        part.failures = found.failures;
        let low = found.measured;
        if found.is_silent {
            part.state = PartState::NoAnswer;
            return Ok(part);
        }
        if low.failed > 0.5 {
            part.state = PartState::Fails(low.failed);
            part.low = Some(low);
            return Ok(part);
        }
        let usual = usual(&low);
        let is_good = low.judge(None) == PartJudgement::Holds;
        let mut search = RateSearch::new(
            planned,
            HEADROOM_TRIED_MAX,
            OUTSIDE_RATES_MAX,
            is_good.then_some(low_rate),
        );
        while let Some(rate) = search.next_rate() {
            let Some(found) = self.probe(target, rate, self.length, usual)? else {
                break;
            };
            let judgement = found.measured.judge(Some(&low));
            search.record(&found.measured, judgement);
            if part.tries.is_empty() {
                part.state = judgement.into();
                if !found.failures.is_empty() {
                    part.failures = found.failures;
                }
            }
            part.tries.push(found.measured);
            part.capacity = search.capacity();
            // What waits in it would be taken for the limit at the next rate.
            if judgement != PartJudgement::Holds && !self.settles(target, low_rate, &low)? {
                break;
            }
        }
        // A part that never recovered has shown what it answers and no more.
        if let (true, [only]) = (part.state.is_weak(), part.tries.as_slice()) {
            part.capacity = PartCapacity::Measured(only.answered);
        }
        part.low = Some(low);
        Ok(part)
    }

    /// An outside server at a low rate, where nothing of it waits: every answer tells its latency.
    fn low(&self, target: &UrlRequest, rate: f64) -> Result<Option<ProbeResult>, ProbeError> {
        let mut usually = Duration::ZERO;
        loop {
            let Some(mut found) = self.probe(target, rate, LOW_LENGTH, usually)? else {
                return Ok(None);
            };
            let (all, low) = (&found.latencies, &mut found.measured);
            low.answers = all.count() as f64;
            low.p50_ms = all.percentile(0.5);
            low.p95_ms = all.percentile(0.95);
            let takes = usual(low);
            // Its first answers had not come yet when they were counted.
            if usually == Duration::ZERO && takes >= Duration::from_secs(1) {
                usually = takes;
                continue;
            }
            return Ok(Some(found));
        }
    }

    /// Waits until a part answers at the low rate as it did before; whether it does.
    fn settles(
        &self,
        target: &UrlRequest,
        rate: f64,
        low: &PartMeasurement,
    ) -> Result<bool, ProbeError> {
        for _ in 0..SETTLE_TRIES_MAX {
            let Some(now) = self.probe(target, rate, SETTLE_LENGTH, usual(low))? else {
                return Ok(false);
            };
            if now.measured.judge(Some(low)) == PartJudgement::Holds {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A stand-in with the latencies of an outside server, tried at that server's planned rate;
    /// `None` where no latency is known.
    ///
    /// # Errors
    /// [`ProbeError`].
    pub fn stand_in(
        &self,
        target: &UrlRequest,
        part: &BedPart,
    ) -> Result<Option<StandIn>, ProbeError> {
        let Some((low, latency)) = part
            .low
            .as_ref()
            .and_then(|low| Some((low, StandIn::latency_of(low)?)))
        else {
            return Ok(None);
        };
        let route = RouteSpec::default().with_latency(&latency);
        let server = SinkServer::start_as(route, self.wall_clock)?;
        let url = UrlRequest::get(&server.url())?;
        let tried = self.probe(&url, part.planned, self.length, usual(low))?;
        let tried = tried.map(|found| found.measured);
        let is_taken = target.url.port() == Some(STAND_IN_PORT);
        let port = STAND_IN_PORT + u16::from(is_taken);
        Ok(Some(StandIn {
            url: part.name.clone(),
            path: match target.url.path() {
                "" => "/".to_owned(),
                path => path.to_owned(),
            },
            address: SocketAddr::from(([127, 0, 0, 1], port)).to_string(),
            latency,
            answers: low.answers,
            planned: part.planned,
            holds: tried
                .as_ref()
                .map(|tried| tried.judge(Some(low)) == PartJudgement::Holds),
            tried,
        }))
    }
}

/// How long an answer takes at a low rate.
fn usual(low: &PartMeasurement) -> Duration {
    let seconds = low.p95_ms.map_or(0.0, |ms| ms / 1000.0);
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}
