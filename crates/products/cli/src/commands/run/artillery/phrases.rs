//! Words for the fixed pieces of findings.

use loadline_artillery::phrase::{Phrase as P, Reason};
use loadline_text::{Catalog, Message, phrase};

/// Words of a piece.
pub(super) fn words(piece: P, catalog: &Catalog) -> String {
    catalog.text(&message(piece))
}

/// Words of a reason; those of a parser are its own.
pub(super) fn reason(reason: &Reason, catalog: &Catalog) -> String {
    match reason {
        Reason::Phrase(piece) => words(*piece, catalog),
        Reason::Unsupported(form) => catalog.text(&phrase::unsupported(form)),
        Reason::Parser(said) => said.clone(),
    }
}

fn message(piece: P) -> Message {
    match piece {
        P::Nothing => phrase::nothing(),
        P::Boolean => phrase::boolean(),
        P::Number => phrase::number(),
        P::Text => phrase::text(),
        P::List => phrase::list(),
        P::Map => phrase::map(),
        P::TrueOrFalse => phrase::true_or_false(),
        P::TextOrMap => phrase::text_or_map(),
        P::ListOrMap => phrase::list_or_map(),
        P::MapOrMaps => phrase::map_or_maps(),
        P::Steps => phrase::steps(),
        P::Step => phrase::step(),
        P::MapOfFile => phrase::map_of_file(),
        P::MapOfScenario => phrase::map_of_scenario(),
        P::MapOfRequest => phrase::map_of_request(),
        P::NumberOrRange => phrase::number_or_range(),
        P::ListOrVariable => phrase::list_or_variable(),
        P::SecondsOrMinutes => phrase::seconds_or_minutes(),
        P::SecondsOrMillis => phrase::seconds_or_millis(),
        P::OrderNames => phrase::order_names(),
        P::ExhaustedNames => phrase::exhausted_names(),
        P::ModeNames => phrase::mode_names(),
        P::FormatNames => phrase::format_names(),
        P::RateRange => phrase::rate_range(),
        P::WholeNumber => phrase::whole_number(),
        P::PhaseRange => phrase::phase_range(),
        P::PoolRange => phrase::pool_range(),
        P::PhaseLength => phrase::phase_length(),
        P::ThinkLength => phrase::think_length(),
        P::NegativeTimeout => phrase::negative_timeout(),
        P::ProxyUrl => phrase::proxy_url(),
        P::NoSelector => phrase::no_selector(),
        P::NotSupported => phrase::not_supported(),
        P::Browsers => phrase::browsers(),
        P::Engines => phrase::engines(),
        P::CsvOption => phrase::csv_option(),
        P::SocketIo => phrase::socket_io(),
        P::Pfx => phrase::pfx(),
        P::PemText => phrase::pem_text(),
        P::XPath => phrase::x_path(),
        P::JmesPath => phrase::jmes_path(),
        P::NoTransform => phrase::no_transform(),
        P::IgnoredByArtillery => phrase::ignored_by_artillery(),
        P::ArtilleryServices => phrase::artillery_services(),
        P::ExporterNames => phrase::exporter_names(),
        P::SystemRoots => phrase::system_roots(),
        P::NoTraces => phrase::no_traces(),
        P::OutsideServices => phrase::outside_services(),
        P::PluginsOfOthers => phrase::plugins_of_others(),
        P::OtherEngines => phrase::other_engines(),
        P::NoBundling => phrase::no_bundling(),
        P::FixedPeriods => phrase::fixed_periods(),
        P::UsePool => phrase::use_pool(),
        P::Cookies => phrase::cookies(),
        P::WatchesItself => phrase::watches_itself(),
        P::LengthIsSent => phrase::length_is_sent(),
        P::OnlyTimeouts => phrase::only_timeouts(),
        P::OtherPlugins => phrase::other_plugins(),
    }
}

#[cfg(test)]
mod tests {
    use loadline_artillery::keys::{KEYS, KeySupport};
    use loadline_text::Lang;

    use super::*;

    #[test]
    fn why_a_key_is_not_supported_is_told_as_it_is_logged() {
        let catalog = Catalog::new(Lang::En);
        for key in KEYS {
            let (KeySupport::Ignored(reason) | KeySupport::Missing(reason)) = key.support else {
                continue;
            };
            assert_eq!(words(reason, &catalog), reason.to_string(), "{}", key.name);
        }
    }
}
