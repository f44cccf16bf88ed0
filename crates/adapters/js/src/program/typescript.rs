//! TypeScript to JavaScript: types removed, enums and namespaces compiled, positions
//! kept in a map.

use std::path::Path;

use oxc_allocator::Allocator;
use oxc_codegen::{Codegen, CodegenOptions};
use oxc_diagnostics::OxcDiagnostic;
use oxc_parser::Parser;
use oxc_semantic::SemanticBuilder;
use oxc_span::SourceType;
use oxc_transformer::{TransformOptions, Transformer};

use super::error::{ProgramError, ProgramErrorKind};
use super::scan::position;
use super::source_map::SourceMap;

/// Strips the types of the file at `url`.
pub(crate) fn strip(url: &str, text: &str) -> Result<(String, SourceMap), Vec<ProgramError>> {
    let allocator = Allocator::default();
    let path = Path::new(url);
    let parsed = Parser::new(&allocator, text, SourceType::ts()).parse();
    if parsed.panicked || parsed.diagnostics.has_errors() {
        return Err(report(url, text, parsed.diagnostics.into_vec()));
    }
    let mut program = parsed.program;
    let semantic = SemanticBuilder::new()
        .with_excess_capacity(2.0)
        .with_enum_eval(true)
        .build(&program);
    if semantic.diagnostics.has_errors() {
        return Err(report(url, text, semantic.diagnostics.into_vec()));
    }
    let scoping = semantic.semantic.into_scoping();
    let options = TransformOptions::default();
    let done =
        Transformer::new(&allocator, path, &options).build_with_scoping(scoping, &mut program);
    if done.diagnostics.has_errors() {
        return Err(report(url, text, done.diagnostics.into_vec()));
    }
    let options = CodegenOptions {
        source_map_path: Some(path.to_owned()),
        ..CodegenOptions::default()
    };
    let printed = Codegen::new()
        .with_options(options)
        .with_source_text(text)
        .build(&program);
    let places = printed.map.iter().flat_map(|map| {
        map.get_tokens()
            .filter(|token| token.get_source_id().is_some())
            .map(|token| {
                (
                    token.get_dst_line(),
                    token.get_dst_col(),
                    token.get_src_line(),
                    token.get_src_col(),
                )
            })
    });
    let map = SourceMap::new(places.collect());
    Ok((printed.code, map))
}

fn report(url: &str, text: &str, diagnostics: Vec<OxcDiagnostic>) -> Vec<ProgramError> {
    diagnostics
        .into_iter()
        .map(|diagnostic| {
            let offset = diagnostic.labels.first().map_or(0, |label| label.offset());
            let (line, column) = position(text, offset);
            ProgramError {
                kind: ProgramErrorKind::Syntax,
                file: url.to_owned(),
                line,
                column,
                message: diagnostic.message.to_string(),
            }
        })
        .collect()
}
