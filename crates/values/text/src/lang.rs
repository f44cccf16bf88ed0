//! Languages.

/// A language the catalogue has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Korean.
    Ko,
}

impl Lang {
    /// Both.
    pub const ALL: [Self; 2] = [Self::En, Self::Ko];

    /// The one that this is not.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::En => Self::Ko,
            Self::Ko => Self::En,
        }
    }

    /// The language of a tag such as `ko`, `ko-KR` or a locale such as `ko_KR.UTF-8`;
    /// `None` when it is neither of ours.
    #[must_use]
    pub fn of_tag(tag: &str) -> Option<Self> {
        let primary = tag.split(['-', '_', '.', '@']).next().unwrap_or_default();
        Self::ALL
            .into_iter()
            .find(|lang| primary.eq_ignore_ascii_case(lang.tag()))
    }

    /// Its tag.
    #[must_use]
    pub const fn tag(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Ko => "ko",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_and_locales_name_a_language() {
        assert_eq!(Lang::of_tag("ko"), Some(Lang::Ko));
        assert_eq!(Lang::of_tag("ko_KR.UTF-8"), Some(Lang::Ko));
        assert_eq!(Lang::of_tag("EN-us"), Some(Lang::En));
        assert_eq!(Lang::of_tag("C.UTF-8"), None);
        assert_eq!(Lang::of_tag("kok"), None);
    }
}
