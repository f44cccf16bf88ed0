//! Requests of those who watch a service, not of its callers: health checks and pages of metrics.

/// Paths that Kubernetes, load balancers and scrapers ask for by custom.
const PATHS: [&str; 14] = [
    "/actuator",
    "/health",
    "/healthz",
    "/healthcheck",
    "/health/live",
    "/health/liveness",
    "/health/ready",
    "/health/readiness",
    "/livez",
    "/readyz",
    "/metrics",
    "/ping",
    "/prometheus",
    "/q/metrics",
];
/// Where Spring Boot and Quarkus have theirs.
const FOLDERS: [&str; 2] = ["/actuator/", "/q/health"];

/// Whether a span's name, `METHOD /path` or the path alone, is that of such a request.
pub(super) fn is_probe(name: &str) -> bool {
    let path = name.rsplit(' ').next().unwrap_or(name);
    PATHS.contains(&path) || FOLDERS.iter().any(|folder| path.starts_with(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn health_checks_and_pages_of_metrics_are_told_from_requests() {
        for name in [
            "GET /actuator/prometheus",
            "GET /healthz",
            "/metrics",
            "GET /q/health/ready",
        ] {
            assert!(is_probe(name), "{name}");
        }
        for name in [
            "GET /health/{patient}",
            "POST /deers",
            "GET /metrics/{id}",
            "GET",
            "",
        ] {
            assert!(!is_probe(name), "{name}");
        }
    }
}
