//! The page's markup: every text escaped, every part there for a screen reader too.

use loadline_text::{Catalog, Message, gate as words, grouped};
use std::fmt::Write;

use crate::gate::{Room, View};
use crate::queue::{QueueMode, VisitorState};

/// A page about to be written.
pub(in crate::http) struct HtmlPage {
    lang: &'static str,
    window: String,
    title: String,
    notice: Option<String>,
    accent: Option<String>,
    /// Address of the picture above the title.
    logo: Option<String>,
    /// Seconds until it loads itself again where there is no JavaScript; 0 for never.
    reload_s: u64,
    /// Whether JavaScript takes the reload over.
    live: bool,
    /// Attributes of the room for the script: names and values.
    data: Vec<(&'static str, String)>,
    /// Markup between title and end.
    body: String,
    style_inside: bool,
}

impl HtmlPage {
    /// One sentence.
    pub(in crate::http) fn plain(catalog: &Catalog, sentence: Message) -> Self {
        let mut body = String::new();
        paragraph(&mut body, "place", &catalog.text(&sentence));
        Self {
            lang: catalog.lang().tag(),
            window: catalog.text(&words::page_waiting()),
            title: catalog.text(&words::page_waiting()),
            notice: None,
            accent: None,
            logo: None,
            reload_s: 0,
            live: false,
            data: Vec::new(),
            body,
            style_inside: false,
        }
    }

    /// In a queue's colours and under its title, in the page's language where it has one.
    pub(in crate::http) fn owned_by(mut self, room: &Room) -> Self {
        let (info, browser) = (room.info(), room.browser());
        let texts = browser.texts.get(self.lang).cloned().unwrap_or_default();
        self.title = texts.title.unwrap_or_else(|| info.title.clone());
        self.accent.clone_from(&info.page.accent);
        self.logo = room.logo().map(|logo| logo.address(room.id));
        self.notice = texts.notice.or_else(|| info.page.notice.clone());
        self
    }

    /// With the style in the page itself: on the service's host there are no files of ours.
    pub(in crate::http) fn with_style_inside(mut self) -> Self {
        self.style_inside = true;
        self
    }

    /// With a link.
    pub(in crate::http) fn with_link(
        mut self,
        catalog: &Catalog,
        label: Message,
        address: &str,
    ) -> Self {
        let label = escaped(&catalog.text(&label));
        // As a form the address would lose its query.
        let _ = write!(
            self.body,
            "<p><a href=\"{}\">{label}</a></p>",
            escaped(address)
        );
        self
    }

    /// Tries again by itself after so long; never for 0.
    pub(super) fn reloading(mut self, seconds: u64) -> Self {
        self.reload_s = seconds;
        if seconds > 0 {
            self.live = true;
            self.data.push(("again", seconds.to_string()));
        }
        self
    }

    /// Where somebody stands. `first` were before when the ticket was given.
    pub(super) fn for_view(
        catalog: &Catalog,
        room: &Room,
        view: &View,
        first: u64,
        address: &str,
    ) -> Self {
        let text = |message: Message| catalog.text(&message);
        let mut sheet = Self::plain(catalog, words::page_waiting()).owned_by(room);
        sheet.body.clear();
        sheet.data = vec![
            ("queue", room.id.to_string()),
            ("state", view.state.name().to_owned()),
        ];
        let body = &mut sheet.body;
        match &view.state {
            VisitorState::Waiting { ahead, .. } => {
                waiting(body, catalog, view, *ahead, first);
                sheet.data.extend(script_words(catalog, first));
            }
            VisitorState::Away { .. } => paragraph(body, "place", &text(words::page_stay())),
            VisitorState::Ready { left, .. } => {
                status(body, &text(words::page_ready()));
                let left = time_left(catalog, left.as_secs());
                paragraph(body, "soft", &text(words::page_ready_left(left)));
                button(body, "enter", address, "main", &text(words::page_enter()));
            }
            VisitorState::Inside {
                code_left: Some(_), ..
            } => {
                status(body, &text(words::page_ready()));
                button(body, "again", address, "main", &text(words::page_enter()));
            }
            VisitorState::Inside { .. } => {
                status(body, &text(words::page_inside()));
                button(body, "on", address, "main", &text(words::page_go_on()));
            }
            VisitorState::Blocked { reason } => {
                status(body, &text(words::page_blocked()));
                if !reason.is_empty() {
                    paragraph(body, "soft", &text(words::page_reason(reason)));
                }
            }
            VisitorState::Gone => status(body, &text(words::page_gone())),
        }
        let waits = matches!(
            view.state,
            VisitorState::Waiting { .. } | VisitorState::Away { .. }
        );
        if waits {
            let leave = address.replacen(&room.id.to_string(), &format!("{}/leave", room.id), 1);
            // Asked once more, with or without a script.
            let _ = writeln!(
                sheet.body,
                "<details id=\"leaving\"><summary>{}</summary>",
                escaped(&text(words::page_leave()))
            );
            paragraph(&mut sheet.body, "soft", &text(words::page_leave_sure()));
            let label = text(words::page_leave_yes());
            button(&mut sheet.body, "leave", &leave, "plain", &label);
            sheet.body.push_str("</details>\n");
            sheet.reload_s = view.poll_after.as_secs().max(2);
        }
        sheet.live = true;
        sheet
    }

    /// The whole page.
    pub(super) fn html(&self, nonce: &str) -> String {
        let mut page = format!(
            "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"robots\" content=\"noindex\">\n<title>{} - {}</title>\n\
             ",
            self.lang,
            escaped(&self.title),
            escaped(&self.window),
        );
        if self.style_inside {
            let style = include_str!("wait.css");
            let _ = writeln!(page, "<style nonce=\"{nonce}\">{style}</style>");
        } else {
            page.push_str("<link rel=\"stylesheet\" href=\"/assets/wait.css\">\n");
        }
        if let Some(accent) = &self.accent {
            let _ = writeln!(
                page,
                "<style nonce=\"{nonce}\">:root {{ --accent: {}; }}</style>",
                escaped(accent)
            );
        }
        if self.reload_s > 0 {
            let refresh = format!(
                "<meta http-equiv=\"refresh\" content=\"{}\">",
                self.reload_s
            );
            // With scripts nothing on the page is lost to a reload.
            let _ = writeln!(page, "<noscript>{refresh}</noscript>");
        }
        if self.live {
            page.push_str("<script src=\"/assets/wait.js\" defer></script>\n");
        }
        page.push_str("</head>\n<body>\n<main id=\"room\"");
        for (name, value) in &self.data {
            let _ = write!(page, " data-{name}=\"{}\"", escaped(value));
        }
        page.push_str(">\n");
        // On the service's host there are no files of ours.
        if let (Some(logo), false) = (&self.logo, self.style_inside) {
            // The title says whose it is.
            let _ = writeln!(page, "<img id=\"logo\" src=\"{}\" alt=\"\">", escaped(logo));
        }
        let _ = writeln!(page, "<h1>{}</h1>", escaped(&self.title));
        if let Some(notice) = &self.notice {
            paragraph(&mut page, "notice", notice);
        }
        page.push_str(&self.body);
        page.push_str("</main>\n</body>\n</html>\n");
        page
    }
}

fn waiting(body: &mut String, catalog: &Catalog, view: &View, ahead: u64, first: u64) {
    let text = |message: Message| catalog.text(&message);
    let place = match ahead {
        0 => text(words::page_next()),
        ahead => text(words::page_ahead(count(ahead))),
    };
    let _ = writeln!(
        body,
        "<p class=\"place\" id=\"ahead\" role=\"status\">{}</p>",
        escaped(&place)
    );
    let percent = 100 - (100 * ahead.min(first)) / first.max(1);
    let label = escaped(&text(words::page_progress()));
    let _ = writeln!(
        body,
        "<progress id=\"progress\" max=\"100\" value=\"{percent}\" aria-label=\"{label}\">{percent} %</progress>"
    );
    let wait = match (view.mode, view.estimate) {
        (QueueMode::Hold | QueueMode::Closed, _) => text(words::page_held()),
        (_, None) => text(words::page_wait_unknown()),
        (_, Some(estimate)) => {
            let seconds = |s: f64| {
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "saturates, and is positive"
                )]
                let whole = s.ceil() as u64;
                length(catalog, whole)
            };
            let (from, to) = (seconds(estimate.p50_s), seconds(estimate.p90_s));
            text(if from == to {
                words::page_wait_about(from)
            } else {
                words::page_wait(from, to)
            })
        }
    };
    let _ = writeln!(body, "<p id=\"wait\">{}</p>", escaped(&wait));
    let total = text(words::page_total(count(view.total)));
    let _ = writeln!(
        body,
        "<p class=\"soft\" id=\"total\">{}</p>",
        escaped(&total)
    );
    paragraph(body, "soft", &text(words::page_stay()));
    // Shown by the script while the gate cannot be reached.
    let _ = writeln!(
        body,
        "<p class=\"notice\" id=\"lost\" role=\"status\" data-text=\"{}\"></p>",
        escaped(&text(words::page_lost()))
    );
}

/// Sentences with places that the script fills.
fn script_words(catalog: &Catalog, first: u64) -> Vec<(&'static str, String)> {
    let text = |message: Message| catalog.text(&message);
    vec![
        ("first", first.to_string()),
        ("lang", catalog.lang().tag().to_owned()),
        ("ahead", text(words::page_ahead("{}"))),
        ("next", text(words::page_next())),
        ("total", text(words::page_total("{}"))),
        ("wait", text(words::page_wait("{1}", "{2}"))),
        ("about", text(words::page_wait_about("{}"))),
        ("unknown", text(words::page_wait_unknown())),
        ("held", text(words::page_held())),
        ("seconds", text(words::seconds("{}"))),
        ("minutes", text(words::minutes("{}"))),
        ("hours", text(words::hours("{1}", "{2}"))),
    ]
}

fn count(n: u64) -> String {
    grouped(n as f64, 0)
}

/// A length of time as people say it.
fn length(catalog: &Catalog, seconds: u64) -> String {
    let minutes = seconds.div_ceil(60);
    let message = match seconds {
        0..60 => words::seconds(seconds),
        _ if minutes < 60 => words::minutes(minutes),
        _ => words::hours(minutes / 60, minutes % 60),
    };
    catalog.text(&message)
}

/// How long something is still kept: never longer than it is.
fn time_left(catalog: &Catalog, seconds: u64) -> String {
    match seconds {
        0..120 => catalog.text(&words::seconds(seconds)),
        _ => length(catalog, seconds / 60 * 60),
    }
}

fn status(body: &mut String, text: &str) {
    let _ = writeln!(
        body,
        "<p class=\"place\" role=\"status\">{}</p>",
        escaped(text)
    );
}

fn paragraph(body: &mut String, class: &str, text: &str) {
    let _ = writeln!(body, "<p class=\"{class}\">{}</p>", escaped(text));
}

fn button(body: &mut String, id: &str, action: &str, class: &str, label: &str) {
    let (action, label) = (escaped(action), escaped(label));
    let _ = writeln!(
        body,
        "<form id=\"{id}\" method=\"post\" action=\"{action}\"><button class=\"{class}\">{label}</button></form>"
    );
}

/// Text for markup and for attributes in double quotes.
pub(in crate::http) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{HtmlPage, escaped};
    use loadline_text::{Catalog, Lang, gate as words};

    #[test]
    fn what_an_owner_writes_is_text_and_no_markup() {
        let sheet = HtmlPage::plain(
            &Catalog::new(Lang::En),
            words::page_reason("<script>alert(1)</script>\"'&"),
        );
        let html = sheet.html("n");
        assert!(!html.contains("<script>alert"), "{html}");
        assert!(
            html.contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;"),
            "{html}"
        );
        assert_eq!(escaped("가 <b>"), "가 &lt;b&gt;");
    }
}
