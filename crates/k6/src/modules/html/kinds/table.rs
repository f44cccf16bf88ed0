//! The elements with methods of their own, and what these read.

use super::super::address::Part;
use super::{Kind, Method, Read, reads};

/// The kind of a tag's elements.
pub(in super::super) fn of_tag(tag: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.tag == tag)
}

const REFERRER_POLICIES: &[&str] = &[
    "no-referrer",
    "no-referrer-when-downgrade",
    "origin",
    "origin-when-cross-origin",
    "unsafe-url",
];

const INPUT_TYPES: &[&str] = &[
    "button",
    "checkbox",
    "color",
    "date",
    "datetime-local",
    "email",
    "file",
    "hidden",
    "image",
    "month",
    "number",
    "password",
    "radio",
    "range",
    "reset",
    "search",
    "submit",
    "tel",
    "time",
    "url",
    "week",
];

const LINK: &[Method] = &[
    ("accessKey", Read::Text("accesskey")),
    ("download", Read::Text("download")),
    ("hash", Read::Part(Part::Hash)),
    ("host", Read::Part(Part::Host)),
    ("hostname", Read::Part(Part::Hostname)),
    ("href", Read::Address("href")),
    ("hrefLang", Read::Text("hreflang")),
    ("origin", Read::Part(Part::Origin)),
    ("password", Read::Part(Part::Password)),
    ("pathname", Read::Part(Part::Pathname)),
    ("port", Read::Part(Part::Port)),
    ("protocol", Read::Part(Part::Protocol)),
    (
        "referrerPolicy",
        Read::OneOf("referrerpolicy", REFERRER_POLICIES, ""),
    ),
    ("rel", Read::Text("rel")),
    ("relList", Read::Call(reads::rel_list)),
    ("search", Read::Part(Part::Search)),
    ("target", Read::Text("target")),
    ("text", Read::Call(reads::text)),
    ("toString", Read::Address("href")),
    ("type", Read::Text("type")),
    ("username", Read::Part(Part::Username)),
];

const MEDIA: &[Method] = &[
    ("autoplay", Read::Flag("autoplay")),
    ("controls", Read::Flag("controls")),
    ("crossOrigin", Read::CrossOrigin),
    ("currentSrc", Read::Text("src")),
    ("defaultMuted", Read::Flag("muted")),
    ("loop", Read::Flag("loop")),
    ("mediaGroup", Read::Text("mediagroup")),
    ("muted", Read::Flag("muted")),
    (
        "preload",
        Read::OneOf("preload", &["metadata", "none"], "auto"),
    ),
    ("src", Read::Address("src")),
    ("textTracks", Read::Call(reads::text_tracks)),
];

const FORM_FIELD: &[Method] = &[
    ("form", Read::Call(reads::form)),
    ("formAction", Read::Call(reads::form_action)),
    ("formEnctype", Read::Call(reads::form_enctype)),
    ("formMethod", Read::Call(reads::form_method)),
    ("formNoValidate", Read::Call(reads::form_no_validate)),
    ("formTarget", Read::Call(reads::form_target)),
    ("labels", Read::Call(reads::labels)),
    ("name", Read::Text("name")),
];

const CHANGE: &[Method] = &[
    ("cite", Read::Text("cite")),
    ("datetime", Read::Text("datetime")),
];

const TABLE_SECTION: &[Method] = &[("rows", Read::Call(reads::rows))];

const TABLE_CELL: &[Method] = &[
    ("cellIndex", Read::Call(reads::cell_index)),
    ("colSpan", Read::Number("colspan", 1)),
    ("headers", Read::Text("headers")),
    ("rowSpan", Read::Number("rowspan", 1)),
];

static KINDS: &[Kind] = &[
    Kind {
        tag: "a",
        type_name: "AnchorElement",
        methods: &[LINK],
    },
    Kind {
        tag: "area",
        type_name: "AreaElement",
        methods: &[LINK],
    },
    Kind {
        tag: "audio",
        type_name: "AudioElement",
        methods: &[MEDIA],
    },
    Kind {
        tag: "base",
        type_name: "BaseElement",
        methods: &[&[
            ("href", Read::Call(reads::base_href)),
            ("target", Read::Text("target")),
        ]],
    },
    Kind {
        tag: "button",
        type_name: "ButtonElement",
        methods: &[
            FORM_FIELD,
            &[
                ("accessKey", Read::Text("accesskey")),
                ("autofocus", Read::Flag("autofocus")),
                ("disabled", Read::Flag("disabled")),
                ("tabIndex", Read::Number("tabindex", 0)),
                (
                    "type",
                    Read::OneOf("type", &["button", "menu", "reset"], "submit"),
                ),
                ("value", Read::Call(reads::value)),
            ],
        ],
    },
    Kind {
        tag: "canvas",
        type_name: "CanvasElement",
        methods: &[&[
            ("height", Read::Number("height", 150)),
            ("width", Read::Number("width", 150)),
        ]],
    },
    Kind {
        tag: "data",
        type_name: "DataElement",
        methods: &[&[("value", Read::Text("value"))]],
    },
    Kind {
        tag: "datalist",
        type_name: "DataListElement",
        methods: &[&[("options", Read::Call(reads::options))]],
    },
    Kind {
        tag: "del",
        type_name: "DelElement",
        methods: &[CHANGE],
    },
    Kind {
        tag: "embed",
        type_name: "EmbedElement",
        methods: &[&[
            ("height", Read::Text("height")),
            ("src", Read::Text("src")),
            ("type", Read::Text("type")),
            ("width", Read::Text("width")),
        ]],
    },
    Kind {
        tag: "fieldset",
        type_name: "FieldSetElement",
        methods: &[&[
            ("disabled", Read::Flag("disabled")),
            ("elements", Read::Call(reads::fieldset_elements)),
            ("form", Read::Call(reads::fieldset_form)),
            ("name", Read::Text("name")),
            ("type", Read::Fixed("fieldset")),
            ("validity", Read::Call(reads::undefined)),
        ]],
    },
    Kind {
        tag: "form",
        type_name: "FormElement",
        methods: &[&[
            ("acceptCharset", Read::Text("accept-charset")),
            ("action", Read::Address("action")),
            ("autocomplete", Read::OneOf("autocomplete", &["off"], "on")),
            ("elements", Read::Call(reads::form_elements)),
            (
                "encoding",
                Read::OneOf(
                    "enctype",
                    &["multipart/form-data", "text/plain"],
                    "application/x-www-form-urlencoded",
                ),
            ),
            (
                "enctype",
                Read::OneOf(
                    "enctype",
                    &["multipart/form-data", "text/plain"],
                    "application/x-www-form-urlencoded",
                ),
            ),
            ("length", Read::Call(reads::form_length)),
            ("method", Read::Call(reads::form_method_attribute)),
            ("name", Read::Text("name")),
            ("noValidate", Read::Flag("novalidate")),
            ("target", Read::Text("target")),
        ]],
    },
    Kind {
        tag: "iframe",
        type_name: "IFrameElement",
        methods: &[&[
            ("allowfullscreen", Read::Flag("allowfullscreen")),
            ("height", Read::Text("height")),
            ("name", Read::Text("name")),
            (
                "referrerPolicy",
                Read::OneOf("referrerpolicy", REFERRER_POLICIES, ""),
            ),
            ("src", Read::Address("src")),
            ("width", Read::Text("width")),
        ]],
    },
    Kind {
        tag: "img",
        type_name: "ImageElement",
        methods: &[&[
            ("alt", Read::Text("alt")),
            ("crossOrigin", Read::CrossOrigin),
            ("currentSrc", Read::Address("src")),
            ("height", Read::Number("height", 0)),
            ("isMap", Read::Flag("ismap")),
            ("name", Read::Text("name")),
            (
                "referrerPolicy",
                Read::OneOf("referrerpolicy", REFERRER_POLICIES, ""),
            ),
            ("sizes", Read::Text("sizes")),
            ("src", Read::Address("src")),
            ("srcset", Read::Text("srcset")),
            ("useMap", Read::Text("usemap")),
            ("width", Read::Number("width", 0)),
        ]],
    },
    Kind {
        tag: "input",
        type_name: "InputElement",
        methods: &[
            FORM_FIELD,
            &[
                ("accept", Read::Text("accept")),
                ("accessKey", Read::Text("accesskey")),
                ("alt", Read::Text("alt")),
                ("autocomplete", Read::OneOf("autocomplete", &["off"], "on")),
                ("autofocus", Read::Flag("autofocus")),
                ("checked", Read::Flag("checked")),
                ("defaultChecked", Read::Flag("checked")),
                ("defaultValue", Read::Text("value")),
                ("dirName", Read::Text("dirname")),
                ("disabled", Read::Flag("disabled")),
                ("height", Read::Text("height")),
                ("list", Read::Call(reads::input_list)),
                ("max", Read::Text("max")),
                ("maxLength", Read::Number("maxlength", -1)),
                ("min", Read::Text("min")),
                ("multiple", Read::Flag("multiple")),
                ("pattern", Read::Text("pattern")),
                ("placeholder", Read::Text("placeholder")),
                ("readonly", Read::Flag("readonly")),
                ("required", Read::Flag("required")),
                ("size", Read::Number("size", 0)),
                ("src", Read::Address("src")),
                ("step", Read::Text("step")),
                ("tabIndex", Read::Number("tabindex", 0)),
                ("type", Read::OneOf("type", INPUT_TYPES, "text")),
                ("value", Read::Text("value")),
                ("width", Read::Text("width")),
            ],
        ],
    },
    Kind {
        tag: "ins",
        type_name: "InsElement",
        methods: &[CHANGE],
    },
    Kind {
        tag: "keygen",
        type_name: "KeygenElement",
        methods: &[&[
            ("autofocus", Read::Flag("autofocus")),
            ("challenge", Read::Text("challenge")),
            ("disabled", Read::Flag("disabled")),
            ("form", Read::Call(reads::form)),
            ("keytype", Read::OneOf("keytype", &["DSA", "EC"], "RSA")),
            ("labels", Read::Call(reads::labels)),
            ("name", Read::Text("name")),
            ("type", Read::Fixed("keygen")),
        ]],
    },
    Kind {
        tag: "label",
        type_name: "LabelElement",
        methods: &[&[
            ("control", Read::Call(reads::label_control)),
            ("form", Read::Call(reads::form)),
            ("htmlFor", Read::Text("for")),
        ]],
    },
    Kind {
        tag: "legend",
        type_name: "LegendElement",
        methods: &[&[
            ("accessKey", Read::Text("accesskey")),
            ("form", Read::Call(reads::form)),
        ]],
    },
    Kind {
        tag: "li",
        type_name: "LiElement",
        methods: &[&[
            (
                "type",
                Read::OneOf(
                    "type",
                    &["1", "a", "A", "i", "I", "disc", "square", "circle"],
                    "",
                ),
            ),
            ("value", Read::Number("value", 0)),
        ]],
    },
    Kind {
        tag: "link",
        type_name: "LinkElement",
        methods: &[&[
            ("crossOrigin", Read::CrossOrigin),
            ("href", Read::Address("href")),
            ("hreflang", Read::Text("hreflang")),
            ("media", Read::Text("media")),
            (
                "referrerPolicy",
                Read::OneOf("referrerpolicy", REFERRER_POLICIES, ""),
            ),
            ("rel", Read::Text("rel")),
            ("relList", Read::Call(reads::rel_list)),
            ("target", Read::Text("target")),
            ("type", Read::Text("type")),
        ]],
    },
    Kind {
        tag: "map",
        type_name: "MapElement",
        methods: &[&[
            ("areas", Read::Call(reads::map_areas)),
            ("images", Read::Call(reads::map_images)),
            ("name", Read::Text("name")),
        ]],
    },
    Kind {
        tag: "meta",
        type_name: "MetaElement",
        methods: &[&[
            ("content", Read::Text("content")),
            (
                "httpEquiv",
                Read::OneOf("http-equiv", &["default-style", "refresh"], "content-type"),
            ),
            ("name", Read::Text("name")),
        ]],
    },
    Kind {
        tag: "meter",
        type_name: "MeterElement",
        methods: &[&[
            ("high", Read::Number("high", 0)),
            ("labels", Read::Call(reads::labels)),
            ("low", Read::Number("low", 0)),
            ("max", Read::Number("max", 0)),
            ("min", Read::Number("min", 0)),
            ("optimum", Read::Number("optimum", 0)),
        ]],
    },
    Kind {
        tag: "object",
        type_name: "ObjectElement",
        methods: &[&[
            ("data", Read::Address("data")),
            ("form", Read::Call(reads::form)),
            ("height", Read::Text("height")),
            ("name", Read::Text("name")),
            ("tabIndex", Read::Number("tabindex", 0)),
            ("type", Read::Text("type")),
            ("typeMustMatch", Read::Flag("typemustmatch")),
            ("useMap", Read::Text("usemap")),
            ("width", Read::Text("width")),
        ]],
    },
    Kind {
        tag: "ol",
        type_name: "OListElement",
        methods: &[&[
            ("reversed", Read::Flag("reversed")),
            ("start", Read::Number("start", 0)),
            ("type", Read::OneOf("type", &["a", "A", "i", "I"], "1")),
        ]],
    },
    Kind {
        tag: "optgroup",
        type_name: "OptGroupElement",
        methods: &[&[
            ("disabled", Read::Flag("disabled")),
            ("label", Read::Text("label")),
        ]],
    },
    Kind {
        tag: "option",
        type_name: "OptionElement",
        methods: &[&[
            ("defaultSelected", Read::Flag("selected")),
            ("disabled", Read::Call(reads::option_disabled)),
            ("form", Read::Call(reads::option_form)),
            ("index", Read::Call(reads::option_index)),
            ("label", Read::Call(reads::option_label)),
            ("selected", Read::Flag("selected")),
            ("text", Read::Call(reads::text)),
            ("value", Read::Call(reads::value)),
        ]],
    },
    Kind {
        tag: "output",
        type_name: "OutputElement",
        methods: &[&[
            ("defaultValue", Read::Call(reads::text)),
            ("form", Read::Call(reads::form)),
            ("htmlFor", Read::Text("for")),
            ("labels", Read::Call(reads::labels)),
            ("name", Read::Text("name")),
            ("type", Read::Fixed("output")),
            ("value", Read::Call(reads::text)),
        ]],
    },
    Kind {
        tag: "param",
        type_name: "ParamElement",
        methods: &[&[("name", Read::Text("name")), ("value", Read::Text("value"))]],
    },
    Kind {
        tag: "pre",
        type_name: "PreElement",
        methods: &[&[("name", Read::Text("name")), ("value", Read::Text("value"))]],
    },
    Kind {
        tag: "progress",
        type_name: "ProgressElement",
        methods: &[&[
            ("labels", Read::Call(reads::labels)),
            ("max", Read::Call(reads::progress_max)),
            ("position", Read::Call(reads::progress_position)),
            ("value", Read::Call(reads::progress_value)),
        ]],
    },
    Kind {
        tag: "quote",
        type_name: "QuoteElement",
        methods: &[&[("cite", Read::Text("cite"))]],
    },
    Kind {
        tag: "script",
        type_name: "ScriptElement",
        methods: &[&[
            ("async", Read::Flag("async")),
            ("charset", Read::Text("charset")),
            ("crossOrigin", Read::Text("crossorigin")),
            ("defer", Read::Flag("defer")),
            ("noModule", Read::Flag("nomodule")),
            ("src", Read::Address("src")),
            ("text", Read::Call(reads::text)),
            ("type", Read::Text("type")),
        ]],
    },
    Kind {
        tag: "select",
        type_name: "SelectElement",
        methods: &[&[
            ("autofocus", Read::Flag("autofocus")),
            ("disabled", Read::Flag("disabled")),
            ("form", Read::Call(reads::form)),
            ("labels", Read::Call(reads::labels)),
            ("length", Read::Call(reads::select_length)),
            ("multiple", Read::Flag("multiple")),
            ("name", Read::Text("name")),
            ("options", Read::Call(reads::options)),
            ("required", Read::Flag("required")),
            ("selectedIndex", Read::Call(reads::selected_index)),
            ("selectedOptions", Read::Call(reads::selected_options)),
            ("size", Read::Call(reads::select_size)),
            ("tabIndex", Read::Number("tabindex", 0)),
            ("type", Read::Call(reads::select_type)),
            ("value", Read::Call(reads::select_value)),
        ]],
    },
    Kind {
        tag: "source",
        type_name: "SourceElement",
        methods: &[&[
            ("keySystem", Read::Text("keysystem")),
            ("media", Read::Text("media")),
            ("sizes", Read::Text("sizes")),
            ("src", Read::Text("src")),
            ("srcset", Read::Text("srcset")),
            ("type", Read::Text("type")),
        ]],
    },
    Kind {
        tag: "style",
        type_name: "StyleElement",
        methods: &[&[
            ("media", Read::Text("media")),
            ("type", Read::Call(reads::style_type)),
        ]],
    },
    Kind {
        tag: "table",
        type_name: "TableElement",
        methods: &[&[
            ("caption", Read::Call(reads::table_caption)),
            ("rows", Read::Call(reads::rows)),
            ("sortable", Read::Flag("sortable")),
            ("tBodies", Read::Call(reads::table_bodies)),
            ("tFoot", Read::Call(reads::table_foot)),
            ("tHead", Read::Call(reads::table_head)),
        ]],
    },
    Kind {
        tag: "tbody",
        type_name: "TableBodyElement",
        methods: &[TABLE_SECTION],
    },
    Kind {
        tag: "col",
        type_name: "TableColElement",
        methods: &[&[("span", Read::Call(reads::column_span))]],
    },
    Kind {
        tag: "td",
        type_name: "TableDataCellElement",
        methods: &[TABLE_CELL],
    },
    Kind {
        tag: "tfoot",
        type_name: "TableFootElement",
        methods: &[TABLE_SECTION],
    },
    Kind {
        tag: "thead",
        type_name: "TableHeadElement",
        methods: &[TABLE_SECTION],
    },
    Kind {
        tag: "th",
        type_name: "TableHeaderCellElement",
        methods: &[
            TABLE_CELL,
            &[
                ("abbr", Read::Text("abbr")),
                (
                    "scope",
                    Read::OneOf("scope", &["row", "col", "colgroup", "rowgroup"], ""),
                ),
                ("sorted", Read::Flag("sorted")),
            ],
        ],
    },
    Kind {
        tag: "tr",
        type_name: "TableRowElement",
        methods: &[&[
            ("cells", Read::Call(reads::cells)),
            ("rowIndex", Read::Call(reads::row_index)),
            ("sectionRowIndex", Read::Call(reads::section_row_index)),
        ]],
    },
    Kind {
        tag: "textarea",
        type_name: "TextAreaElement",
        methods: &[&[
            ("accessKey", Read::Text("accesskey")),
            (
                "autocapitalize",
                Read::OneOf(
                    "autocapitalize",
                    &["none", "off", "characters", "words"],
                    "sentences",
                ),
            ),
            ("autocomplete", Read::OneOf("autocomplete", &["off"], "on")),
            ("cols", Read::Number("cols", 0)),
            ("defaultValue", Read::Text("value")),
            ("form", Read::Call(reads::form)),
            ("labels", Read::Call(reads::labels)),
            ("length", Read::Call(reads::text_area_length)),
            ("maxLength", Read::Number("maxlength", 0)),
            ("placeholder", Read::Text("placeholder")),
            ("readOnly", Read::Flag("readonly")),
            ("required", Read::Flag("required")),
            ("rows", Read::Number("rows", 0)),
            ("tabIndex", Read::Number("tabindex", 0)),
            ("type", Read::Fixed("textarea")),
            ("value", Read::Text("value")),
            ("wrap", Read::OneOf("wrap", &["hard", "off"], "soft")),
        ]],
    },
    Kind {
        tag: "time",
        type_name: "TimeElement",
        methods: &[&[("datetime", Read::Text("datetime"))]],
    },
    Kind {
        tag: "title",
        type_name: "TitleElement",
        methods: &[&[("text", Read::Call(reads::text))]],
    },
    Kind {
        tag: "track",
        type_name: "TrackElement",
        methods: &[&[
            ("default", Read::Flag("default")),
            (
                "kind",
                Read::OneOf(
                    "kind",
                    &["captions", "descriptions", "chapters", "metadata"],
                    "subtitle",
                ),
            ),
            ("label", Read::Text("label")),
            ("src", Read::Address("src")),
            ("srclang", Read::Text("srclang")),
        ]],
    },
    Kind {
        tag: "ul",
        type_name: "UListElement",
        methods: &[&[("type", Read::Text("type"))]],
    },
    Kind {
        tag: "video",
        type_name: "VideoElement",
        methods: &[MEDIA],
    },
];
