//! The fixed pieces of what is said of an Artillery file.

use crate::message::declare_messages;

declare_messages! {
    /// Piece: nothing.
    "phrase-nothing" => nothing();
    /// Piece: the whole file.
    "phrase-the-file" => the_file();
    /// Piece: a boolean.
    "phrase-boolean" => boolean();
    /// Piece: a number.
    "phrase-number" => number();
    /// Piece: a text.
    "phrase-text" => text();
    /// Piece: a list.
    "phrase-list" => list();
    /// Piece: a map.
    "phrase-map" => map();
    /// Piece: true or false.
    "phrase-true-or-false" => true_or_false();
    /// Piece: a text or a map.
    "phrase-text-or-map" => text_or_map();
    /// Piece: a list or a map.
    "phrase-list-or-map" => list_or_map();
    /// Piece: a map or a list of maps.
    "phrase-map-or-maps" => map_or_maps();
    /// Piece: a list of steps.
    "phrase-steps" => steps();
    /// Piece: a map such as `get:` or `think:`.
    "phrase-step" => step();
    /// Piece: a map with `config` and `scenarios`.
    "phrase-map-of-file" => map_of_file();
    /// Piece: a map with `flow`.
    "phrase-map-of-scenario" => map_of_scenario();
    /// Piece: a map with `url`.
    "phrase-map-of-request" => map_of_request();
    /// Piece: a number or a range such as 1-10.
    "phrase-number-or-range" => number_or_range();
    /// Piece: a list or the name of a variable.
    "phrase-list-or-variable" => list_or_variable();
    /// Piece: a number of seconds or a text such as 10min.
    "phrase-seconds-or-minutes" => seconds_or_minutes();
    /// Piece: a number of seconds or a text such as 500ms.
    "phrase-seconds-or-millis" => seconds_or_millis();
    /// Piece: random, sequence or unique.
    "phrase-order-names" => order_names();
    /// Piece: stop, wrap or fail.
    "phrase-exhausted-names" => exhausted_names();
    /// Piece: uniform or poisson.
    "phrase-mode-names" => mode_names();
    /// Piece: pretty, json, prettyError or silent.
    "phrase-format-names" => format_names();
    /// Piece: a rate is between 0 and 10000000 per second.
    "phrase-rate-range" => rate_range();
    /// Piece: a whole number is needed.
    "phrase-whole-number" => whole_number();
    /// Piece: a phase is longer than 0 and no longer than 100 days.
    "phrase-phase-range" => phase_range();
    /// Piece: between 1 and 1000000 sockets.
    "phrase-pool-range" => pool_range();
    /// Piece: expected seconds, or a text such as 90s, 10min, 1h.
    "phrase-phase-length" => phase_length();
    /// Piece: expected seconds, or a text such as 500ms.
    "phrase-think-length" => think_length();
    /// Piece: a time-out is not negative.
    "phrase-negative-timeout" => negative_timeout();
    /// Piece: a URL such as http://proxy:3128 is needed.
    "phrase-proxy-url" => proxy_url();
    /// Piece: this is not a CSS selector.
    "phrase-no-selector" => no_selector();
    /// Piece: not supported.
    "phrase-not-supported" => not_supported();
    /// Piece: browsers are not driven; use http.
    "phrase-browsers" => browsers();
    /// Piece: only the engines http, ws and socketio are built in.
    "phrase-engines" => engines();
    /// Piece: this option of csv-parse is not supported.
    "phrase-csv-option" => csv_option();
    /// Piece: it is a step of `engine: socketio`.
    "phrase-socket-io" => socket_io();
    /// Piece: PKCS#12 is not read.
    "phrase-pfx" => pfx();
    /// Piece: the PEM text itself is needed.
    "phrase-pem-text" => pem_text();
    /// Piece: XPath needs a module that Artillery does not bring either.
    "phrase-x-path" => x_path();
    /// Piece: JMESPath is not supported.
    "phrase-jmes-path" => jmes_path();
    /// Piece: Artillery 2 has none.
    "phrase-no-transform" => no_transform();
    /// Piece: Artillery ignores it too.
    "phrase-ignored-by-artillery" => ignored_by_artillery();
    /// Piece: for Artillery's own services.
    "phrase-artillery-services" => artillery_services();
    /// Piece: otlp-http, otlp-proto or otlp-grpc.
    "phrase-exporter-names" => exporter_names();
    /// Piece: only the system's authorities are trusted there.
    "phrase-system-roots" => system_roots();
    /// Piece: requests are not traced; metrics are published.
    "phrase-no-traces" => no_traces();
    /// Piece: its service is not sent to; statsd, prometheus and open-telemetry are.
    "phrase-outside-services" => outside_services();
    /// Piece: plugins by others are not loaded.
    "phrase-plugins-of-others" => plugins_of_others();
    /// Piece: other engines than http, ws and socketio are refused where they are used.
    "phrase-other-engines" => other_engines();
    /// Piece: nothing is bundled.
    "phrase-no-bundling" => no_bundling();
    /// Piece: periods are 10 s, as in Artillery.
    "phrase-fixed-periods" => fixed_periods();
    /// Piece: Artillery reads it nowhere; use http.pool.
    "phrase-use-pool" => use_pool();
    /// Piece: cookies are kept by RFC 6265.
    "phrase-cookies" => cookies();
    /// Piece: loadline watches the target itself.
    "phrase-watches-itself" => watches_itself();
    /// Piece: the length is always sent.
    "phrase-length-is-sent" => length_is_sent();
    /// Piece: Artillery reads only config.timeout and config.http.timeout.
    "phrase-only-timeouts" => only_timeouts();
    /// Piece: plugins of others cannot be loaded.
    "phrase-other-plugins" => other_plugins();
    /// A form that is not supported.
    "phrase-unsupported" => unsupported(form);
}
