//! The time zone that times of day are meant in: that of `TZ`, else that of the machine.
//!
//! Names come from the machine's zone database; what it lacks, as a container without one does,
//! from the one in this program. A name that is in neither is an error: whoever takes UTC in its
//! place lets load through at night hours that are somebody's day.

use std::sync::OnceLock;

use jiff::tz::{TimeZone, TimeZoneDatabase};
use jiff::{Timestamp, Zoned};
use loadline_text::{Problem, problem};
use loadline_units::nearest;

use crate::context::Context;

/// The variable that names the zone.
const VARIABLE: &str = "TZ";

/// The zone, found once: it is asked for with every line of a log.
static LOCAL: OnceLock<TimeZone> = OnceLock::new();

/// Sees that the zone is known before anything is done.
///
/// # Errors
/// `TZ` names no zone.
pub(crate) fn check(context: &Context) -> Result<(), Problem> {
    let named = context.env.get(VARIABLE).map(String::as_str);
    let zone = find(
        named,
        TimeZone::try_system().ok(),
        &TimeZoneDatabase::bundled(),
    )?;
    // Only the first command of a process gets here.
    LOCAL.get_or_init(|| zone);
    Ok(())
}

/// The zone of a text in `TZ`, where `system` is what the machine makes of it.
fn find(
    named: Option<&str>,
    system: Option<TimeZone>,
    bundled: &TimeZoneDatabase,
) -> Result<TimeZone, Problem> {
    if let Some(zone) = system {
        return Ok(zone);
    }
    // Without a name, and without a zone of the machine, time is UTC.
    let Some(text) = named.filter(|text| !text.is_empty()) else {
        return Ok(TimeZone::UTC);
    };
    let name = text.trim_start_matches(':');
    let name = name.rsplit_once("zoneinfo/").map_or(name, |(_, name)| name);
    bundled.get(name).map_err(|_| unknown(text, name, bundled))
}

/// Why a name is refused; there is no more to it than that no database has it.
fn unknown(text: &str, name: &str, bundled: &TimeZoneDatabase) -> Problem {
    let known: Vec<String> = bundled.available().map(|name| name.to_string()).collect();
    // People write the city alone, too.
    let city = |known: &&String| {
        let city = known.rsplit('/').next().unwrap_or_default();
        city.eq_ignore_ascii_case(&name.replace(' ', "_"))
    };
    let near = known.iter().find(city).map(String::as_str);
    // An abbreviation such as KST is near to others, and none of them is meant.
    let near_name = || {
        let names = known.iter().map(String::as_str);
        name.contains('/').then(|| nearest(name, names)).flatten()
    };
    match near.or_else(near_name) {
        Some(near) => problem::zone_misspelt(text, near),
        None => problem::zone_unknown(text),
    }
}

/// The zone of this process.
pub(crate) fn local() -> TimeZone {
    LOCAL.get().cloned().unwrap_or_else(TimeZone::system)
}

/// The time of day here.
pub(crate) fn now() -> Zoned {
    Timestamp::now().to_zoned(local())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(named: &str) -> Result<TimeZone, Problem> {
        find(Some(named), None, &TimeZoneDatabase::bundled())
    }

    /// Seen: a container without zone files took UTC for `TZ=Asia/Seoul`.
    #[test]
    fn names_are_known_without_the_machines_database() {
        for name in [
            "Asia/Seoul",
            ":Asia/Seoul",
            "/usr/share/zoneinfo/Asia/Seoul",
            "asia/seoul",
        ] {
            let zone = found(name).unwrap();
            let noon = Timestamp::UNIX_EPOCH.to_zoned(zone);
            assert_eq!(noon.hour(), 9, "{name}");
        }
    }

    #[test]
    fn a_name_that_no_database_has_is_refused() {
        let near = |name: &str| {
            let problem = found(name).unwrap_err();
            let near = problem.args.iter().find(|(name, _)| *name == "nearest");
            near.map(|(_, near)| near.clone())
        };
        assert_eq!(near("Asia/Seoull").as_deref(), Some("Asia/Seoul"));
        assert_eq!(near("Seoul").as_deref(), Some("Asia/Seoul"));
        assert_eq!(near("Nowhere/AtAll"), None);
        assert_eq!(near("KST"), None);
    }

    #[test]
    fn without_a_name_time_is_utc() {
        let bundled = TimeZoneDatabase::bundled();
        assert_eq!(find(None, None, &bundled), Ok(TimeZone::UTC));
        assert_eq!(find(Some(""), None, &bundled), Ok(TimeZone::UTC));
    }
}
