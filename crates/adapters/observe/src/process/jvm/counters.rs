//! The form of HotSpot's counters: a head, then entries of a name and a number or a text each.

use std::collections::BTreeMap;

const MAGIC: [u8; 4] = [0xca, 0xfe, 0xc0, 0xc0];
/// Where the head has the order of bytes, the version, the place of the first entry, and their number.
const BYTE_ORDER_AT: usize = 4;
const VERSION_AT: usize = 5;
const FIRST_ENTRY_AT: usize = 24;
const ENTRY_COUNT_AT: usize = 28;
const LITTLE_ENDIAN: u8 = 1;
/// The form's second version; the first one was HotSpot 1.4's.
const KNOWN_VERSION: u8 = 2;
const ENTRIES_MAX: u32 = 4096;

/// All counters of one look.
#[derive(Debug, Default)]
pub(super) struct Counters {
    numbers: BTreeMap<String, f64>,
    texts: BTreeMap<String, String>,
}

impl Counters {
    /// `None` for anything but such a file, and for one that is being set up.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let is_known = bytes.starts_with(&MAGIC) && *bytes.get(VERSION_AT)? == KNOWN_VERSION;
        let file = CounterFile {
            bytes,
            is_little: *bytes.get(BYTE_ORDER_AT)? == LITTLE_ENDIAN,
        };
        if !is_known {
            return None;
        }
        let mut counters = Self::default();
        let mut at = file.offset(FIRST_ENTRY_AT)?;
        for _ in 0..file.word(ENTRY_COUNT_AT)?.min(ENTRIES_MAX) {
            let length = file.offset(at)?;
            file.entry(at, &mut counters)?;
            at = at.checked_add(length).filter(|next| *next > at)?;
        }
        (!counters.numbers.is_empty()).then_some(counters)
    }

    pub(super) fn number(&self, name: &str) -> Option<f64> {
        self.numbers.get(name).copied()
    }

    pub(super) fn text(&self, name: &str) -> Option<String> {
        self.texts.get(name).cloned()
    }
}

/// The bytes of a file, which may say anything.
struct CounterFile<'a> {
    bytes: &'a [u8],
    is_little: bool,
}

impl CounterFile<'_> {
    fn word(&self, at: usize) -> Option<u32> {
        let bytes = self.bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
        Some(if self.is_little {
            u32::from_le_bytes(bytes)
        } else {
            u32::from_be_bytes(bytes)
        })
    }

    fn offset(&self, at: usize) -> Option<usize> {
        usize::try_from(self.word(at)?).ok()
    }

    #[expect(clippy::cast_precision_loss, reason = "times and sizes far below 2^52")]
    fn long(&self, at: usize) -> Option<f64> {
        let bytes = self.bytes.get(at..at.checked_add(8)?)?.try_into().ok()?;
        Some(if self.is_little {
            i64::from_le_bytes(bytes) as f64
        } else {
            i64::from_be_bytes(bytes) as f64
        })
    }

    fn text(&self, at: usize, most: usize) -> Option<String> {
        let rest = self.bytes.get(at..)?;
        let text = &rest[..most.min(rest.len())];
        let end = text
            .iter()
            .position(|byte| *byte == 0)
            .unwrap_or(text.len());
        String::from_utf8(text[..end].to_vec()).ok()
    }

    /// Takes the entry at a place: its length, where its name is, how long its vector is, its type, and
    /// where its value is.
    fn entry(&self, at: usize, counters: &mut Counters) -> Option<()> {
        let vector = self.offset(at + 8)?;
        let name_at = at.checked_add(self.offset(at + 4)?)?;
        let value_at = at.checked_add(self.offset(at + 16)?)?;
        let name = self.text(name_at, value_at.saturating_sub(name_at))?;
        match (*self.bytes.get(at + 12)?, vector) {
            (b'J', 0) => {
                counters.numbers.insert(name, self.long(value_at)?);
            }
            (b'B', 1..) => {
                counters.texts.insert(name, self.text(value_at, vector)?);
            }
            _ => {}
        }
        Some(())
    }
}
