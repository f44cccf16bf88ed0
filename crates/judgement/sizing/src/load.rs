//! Computes rates from people, and virtual users from rates.
//!
//! A rate comes from the people of a day, from people online, or is given. Virtual users follow
//! from Little's law: users = starts per second × time of an iteration.

use loadline_text::plan;

use crate::error::SizingError;
use crate::feature::FeatureLoad;
use crate::figure::{FigureUnit, PlanFigure, number, seconds, share};
use crate::inputs::PlanInputs;
use crate::people::People;
use crate::stages;

/// The default peak factor: a usual choice of teams without history.
const PEAK_FACTOR: f64 = 10.0;
/// The default share of monthly people who are active on a day.
const DAILY_SHARE: f64 = 0.2;
/// A person who pauses for longer between two iterations may have left, seconds.
const LONG_PAUSE_S: f64 = 120.0;
/// The highest rate that is accepted.
const LARGEST_RATE: f64 = 1e9;
/// The source of the law.
const LITTLE: &str = "Little 1961: N = X × (R + Z)";

/// The mean and the peak rate.
pub(crate) fn rates(inputs: &PlanInputs) -> Result<(Vec<PlanFigure>, Option<People>), SizingError> {
    if !inputs.stages.is_empty() {
        return Ok(of_stages(inputs));
    }
    let mut figures = Vec::new();
    let Some((mean, is_day)) = mean_rate(inputs, &mut figures)? else {
        return Ok((figures, None));
    };
    let unused = unused(inputs);
    if let Some(figure) = figures.pop() {
        figures.push(if unused.is_empty() {
            figure
        } else {
            figure.doubts(plan::doubts_unused(unused.join(", ")))
        });
    }
    let peak = peak_rate(inputs, mean, is_day);
    let people = People {
        mean,
        peak: peak.value,
    };
    figures.push(peak);
    if people.peak > LARGEST_RATE {
        return Err(SizingError::RateTooLarge { rate: people.peak });
    }
    Ok((figures, Some(people)))
}

/// What was given and tells of the mean rate, too, beside what [`mean_rate`] takes before it.
fn unused(inputs: &PlanInputs) -> Vec<&'static str> {
    let given = [
        ("rate", inputs.rate.is_some()),
        ("log", inputs.busiest.is_some()),
        ("dau", inputs.dau.is_some()),
        ("mau", inputs.mau.is_some()),
        ("online", inputs.online.is_some()),
        ("users", inputs.users.is_some()),
    ];
    let given = given.iter().filter(|(_, is_given)| *is_given);
    given.map(|(name, _)| *name).skip(1).collect()
}

/// Of stages the peak is the highest rate that they come to.
fn of_stages(inputs: &PlanInputs) -> (Vec<PlanFigure>, Option<People>) {
    let (mut figures, staged) = stages::figures(&inputs.stages);
    let growth = inputs.growth.unwrap_or(1.0);
    let people = People {
        mean: staged.mean,
        peak: staged.peak * growth,
    };
    let mut formula = FigureUnit::PerSecond.show(staged.peak);
    if inputs.growth.is_some() {
        formula.push_str(&format!(" × {}", number(growth)));
    }
    let (label, unit) = (plan::peak_rate(), FigureUnit::PerSecond);
    figures.push(PlanFigure::new(
        "peak-rate",
        label,
        people.peak,
        unit,
        formula,
    ));
    (figures, Some(people))
}

/// The mean rate, and whether it is that of a whole day.
fn mean_rate(
    inputs: &PlanInputs,
    figures: &mut Vec<PlanFigure>,
) -> Result<Option<(f64, bool)>, SizingError> {
    if let Some(rate) = inputs.rate {
        let formula = FigureUnit::PerSecond.show(rate);
        figures.push(PlanFigure::new(
            "mean-rate",
            plan::mean_rate(),
            rate,
            FigureUnit::PerSecond,
            formula,
        ));
        return Ok(Some((rate, true)));
    }
    if let Some(minute) = &inputs.busiest {
        let requests = minute.requests as f64;
        let formula = format!("{} / {} s", number(requests), number(minute.seconds));
        let label = plan::busiest_minute(&minute.at);
        let rate = requests / minute.seconds;
        let figure = PlanFigure::new(
            "busiest-minute",
            label,
            rate,
            FigureUnit::PerSecond,
            formula,
        );
        figures.push(figure.assumes(plan::assumes_mix_of_all()));
        return Ok(Some((rate, false)));
    }
    if inputs.dau.is_some() || inputs.mau.is_some() {
        let rate = of_day(inputs, figures)?;
        return Ok(Some((rate, true)));
    }
    if inputs.users.is_some() || inputs.online.is_some() {
        let rate = of_online(inputs, figures)?;
        return Ok(Some((rate, false)));
    }
    let own: f64 = inputs.features.iter().filter_map(|f| f.rate).sum();
    if own > 0.0 && inputs.features.iter().all(|f| f.rate.is_some()) {
        let parts: Vec<String> = inputs
            .features
            .iter()
            .filter_map(|f| f.rate.map(|rate| FigureUnit::PerSecond.show(rate)))
            .collect();
        let formula = parts.join(" + ");
        figures.push(PlanFigure::new(
            "mean-rate",
            plan::mean_rate(),
            own,
            FigureUnit::PerSecond,
            formula,
        ));
        return Ok(Some((own, true)));
    }
    Ok(None)
}

/// From the people of a day, with a number of requests each.
fn of_day(inputs: &PlanInputs, figures: &mut Vec<PlanFigure>) -> Result<f64, SizingError> {
    let dau = match (inputs.dau, inputs.mau) {
        (Some(dau), _) => dau,
        (None, mau) => {
            let mau = mau.unwrap_or_default();
            let part = inputs.daily_share.unwrap_or(DAILY_SHARE);
            let formula = format!("{} × {}", number(mau), share(part));
            let mut figure =
                PlanFigure::new("dau", plan::dau(), mau * part, FigureUnit::Count, formula);
            if inputs.daily_share.is_none() {
                figure = figure.doubts(plan::doubts_daily_share(share(part)));
            }
            figures.push(figure);
            mau * part
        }
    };
    let per_user: f64 = match inputs.requests_per_user {
        Some(requests) => requests,
        None => {
            let own: f64 = inputs.features.iter().filter_map(|f| f.per_user).sum();
            if own <= 0.0 {
                return Err(SizingError::Missing {
                    input: "requests-per-user",
                    beside: if inputs.dau.is_some() { "dau" } else { "mau" },
                });
            }
            own
        }
    };
    let hours = inputs.active_hours.unwrap_or(24.0);
    let day = hours * 3600.0;
    let rate = dau * per_user / day;
    let formula = format!("{} × {} / {}", number(dau), number(per_user), seconds(day));
    let mut figure = PlanFigure::new(
        "mean-rate",
        plan::mean_rate(),
        rate,
        FigureUnit::PerSecond,
        formula,
    );
    if inputs.active_hours.is_none() {
        figure = figure.assumes(plan::assumes_whole_day());
    }
    figures.push(figure);
    Ok(rate)
}

/// From people online, with a request at an interval each.
fn of_online(inputs: &PlanInputs, figures: &mut Vec<PlanFigure>) -> Result<f64, SizingError> {
    let beside = if inputs.online.is_some() {
        "online"
    } else {
        "users"
    };
    let every = inputs.every.ok_or(SizingError::Missing {
        input: "every",
        beside,
    })?;
    let (online, of_day) = match (inputs.online, inputs.users) {
        (Some(online), _) => (online, false),
        (None, users) => {
            let users = users.unwrap_or_default();
            let active = inputs.active.ok_or(SizingError::Missing {
                input: "active",
                beside,
            })?;
            let formula = format!("{} × {}", number(users), share(active));
            let figure = PlanFigure::new(
                "online",
                plan::online(),
                users * active,
                FigureUnit::Count,
                formula,
            )
            .doubts(plan::doubts_day_is_not_online(number(users * active)));
            figures.push(figure);
            (users * active, true)
        }
    };
    let rate = online / every;
    let formula = format!("{} / {}", number(online), seconds(every));
    let mut figure = PlanFigure::new(
        "mean-rate",
        plan::mean_rate(),
        rate,
        FigureUnit::PerSecond,
        formula,
    );
    if of_day {
        figure = figure.doubts(plan::doubts_upper_bound(FigureUnit::PerSecond.show(rate)));
    }
    figures.push(figure);
    Ok(rate)
}

fn peak_rate(inputs: &PlanInputs, mean: f64, is_day: bool) -> PlanFigure {
    let growth = inputs.growth.unwrap_or(1.0);
    let assumed = if is_day && inputs.rate.is_none() {
        PEAK_FACTOR
    } else {
        1.0
    };
    let factor = inputs.peak_factor.unwrap_or(assumed);
    let mut formula = format!("{} × {}", FigureUnit::PerSecond.show(mean), number(factor));
    if inputs.growth.is_some() {
        formula.push_str(&format!(" × {}", number(growth)));
    }
    let value = mean * factor * growth;
    let figure = PlanFigure::new(
        "peak-rate",
        plan::peak_rate(),
        value,
        FigureUnit::PerSecond,
        formula,
    );
    match inputs.peak_factor {
        Some(_) => figure,
        None if assumed > 1.0 => figure.doubts(plan::doubts_peak_factor(number(assumed))),
        None if inputs.busiest.is_some() => figure,
        None if inputs.rate.is_some() => figure.assumes(plan::assumes_rate_is_peak()),
        None => figure.assumes(plan::assumes_online_is_peak()),
    }
}

/// Users by Little's law for `rate` requests per second with answers in `response` seconds.
pub(crate) fn little(inputs: &PlanInputs, rate: f64, response: f64) -> f64 {
    let requests = inputs.requests_per_iteration.unwrap_or(1.0);
    rate / requests * (requests * response + inputs.think_time.unwrap_or(0.0))
}

/// The formula of [`little`].
fn little_formula(inputs: &PlanInputs, rate: f64, response: f64) -> String {
    let rate = FigureUnit::PerSecond.show(rate);
    let (response, think) = (seconds(response), seconds(inputs.think_time.unwrap_or(0.0)));
    match inputs.requests_per_iteration {
        Some(requests) if requests > 1.0 => {
            let requests = number(requests);
            format!("{rate} / {requests} × ({requests} × {response} + {think})")
        }
        _ => format!("{rate} × ({response} + {think})"),
    }
}

/// Virtual users at mean and peak rate for each response time, and iterations.
pub(crate) fn users(inputs: &PlanInputs, people: &People) -> Vec<PlanFigure> {
    let mut figures = Vec::new();
    let requests = inputs.requests_per_iteration.unwrap_or(1.0);
    let think = inputs.think_time.unwrap_or(0.0);
    for (number_of, response) in inputs.response_times.iter().enumerate() {
        for (when, rate) in [("mean", people.mean), ("peak", people.peak)] {
            let value = little(inputs, rate, *response);
            let formula = little_formula(inputs, rate, *response);
            let label = match when {
                "mean" => plan::users_mean(seconds(*response)),
                _ => plan::users_peak(seconds(*response)),
            };
            let id = format!("users-{when}-{}", number_of + 1);
            let mut figure =
                PlanFigure::new(id, label, value, FigureUnit::Users, formula).source(LITTLE);
            if inputs.think_time.is_none() {
                figure = figure.assumes(plan::assumes_no_think_time());
            }
            if value < 1.0 {
                figure = figure.doubts(plan::doubts_below_one_user());
            }
            if think > LONG_PAUSE_S && value >= 1.0 {
                let waiting = FigureUnit::Users.show(rate * *response);
                figure = figure.doubts(plan::doubts_long_pause(seconds(think), waiting));
            }
            figures.push(figure);
        }
    }
    if let Some(length) = inputs.duration {
        let rate = people.peak / requests;
        let formula = format!("{} × {}", FigureUnit::PerSecond.show(rate), seconds(length));
        let label = plan::iterations();
        figures.push(PlanFigure::new(
            "iterations",
            label,
            rate * length,
            FigureUnit::Count,
            formula,
        ));
    }
    figures
}

/// Each feature's share of the peak rate.
pub(crate) fn features(
    inputs: &PlanInputs,
    people: Option<&People>,
) -> Result<Vec<FeatureLoad>, SizingError> {
    let Some(people) = people.filter(|_| !inputs.features.is_empty()) else {
        return Ok(Vec::new());
    };
    let scale = people.peak / people.mean;
    let day = inputs.active_hours.unwrap_or(24.0) * 3600.0;
    let own = |f: &crate::feature::Feature| match (f.share, f.rate, f.per_user) {
        (Some(share), ..) => Ok(Some(share)),
        (None, Some(rate), _) => Ok(Some(rate * scale / people.peak)),
        (None, None, Some(per_user)) => {
            let daily = inputs.daily_share.unwrap_or(DAILY_SHARE);
            let dau = inputs.dau.or(inputs.mau.map(|mau| mau * daily));
            let dau = dau.ok_or(SizingError::Missing {
                input: "dau",
                beside: "feature per-user",
            })?;
            Ok(Some(dau * per_user / day * scale / people.peak))
        }
        (None, None, None) => Ok(None),
    };
    let shares: Vec<Option<f64>> = inputs.features.iter().map(own).collect::<Result<_, _>>()?;
    let known: f64 = shares.iter().flatten().sum();
    let open = shares.iter().filter(|share| share.is_none()).count();
    let rest = (1.0 - known).max(0.0) / open.max(1) as f64;
    let loads = inputs.features.iter().zip(shares).map(|(feature, share)| {
        let share = share.unwrap_or(rest);
        FeatureLoad {
            feature: feature.clone(),
            share,
            peak_rate: people.peak * share,
        }
    });
    Ok(loads.collect())
}

/// The features' rates as figures, and their sum if it differs from the whole.
pub(crate) fn feature_figures(
    inputs: &PlanInputs,
    people: &People,
    loads: &[FeatureLoad],
) -> Vec<PlanFigure> {
    let mut figures: Vec<PlanFigure> = loads
        .iter()
        .map(|load| {
            let name = &load.feature.name;
            let formula = format!(
                "{} × {}",
                FigureUnit::PerSecond.show(people.peak),
                share(load.share)
            );
            let label = plan::feature_rate(name);
            let id = format!("feature-{name}");
            let mut figure =
                PlanFigure::new(id, label, load.peak_rate, FigureUnit::PerSecond, formula);
            let given = &load.feature;
            if given.share.is_none() && given.rate.is_none() && given.per_user.is_none() {
                figure = figure.assumes(plan::assumes_share_of_rest());
            }
            figure
        })
        .collect();
    let sum: f64 = loads.iter().map(|load| load.peak_rate).sum();
    if !loads.is_empty() && (sum / people.peak - 1.0).abs() > 0.01 {
        let parts: Vec<String> = loads
            .iter()
            .map(|load| FigureUnit::PerSecond.show(load.peak_rate))
            .collect();
        let figure = PlanFigure::new(
            "feature-sum",
            plan::feature_sum(),
            sum,
            FigureUnit::PerSecond,
            parts.join(" + "),
        );
        let whole = FigureUnit::PerSecond.show(people.peak);
        figures.push(figure.doubts(plan::doubts_feature_sum(whole)));
    }
    if let (Some(goal), true) = (inputs.goal(), inputs.response_times.is_empty()) {
        let users = little(inputs, people.peak, goal);
        let formula = little_formula(inputs, people.peak, goal);
        let label = plan::users_peak(seconds(goal));
        figures.push(
            PlanFigure::new("users-peak-1", label, users, FigureUnit::Users, formula)
                .source(LITTLE)
                .assumes(plan::assumes_p95_as_mean()),
        );
    }
    figures
}
