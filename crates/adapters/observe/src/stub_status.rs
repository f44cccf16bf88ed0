//! The status page of nginx itself (`stub_status`), as the exporter for Prometheus names its numbers.

/// The page in Prometheus' text format; `None` if it is no such page.
pub(crate) fn as_page(text: &str) -> Option<String> {
    let mut lines = text.lines();
    let active = lines.next()?.strip_prefix("Active connections:")?.trim();
    lines
        .next()?
        .trim()
        .strip_prefix("server accepts handled requests")?;
    let mut counts = lines.next()?.split_ascii_whitespace();
    let (accepted, handled, requests) = (counts.next()?, counts.next()?, counts.next()?);
    let (_, waiting) = lines.next()?.split_once("Waiting:")?;
    let page = format!(
        "nginx_up 1\nnginx_connections_active {active}\nnginx_connections_accepted {accepted}\n\
         nginx_connections_handled {handled}\nnginx_http_requests_total {requests}\n\
         nginx_connections_waiting {}\n",
        waiting.trim()
    );
    Some(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_of_nginx_itself_is_read() {
        let text = "Active connections: 291 \nserver accepts handled requests\n 1000 810 31070 \n\
            Reading: 6 Writing: 179 Waiting: 106 \n";
        let page = as_page(text).unwrap();
        assert!(page.contains("nginx_connections_handled 810\n"), "{page}");
        assert!(page.contains("nginx_connections_waiting 106\n"), "{page}");
        assert_eq!(as_page("nginx_up 1\n"), None);
        assert_eq!(as_page("Active connections: 291 \n"), None);
    }
}
