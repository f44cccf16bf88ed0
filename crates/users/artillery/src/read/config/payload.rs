//! Reads `config.payload`: rows for users.

use crate::phrase::Phrase;

use super::{
    CsvOptions, DiagnosticKind, ExhaustionPolicy, KeyScope, PayloadConfig, Reader, RowOrder, Yaml,
    YamlMap, YamlNode, is_true, to_text,
};

impl Reader<'_> {
    pub(super) fn payloads(&mut self, map: &YamlMap) -> Vec<PayloadConfig> {
        let Some(node) = map.get("payload") else {
            return Vec::new();
        };
        match &node.value {
            Yaml::List(items) => items.iter().filter_map(|item| self.payload(item)).collect(),
            Yaml::Map(_) => self.payload(node).into_iter().collect(),
            Yaml::Null => Vec::new(),
            _ => {
                self.wrong_type("payload", node, Phrase::MapOrMaps);
                Vec::new()
            }
        }
    }

    fn payload(&mut self, node: &YamlNode) -> Option<PayloadConfig> {
        let map = self.map_of("payload", node)?;
        self.keys(KeyScope::Payload, map);
        let Some(path_node) = map.get("path") else {
            self.find(
                node.mark,
                DiagnosticKind::Missing {
                    key: "path",
                    place: "payload",
                },
            );
            return None;
        };
        let path = self.text_of("path", path_node)?;
        let load_all = self.flag_at(map, "loadAll").unwrap_or(false);
        let name = self.text_at(map, "name");
        let order = match map.get("order").and_then(YamlNode::as_text) {
            Some("sequence") => RowOrder::Sequence,
            Some("unique") => RowOrder::Unique,
            None | Some("random") => RowOrder::Random,
            Some(_) => {
                let node = map.get("order").unwrap_or(node);
                self.bad_value("order", node, Phrase::OrderNames);
                return None;
            }
        };
        let on_exhausted = match map.get("onExhausted").and_then(YamlNode::as_text) {
            None | Some("stop") => ExhaustionPolicy::Stop,
            Some("wrap") => ExhaustionPolicy::Wrap,
            Some("fail") => ExhaustionPolicy::Fail,
            Some(_) => {
                let node = map.get("onExhausted").unwrap_or(node);
                self.bad_value("onExhausted", node, Phrase::ExhaustedNames);
                return None;
            }
        };
        let from = self.count(map, "from").unwrap_or(1);
        if from == 0 {
            let node = map.get("from").unwrap_or(node);
            self.bad_value("from", node, Phrase::WholeNumber);
            return None;
        }
        Some(PayloadConfig {
            path,
            from,
            mark: path_node.mark,
            fields: self.texts_at(map, "fields"),
            order,
            on_exhausted,
            csv: self.csv(map)?,
            load_all: name.filter(|_| load_all),
            order_written: map.get("order").is_some(),
        })
    }

    fn csv(&mut self, map: &YamlMap) -> Option<CsvOptions> {
        let mut options = CsvOptions {
            delimiter: self
                .text_at(map, "delimiter")
                .filter(|text| !text.is_empty())
                .unwrap_or_else(|| ",".to_owned()),
            cast: self.flag_at(map, "cast").unwrap_or(true),
            skip_empty: self.flag_at(map, "skipEmptyLines").unwrap_or(true),
            skip_header: self.flag_at(map, "skipHeader").unwrap_or(false),
            quote: '"',
            trim: false,
            comment: None,
            relax_columns: false,
            relax_quotes: false,
        };
        let Some(more) = map
            .get("options")
            .and_then(|node| self.map_of("options", node))
        else {
            return Some(options);
        };
        for entry in more.entries() {
            let flag = || is_true(Some(&entry.value.to_json()));
            let text = || to_text(Some(&entry.value.to_json()));
            match entry.key.as_str() {
                "delimiter" => options.delimiter = text(),
                "cast" => options.cast = flag(),
                "skip_empty_lines" | "skipEmptyLines" => options.skip_empty = flag(),
                "quote" => options.quote = text().chars().next().unwrap_or('"'),
                "trim" | "ltrim" | "rtrim" => options.trim = flag(),
                "comment" => options.comment = Some(text()).filter(|text| !text.is_empty()),
                "relax_column_count" | "relaxColumnCount" => options.relax_columns = flag(),
                "relax" => options.relax_quotes = flag(),
                "from_line" | "fromLine" if text() == "2" => options.skip_header = true,
                "from_line" | "fromLine" if text() == "1" => options.skip_header = false,
                _ => {
                    self.find(
                        entry.key_mark,
                        DiagnosticKind::Refused {
                            what: format!("options.{}", entry.key),
                            reason: Phrase::CsvOption,
                        },
                    );
                    return None;
                }
            }
        }
        Some(options)
    }
}
