//! Places in documents: where something is, and the same with the indexes of lists folded.

/// The place of the document itself.
pub(super) const ROOT: &str = "$";
/// In a list of no more plain values each has a place of its own: it may be a pair or a row.
const ROW_LENGTH_MAX: usize = 8;

/// A place: as it is told, and as what varies is kept by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// `$.items[3].rating`
    pub(super) exact: String,
    /// `$.items[*].rating`
    pub(super) folded: String,
}

impl Place {
    pub(super) fn root() -> Self {
        Self {
            exact: ROOT.to_owned(),
            folded: ROOT.to_owned(),
        }
    }

    pub(super) fn member(&self, name: &str) -> Self {
        let step = step(name);
        Self {
            exact: format!("{}{step}", self.exact),
            folded: format!("{}{step}", self.folded),
        }
    }

    /// The place of an element; `is_row`: each has a meaning of its own.
    pub(super) fn element(&self, index: usize, is_row: bool) -> Self {
        let folded = if is_row {
            format!("{}[{index}]", self.folded)
        } else {
            format!("{}[*]", self.folded)
        };
        Self {
            exact: format!("{}[{index}]", self.exact),
            folded,
        }
    }
}

/// Whether each element of a list of plain values has a meaning of its own.
pub(super) fn is_row(items: &[loadline_record::saved_answers::JsonNode]) -> bool {
    use loadline_record::saved_answers::JsonNode;
    let is_plain = |item: &JsonNode| !matches!(item, JsonNode::List(_) | JsonNode::Object(_));
    items.len() <= ROW_LENGTH_MAX && items.iter().all(is_plain)
}

fn step(name: &str) -> String {
    let mut chars = name.chars();
    let begins = chars.next().is_some_and(|c| c.is_alphabetic() || c == '_');
    if begins && chars.all(|c| c.is_alphanumeric() || c == '_' || c == '-') {
        format!(".{name}")
    } else {
        format!("[{name:?}]")
    }
}
