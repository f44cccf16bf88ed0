//! Fake people, places and things, under the names of Artillery's `fake-data` plugin.

use super::random_string::random_string;
use loadline_units::Random;

/// Makes a value.
pub(super) type Maker = fn(&Random) -> String;

const FIRST: &[&str] = &[
    "Ada", "Grace", "Linus", "Mina", "Jun", "Sora", "Alan", "Edith", "Ivan", "Noor", "Hana", "Leo",
    "Marta", "Owen", "Yuna", "Karim",
];
const LAST: &[&str] = &[
    "Lovelace", "Hopper", "Kim", "Lee", "Park", "Turing", "Clarke", "Novak", "Silva", "Okafor",
    "Haas", "Moreau", "Tanaka", "Berg",
];
const CITIES: &[&str] = &[
    "Seoul", "Busan", "Lisbon", "Oslo", "Quito", "Nairobi", "Turin", "Leeds", "Gdansk", "Perth",
];
const COUNTRIES: &[&str] = &[
    "Korea",
    "Portugal",
    "Norway",
    "Ecuador",
    "Kenya",
    "Italy",
    "Poland",
    "Australia",
    "Chile",
];
const WORDS: &[&str] = &[
    "lorem", "ipsum", "dolor", "sit", "amet", "tempus", "vires", "acies", "unda", "terra", "lumen",
    "nox", "via", "cura", "mensa", "porta",
];
const COLORS: &[&str] = &["red", "green", "teal", "indigo", "amber", "ivory", "violet"];
const JOBS: &[&str] = &[
    "Engineer",
    "Designer",
    "Analyst",
    "Manager",
    "Architect",
    "Operator",
];
const LEVELS: &[&str] = &["Senior", "Lead", "Junior", "Chief", "Global"];
const THINGS: &[&str] = &[
    "Chair", "Lamp", "Keyboard", "Towel", "Bicycle", "Mug", "Desk",
];
const MATERIALS: &[&str] = &["Wooden", "Steel", "Cotton", "Granite", "Plastic"];
const ENDINGS: &[&str] = &["Inc", "Group", "LLC", "and Sons"];
const DOMAINS: &[&str] = &["example.com", "example.org", "example.net"];

fn pick(random: &Random, from: &[&'static str]) -> &'static str {
    from[random.below(from.len())]
}

fn digits(random: &Random, count: usize) -> String {
    (0..count)
        .map(|_| char::from(b'0' + u8::try_from(random.below(10)).unwrap_or(0)))
        .collect()
}

fn email(random: &Random) -> String {
    let (first, last) = (pick(random, FIRST), pick(random, LAST));
    let name = format!("{first}.{last}{}", random.below(1000)).to_lowercase();
    format!("{name}@{}", pick(random, DOMAINS))
}

fn full_name(random: &Random) -> String {
    format!("{} {}", pick(random, FIRST), pick(random, LAST))
}

fn user_name(random: &Random) -> String {
    format!(
        "{}_{}{}",
        pick(random, FIRST),
        pick(random, LAST),
        random.below(100)
    )
}

fn words(random: &Random, count: usize) -> String {
    (0..count)
        .map(|_| pick(random, WORDS))
        .collect::<Vec<_>>()
        .join(" ")
}

fn sentence(random: &Random) -> String {
    let text = words(random, 4 + random.below(7));
    let (first, rest) = text.split_at(1);
    format!("{}{rest}.", first.to_uppercase())
}

fn paragraph(random: &Random) -> String {
    (0..3)
        .map(|_| sentence(random))
        .collect::<Vec<_>>()
        .join(" ")
}

fn password(random: &Random) -> String {
    random_string(random, 15.0)
}

fn ipv4(random: &Random) -> String {
    let part = || random.below(256);
    format!("{}.{}.{}.{}", part(), part(), part(), part())
}

fn street(random: &Random) -> String {
    format!("{} {} Street", 1 + random.below(999), pick(random, LAST))
}

fn company(random: &Random) -> String {
    format!("{} {}", pick(random, LAST), pick(random, ENDINGS))
}

fn job(random: &Random) -> String {
    format!("{} {}", pick(random, LEVELS), pick(random, JOBS))
}

fn product(random: &Random) -> String {
    format!("{} {}", pick(random, MATERIALS), pick(random, THINGS))
}

/// The name and the function of each.
const MAKERS: &[(&str, Maker)] = &[
    ("internetEmail", email),
    ("internetUsername", user_name),
    ("internetUserName", user_name),
    ("internetPassword", password),
    ("internetUrl", |r| {
        format!("https://{}.{}/", pick(r, WORDS), pick(r, DOMAINS))
    }),
    ("internetIpv4", ipv4),
    ("internetIp", ipv4),
    ("internetDomainName", |r| {
        format!("{}.{}", pick(r, WORDS), pick(r, DOMAINS))
    }),
    ("internetUserAgent", |_| {
        "Mozilla/5.0 (X11; Linux x86_64)".to_owned()
    }),
    ("internetMac", |r| {
        (0..6).map(|_| r.hex(2)).collect::<Vec<_>>().join(":")
    }),
    ("personFullName", full_name),
    ("personFirstName", |r| pick(r, FIRST).to_owned()),
    ("personLastName", |r| pick(r, LAST).to_owned()),
    ("personJobTitle", job),
    ("stringUuid", Random::uuid),
    ("stringAlpha", |r| random_string(r, 1.0)),
    ("stringAlphanumeric", |r| random_string(r, 1.0)),
    ("stringNumeric", |r| digits(r, 1)),
    ("stringHexadecimal", |r| format!("0x{}", r.hex(1))),
    ("stringNanoid", |r| random_string(r, 21.0)),
    ("phoneNumber", |r| {
        format!("{}-{}-{}", digits(r, 3), digits(r, 3), digits(r, 4))
    }),
    ("locationCity", |r| pick(r, CITIES).to_owned()),
    ("locationCountry", |r| pick(r, COUNTRIES).to_owned()),
    ("locationStreetAddress", street),
    ("locationStreet", |r| format!("{} Street", pick(r, LAST))),
    ("locationZipCode", |r| digits(r, 5)),
    ("locationLatitude", |r| {
        format!("{:.4}", r.unit() * 180.0 - 90.0)
    }),
    ("locationLongitude", |r| {
        format!("{:.4}", r.unit() * 360.0 - 180.0)
    }),
    ("companyName", company),
    ("numberInt", |r| (r.next() >> 11).to_string()),
    ("numberFloat", |r| format!("{}", r.unit())),
    ("datatypeBoolean", |r| (r.below(2) == 1).to_string()),
    ("loremWord", |r| pick(r, WORDS).to_owned()),
    ("loremWords", |r| words(r, 3)),
    ("loremSentence", sentence),
    ("loremParagraph", paragraph),
    ("loremText", paragraph),
    ("loremSlug", |r| words(r, 3).replace(' ', "-")),
    ("colorHuman", |r| pick(r, COLORS).to_owned()),
    ("colorRgb", |r| format!("#{}", r.hex(6))),
    ("commerceProductName", product),
    ("commerceProduct", |r| pick(r, THINGS).to_owned()),
    ("commercePrice", |r| {
        format!("{}.{}", 1 + r.below(999), digits(r, 2))
    }),
    ("financeAmount", |r| {
        format!("{}.{}", r.below(1000), digits(r, 2))
    }),
    ("financeCreditCardNumber", |r| digits(r, 16)),
    ("dateMonth", |r| {
        pick(r, &["January", "May", "August", "December"]).to_owned()
    }),
    ("dateWeekday", |r| {
        pick(r, &["Monday", "Thursday", "Sunday"]).to_owned()
    }),
];

/// Deprecated names, with the present ones.
const ALIASES: &[(&str, &str)] = &[
    ("randEmail", "internetEmail"),
    ("randFullName", "personFullName"),
    ("randFirstName", "personFirstName"),
    ("randLastName", "personLastName"),
    ("randUserName", "internetUsername"),
    ("randPassword", "internetPassword"),
    ("randUuid", "stringUuid"),
    ("randPhoneNumber", "phoneNumber"),
    ("randCity", "locationCity"),
    ("randCountry", "locationCountry"),
    ("randStreetAddress", "locationStreetAddress"),
    ("randZipCode", "locationZipCode"),
    ("randCompanyName", "companyName"),
    ("randNumber", "numberInt"),
    ("randBoolean", "datatypeBoolean"),
    ("randUrl", "internetUrl"),
    ("randIp", "internetIpv4"),
    ("randWord", "loremWord"),
    ("randSentence", "loremSentence"),
    ("randParagraph", "loremParagraph"),
    ("randText", "loremText"),
    ("randJobTitle", "personJobTitle"),
    ("randColor", "colorHuman"),
    ("randProductName", "commerceProductName"),
];

/// All names, including deprecated ones.
pub fn names() -> impl Iterator<Item = &'static str> {
    let makers = MAKERS.iter().map(|(name, _)| *name);
    makers.chain(ALIASES.iter().map(|(name, _)| *name))
}

pub(super) fn find(name: &str) -> Option<Maker> {
    let name = ALIASES
        .iter()
        .find(|(alias, _)| *alias == name)
        .map_or(name, |(_, name)| *name);
    MAKERS
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, maker)| *maker)
}
