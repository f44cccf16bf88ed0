//! Links, media, lists, tables and all elements that do not belong to forms.

use super::super::address::Part;
use super::super::element::{Kind, Method, Read};
use super::reads;

const REFERRER_POLICIES: &[&str] = &[
    "no-referrer",
    "no-referrer-when-downgrade",
    "origin",
    "origin-when-cross-origin",
    "unsafe-url",
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

pub(super) static KINDS: &[Kind] = &[
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
        tag: "ins",
        type_name: "InsElement",
        methods: &[CHANGE],
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
