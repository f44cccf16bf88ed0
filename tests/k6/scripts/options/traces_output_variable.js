// @env K6_TRACES_OUTPUT=otel=ftp://127.0.0.1
// @exit 255
// The variable, with a scheme that there is not.
export default function () {}
