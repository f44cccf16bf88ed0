//! Rows of comma-separated values as `k6/experimental/csv` reads them: all fields of a file are no
//! longer than the file, and rows have equally many.
#![no_main]
#![allow(dead_code)]

use libfuzzer_sys::fuzz_target;
use loadline_fuzz::LINEAR;

#[path = "../../crates/users/k6/src/modules"]
mod modules {
    pub mod fs {
        use std::cell::RefCell;

        /// A file whose bytes were not read yet.
        pub struct File(pub RefCell<Vec<u8>>);

        impl File {
            pub fn take_rest(&self) -> Vec<u8> {
                self.0.take()
            }
        }
    }

    pub mod csv {
        mod records;

        use std::cell::RefCell;
        use std::rc::Rc;

        use super::fs::File;
        use records::{Options, Row, Rows};

        pub fn read(bytes: &[u8], delimiter: u8, as_objects: bool) {
            let file = Rc::new(File(RefCell::new(bytes.to_vec())));
            let options = Options {
                delimiter,
                as_objects,
                ..Options::default()
            };
            let Ok(mut rows) = Rows::new(file, options) else {
                return;
            };
            let (mut kept, mut width) = (0, None);
            // A byte that is no text becomes three.
            let kept_max = 3 * bytes.len();
            while let Ok(Some(row)) = rows.next() {
                let fields: Vec<String> = match row {
                    Row::Fields(fields) => fields,
                    Row::Named(named) => named.into_iter().map(|(_, value)| value).collect(),
                };
                assert_eq!(*width.get_or_insert(fields.len()), fields.len());
                kept += fields.iter().map(String::len).sum::<usize>();
                assert!(kept <= kept_max);
            }
        }
    }
}

fuzz_target!(|input: (u8, bool, &[u8])| {
    let (delimiter, as_objects, bytes) = input;
    let delimiter = if delimiter % 4 == 0 { delimiter } else { b',' };
    LINEAR.hold(bytes.len(), || {
        modules::csv::read(bytes, delimiter, as_objects)
    });
});
