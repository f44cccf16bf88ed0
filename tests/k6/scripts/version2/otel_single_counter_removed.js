// @args -o opentelemetry
// @env K6_OTEL_SINGLE_COUNTER_FOR_RATE=maybe
// @env K6_OTEL_EXPORTER_PROTOCOL=nope
// @exit 104
// @since 2.0
// The variable is not read: only the protocol is wrong.
export default function () {}
