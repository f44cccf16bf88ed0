use super::*;

const SOURCE: &str = r#"
syntax = "proto3";
package shop.v1;
import "google/protobuf/any.proto";
import "google/protobuf/duration.proto";
import "google/protobuf/empty.proto";
import "google/protobuf/field_mask.proto";
import "google/protobuf/struct.proto";
import "google/protobuf/timestamp.proto";
import "google/protobuf/wrappers.proto";
import "other.proto";

enum Colour { COLOUR_UNSPECIFIED = 0; RED = 1; }

message All {
  double d = 1; float f = 2; int32 i32 = 3; int64 i64 = 4; uint32 u32 = 5; uint64 u64 = 6;
  sint32 s32 = 7; sint64 s64 = 8; fixed32 f32 = 9; fixed64 f64 = 10; bool flag = 11;
  string snake_case = 12; bytes raw = 13; Colour colour = 14; All inner = 15;
  repeated int64 many = 16; map<string, int32> by_name = 17; map<int64, All> by_number = 18;
  oneof choice { string first = 19; int32 second = 20; }
  optional string maybe = 21; string named = 22 [json_name = "x-named"];
}

message Known {
  google.protobuf.Any any = 1; google.protobuf.Duration duration = 2;
  google.protobuf.Timestamp time = 3; google.protobuf.Struct object = 4;
  google.protobuf.Value value = 5; google.protobuf.ListValue list = 6;
  google.protobuf.Int64Value wrapped = 7; google.protobuf.FieldMask mask = 8;
  google.protobuf.Empty empty = 9; google.protobuf.StringValue text = 10;
  google.protobuf.NullValue nothing = 11; other.Thing thing = 12;
}

service Shop {
  rpc Buy(All) returns (Known);
  rpc Watch(stream All) returns (stream Known);
}
"#;

const OTHER: &str = "syntax = \"proto2\"; package other; message Thing { required int32 size = 1; optional string name = 2 [default = \"none\"]; }";

fn schema() -> ProtoSchema {
    let read = |name: &str| match name {
        "shop.proto" => Ok(SOURCE.to_owned()),
        "other.proto" => Ok(OTHER.to_owned()),
        _ => Err(format!("open {name}: no such file")),
    };
    ProtoSchema::compile(&["shop.proto".to_owned()], read).expect("it compiles")
}

fn round(message: &str, text: &str) -> Result<String, JsonError> {
    let schema = schema();
    let mut types = Types::default();
    types.add(schema.clone());
    let descriptor = schema.message(message).expect("it is there");
    let read = from_json(text, &descriptor, &types)?;
    let bytes = read.encode_to_vec();
    let back = DynamicMessage::decode(descriptor, bytes.as_slice()).expect("what was written");
    to_json(&back, &types)
}

fn refused(message: &str, text: &str) -> String {
    round(message, text).expect_err(text).to_string()
}

#[test]
fn methods_are_found() {
    let shown: Vec<String> = schema()
        .methods()
        .map(|m| {
            let (client, server) = (m.client_streams(), m.server_streams());
            let (path, package, service) = (m.path(), m.package(), m.service());
            format!("{path} {package} {service} {} {client} {server}", m.name())
        })
        .collect();
    assert_eq!(
        shown,
        [
            "/shop.v1.Shop/Buy shop.v1 Shop Buy false false",
            "/shop.v1.Shop/Watch shop.v1 Shop Watch true true",
        ]
    );
}

#[test]
fn sources_that_cannot_be_compiled_say_why() {
    let compile = |source: &'static str| {
        ProtoSchema::compile(&["a.proto".to_owned()], move |name| match name {
            "a.proto" => Ok(source.to_owned()),
            _ => Err(format!("open {name}: no such file")),
        })
        .expect_err(source)
        .to_string()
    };
    assert!(compile("syntax = \"proto3\"; message {").starts_with("a.proto:1:28: expected"));
    assert_eq!(
        compile("syntax = \"proto3\"; import \"b.proto\";"),
        "a.proto:1:27: open b.proto: no such file"
    );
    let missing = ProtoSchema::compile(&["c.proto".to_owned()], |name| Err(format!("no {name}")));
    assert_eq!(missing.expect_err("no source").to_string(), "no c.proto");
    assert_eq!(
        ProtoSchema::from_set(b"\xff")
            .expect_err("no set")
            .to_string(),
        "proto: cannot parse invalid wire-format data"
    );
}

#[test]
fn an_empty_message_has_all_its_fields() {
    assert_eq!(
        round("shop.v1.All", "{}").as_deref(),
        Ok(
            "{\"d\":0,\"f\":0,\"i32\":0,\"i64\":\"0\",\"u32\":0,\"u64\":\"0\",\"s32\":0,\"s64\":\"0\",\"f32\":0,\"f64\":\"0\",\"flag\":false,\"snakeCase\":\"\",\"raw\":\"\",\"colour\":\"COLOUR_UNSPECIFIED\",\"inner\":null,\"many\":[],\"byName\":{},\"byNumber\":{},\"x-named\":\"\"}"
        )
    );
}

#[test]
fn values_of_all_kinds_come_back() {
    let text = "{\"d\":1.5e3,\"f\":0.1,\"i32\":\"-7\",\"i64\":9007199254740993,\"u64\":\"18446744073709551615\",\"flag\":true,\"snake_case\":\"a\\\"\\u00e9\\n\\u0001\",\"raw\":\"_-8\",\"colour\":\"RED\",\"many\":[1,\"2\",1.0],\"byName\":{\"a\":1},\"byNumber\":{\"-3\":{\"colour\":9}},\"second\":4,\"maybe\":\"\",\"x-named\":\"n\",\"inner\":{\"d\":\"NaN\",\"f\":\"-Infinity\"}}";
    let back = round("shop.v1.All", text).expect("it is read");
    for part in [
        "\"d\":1500,\"f\":0.1,\"i32\":-7,\"i64\":\"9007199254740993\",",
        "\"u64\":\"18446744073709551615\"",
        "\"snakeCase\":\"a\\\"é\\n\\u0001\",\"raw\":\"/+8=\",\"colour\":\"RED\",\"inner\":{\"d\":\"NaN\",\"f\":\"-Infinity\",",
        "\"many\":[\"1\",\"2\",\"1\"],\"byName\":{\"a\":1},\"byNumber\":{\"-3\":{",
        "\"colour\":9",
        "\"second\":4,\"maybe\":\"\",\"x-named\":\"n\"}",
    ] {
        assert!(back.contains(part), "{part} in {back}");
    }
}

#[test]
fn known_messages_have_forms_of_their_own() {
    let text = "{\"any\":{\"@type\":\"type.googleapis.com/shop.v1.All\",\"i32\":5},\"duration\":\"-1.5s\",\"time\":\"2024-02-29T23:59:59.12+01:00\",\"object\":{\"a\":[1,null,{\"b\":true}]},\"value\":null,\"list\":[\"x\"],\"wrapped\":\"5\",\"mask\":\"fooBar,a.bC\",\"empty\":{},\"text\":\"\",\"thing\":{\"size\":0}}";
    let back = round("shop.v1.Known", text).expect("it is read");
    for part in [
        "{\"any\":{\"@type\":\"type.googleapis.com/shop.v1.All\",\"d\":0,",
        "\"duration\":\"-1.500s\",\"time\":\"2024-02-29T22:59:59.120Z\",\"object\":{\"a\":[1,null,{\"b\":true}]},\"value\":null,\"list\":[\"x\"],\"wrapped\":\"5\",\"mask\":\"fooBar,a.bC\",\"empty\":{},\"text\":\"\",\"nothing\":null,\"thing\":{\"size\":0,\"name\":null}}",
    ] {
        assert!(back.contains(part), "{part} in {back}");
    }
    let any = "{\"any\":{\"value\":\"3s\",\"@type\":\"x/google.protobuf.Duration\"}}";
    let back = round("shop.v1.Known", any).expect("it is read");
    assert!(
        back.starts_with(
            "{\"any\":{\"@type\":\"x/google.protobuf.Duration\",\"value\":\"3s\"},\"duration\":null"
        ),
        "{back}"
    );
}

#[test]
fn mistakes_are_told_with_their_place() {
    let all = |text| refused("shop.v1.All", text);
    assert_eq!(
        all("{\"nosuch\":1}"),
        "proto: (line 1:2): unknown field \"nosuch\""
    );
    assert_eq!(all("{\"é\":1}"), "proto: (line 1:2): unknown field \"é\"");
    assert_eq!(
        all("{\"d\":1,\n \"i32\":\"x\"}"),
        "proto: (line 2:8): invalid value for int32 field i32: \"x\""
    );
    assert_eq!(
        all("{\"i32\":1.5}"),
        "proto: (line 1:8): invalid value for int32 field i32: 1.5"
    );
    assert_eq!(
        all("{\"i32\":{}}"),
        "proto: (line 1:8): invalid value for int32 field i32: {"
    );
    assert_eq!(
        all("{\"u32\":-1}"),
        "proto: (line 1:8): invalid value for uint32 field u32: -1"
    );
    assert_eq!(
        all("{\"colour\":\"BLUE\"}"),
        "proto: (line 1:11): invalid value for enum field colour: \"BLUE\""
    );
    assert_eq!(
        all("{\"many\":{}}"),
        "proto: syntax error (line 1:9): unexpected token {"
    );
    assert_eq!(
        all("5"),
        "proto: syntax error (line 1:1): unexpected token 5"
    );
    assert_eq!(
        all("{\"snakeCase\":\"a\",\"snake_case\":\"b\"}"),
        "proto: (line 1:18): duplicate field \"snake_case\""
    );
    assert_eq!(
        all("{\"first\":\"a\",\"second\":1}"),
        "proto: (line 1:14): error parsing \"second\", oneof shop.v1.All.choice is already set"
    );
    assert_eq!(
        all("{\"byNumber\":{\"x\":{}}}"),
        "proto: (line 1:14): invalid value for int64 key: \"x\""
    );
    let known = |text| refused("shop.v1.Known", text);
    assert_eq!(
        known("{\"any\":{\"a\":1}}"),
        "proto: (line 1:8): missing \"@type\" field"
    );
    assert_eq!(
        known("{\"any\":{\"@type\":\"t/no.Such\"}}"),
        "proto: (line 1:17): unable to resolve \"t/no.Such\": \"not found\""
    );
    assert_eq!(
        known("{\"time\":\"2023-02-29T00:00:00Z\"}"),
        "proto: (line 1:9): invalid google.protobuf.Timestamp value \"2023-02-29T00:00:00Z\""
    );
    assert_eq!(
        known("{\"duration\":\"5\"}"),
        "proto: (line 1:13): invalid google.protobuf.Duration value \"5\""
    );
    assert_eq!(
        known("{\"thing\":{}}"),
        "proto: required field other.Thing.size not set"
    );
    assert_eq!(all("{"), "proto: unexpected EOF");
    assert_eq!(
        all("{\"d\":1,}"),
        "proto: syntax error (line 1:8): unexpected token }"
    );
    assert_eq!(
        all("{\"d\":nope}"),
        "proto: syntax error (line 1:6): invalid value nope"
    );
}

proptest::proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC*") {
        let schema = schema();
        let descriptor = schema.message("shop.v1.Known").expect("it is there");
        let _ = from_json(&text, &descriptor, &Types::default());
    }

    #[test]
    fn times_come_back(seconds in -62_135_596_800_i64..=253_402_300_799, nanos in 0..1_000_000_000_i32) {
        use prost_reflect::Value;
        let schema = schema();
        let descriptor = schema.message("google.protobuf.Timestamp").expect("imported");
        let mut message = DynamicMessage::new(descriptor.clone());
        message.set_field_by_number(1, Value::I64(seconds));
        message.set_field_by_number(2, Value::I32(nanos));
        let text = to_json(&message, &Types::default()).expect("in range");
        proptest::prop_assert_eq!(from_json(&text, &descriptor, &Types::default()), Ok(message));
    }
}
