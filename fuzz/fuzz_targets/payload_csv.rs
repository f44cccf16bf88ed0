//! Rows of Artillery's payload files: any text is rows of one width, or an error with a line that is
//! there.
#![no_main]
#![allow(dead_code, unused_imports)]

use libfuzzer_sys::fuzz_target;
use loadline_fuzz::LINEAR;

#[path = "../../crates/users/artillery/src"]
mod artillery {
    pub mod text;
}

use artillery::text;

mod model {
    /// As `artillery::model` has it.
    pub struct CsvOptions {
        pub delimiter: String,
        pub cast: bool,
        pub skip_empty: bool,
        pub skip_header: bool,
        pub quote: char,
        pub trim: bool,
        pub comment: Option<String>,
        pub relax_columns: bool,
        pub relax_quotes: bool,
    }
}

#[path = "../../crates/users/artillery/src/payload/csv.rs"]
mod csv;

fuzz_target!(|input: (u8, &str)| {
    let (bits, text) = input;
    let has = |bit: u8| bits & 1 << bit != 0;
    let options = model::CsvOptions {
        delimiter: if has(0) { ";;" } else { "," }.to_owned(),
        cast: has(1),
        skip_empty: has(2),
        skip_header: has(3),
        quote: if has(4) { '\'' } else { '"' },
        trim: has(5),
        comment: has(6).then(|| "#".to_owned()),
        relax_columns: false,
        relax_quotes: has(7),
    };
    match LINEAR.hold(text.len(), || csv::table(text, &options)) {
        Ok(csv::CsvTable { rows, .. }) => {
            let width = rows.first().map_or(0, Vec::len);
            assert!(rows.iter().all(|row| row.len() == width));
            assert!(rows.iter().map(Vec::len).sum::<usize>() <= text.len() + 1);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
