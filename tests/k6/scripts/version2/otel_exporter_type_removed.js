// @args -o opentelemetry
// @env K6_OTEL_EXPORTER_TYPE=http
// @env K6_OTEL_EXPORTER_PROTOCOL=nope
// @exit 104
// @since 2.0
// A protocol that there is not; the variable of former versions is not read.
export default function () {}
