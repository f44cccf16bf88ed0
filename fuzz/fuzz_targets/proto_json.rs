//! Messages of gRPC between JSON and bytes: a message that is read from either is written to JSON that
//! is read as the same.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use loadline_proto::{
    DynamicMessage, MessageDescriptor, ProtoSchema, Types, from_json, to_json, wire,
};

const SOURCE: &str = r#"
syntax = "proto3";
package shop;
import "google/protobuf/any.proto";
import "google/protobuf/duration.proto";
import "google/protobuf/field_mask.proto";
import "google/protobuf/struct.proto";
import "google/protobuf/timestamp.proto";
import "google/protobuf/wrappers.proto";
enum Colour { NONE = 0; RED = 1; }
message All {
  double d = 1; float f = 2; int32 i32 = 3; int64 i64 = 4; uint64 u64 = 6; sint32 s32 = 7; fixed32 f32 = 9;
  bool flag = 11; string text = 12; bytes raw = 13; Colour colour = 14; All inner = 15;
  repeated int64 many = 16; map<string, int32> by_name = 17; map<int64, All> by_number = 18;
  oneof choice { string first = 19; int32 second = 20; } optional string maybe = 21;
  google.protobuf.Any any = 22; google.protobuf.Duration duration = 23; google.protobuf.Timestamp time = 24;
  google.protobuf.Struct object = 25; google.protobuf.Value value = 26; google.protobuf.Int64Value wrapped = 27;
  google.protobuf.FieldMask mask = 28; google.protobuf.NullValue nothing = 29;
}
"#;

struct Shop {
    all: MessageDescriptor,
    types: Types,
}

static SHOP: LazyLock<Shop> = LazyLock::new(|| {
    let schema = ProtoSchema::compile(&["a.proto".to_owned()], |name| match name {
        "a.proto" => Ok(SOURCE.to_owned()),
        _ => Err(name.to_owned()),
    });
    let schema = schema.expect("the source is right");
    let all = schema.message("shop.All").expect("it is declared");
    let mut types = Types::default();
    types.add(schema);
    Shop { all, types }
});

fn same(message: &DynamicMessage) {
    let Ok(json) = to_json(message, &SHOP.types) else {
        return;
    };
    let again = from_json(&json, &SHOP.all, &SHOP.types);
    let again = again.unwrap_or_else(|error| panic!("{error}: {json}"));
    assert_eq!(to_json(&again, &SHOP.types).as_ref(), Ok(&json));
}

fuzz_target!(|bytes: &[u8]| {
    let mut rest = wire::fields(bytes);
    assert!(rest.by_ref().count() <= bytes.len());
    if let Ok(message) = DynamicMessage::decode(SHOP.all.clone(), bytes) {
        same(&message);
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    if let Ok(message) = from_json(text, &SHOP.all, &SHOP.types) {
        same(&message);
    }
    let source = text.to_owned();
    let _ = ProtoSchema::compile(&["b.proto".to_owned()], move |name| match name {
        "b.proto" => Ok(source.clone()),
        _ => Err(name.to_owned()),
    });
});
