// @env K6_BINARY_PROVISIONING=false
// @env K6_ENABLE_COMMUNITY_EXTENSIONS=true
// Variables that version 2 no longer knows change nothing.
export default function () { console.log(__ENV.K6_BINARY_PROVISIONING, __ENV.K6_ENABLE_COMMUNITY_EXTENSIONS); }
