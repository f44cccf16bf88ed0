//! Writes a year of access log with known shares, for measuring and for trying `plan --log`.
//!
//! `cargo run --release -p loadline-sizing --example access_log -- LINES [SEED] > year.log`
//!
//! Three kinds of request: `GET /deers?userId=&deerId=` 55.30 %, `POST /deers` 42.50 %,
//! `GET /deers/{id}` 2.20 %. Load follows the hour of the day, doubles over the year, and
//! has its busiest minute at noon of 30 November. One of 200 POSTs fails and
//! is sent again at once, beside the number of lines asked for.

use std::io::{self, BufWriter, Write};

use loadline_units::Random;

const LOG_DAYS: u64 = 365;
const MONTHS: [(&str, u64); 12] = [
    ("Jan", 31),
    ("Feb", 29),
    ("Mar", 31),
    ("Apr", 30),
    ("May", 31),
    ("Jun", 30),
    ("Jul", 31),
    ("Aug", 31),
    ("Sep", 30),
    ("Oct", 31),
    ("Nov", 30),
    ("Dec", 31),
];
/// Requests in the 12 hours either side of noon, relative.
const REQUESTS_PER_HOUR: [u64; 24] = [
    3, 2, 1, 1, 1, 2, 4, 8, 12, 14, 15, 16, 18, 16, 15, 14, 14, 14, 13, 12, 11, 9, 7, 5,
];

/// A number below `most`.
fn below(random: &Random, most: u64) -> u64 {
    random.next() % most
}

/// Somebody who sends a few requests, one after another.
#[derive(Clone, Copy, Default)]
struct Visitor {
    user: u64,
    left: u64,
}

fn main() -> io::Result<()> {
    let mut args = std::env::args().skip(1);
    let lines: u64 = args
        .next()
        .and_then(|n| n.parse().ok())
        .unwrap_or(1_000_000);
    let random = Random::new(args.next().and_then(|n| n.parse().ok()).unwrap_or(1));
    let mut out = BufWriter::with_capacity(1 << 20, io::stdout().lock());
    let mut visitors = [Visitor::default(); 8];
    let hours: u64 = REQUESTS_PER_HOUR.iter().sum();
    let busy = lines / 2000;
    // Shares of days and hours are summed up, so that none of the lines is lost to rounding.
    let weights = LOG_DAYS * (3 * LOG_DAYS - 1) * hours;
    let (mut weight, mut written) = (0_u64, 0_u64);
    for day in 0..LOG_DAYS {
        for (hour, of_hour) in (0..).zip(REQUESTS_PER_HOUR) {
            // From 2/3 of the mean to 4/3: it doubles.
            weight += (2 * LOG_DAYS + 2 * day) * of_hour;
            let until = u128::from(lines - busy) * u128::from(weight) / u128::from(weights);
            let count = u64::try_from(until).unwrap_or(u64::MAX) - written;
            for number in 0..count {
                let second = hour * 3600 + number * 3600 / count;
                line(&mut out, &random, &mut visitors, When { day, second })?;
            }
            written += count;
            if day == 334 && hour == 12 {
                for number in 0..busy {
                    let second = hour * 3600 + number * 60 / busy;
                    line(&mut out, &random, &mut visitors, When { day, second })?;
                }
            }
        }
    }
    out.flush()
}

/// A second of a day of the year.
#[derive(Clone, Copy)]
struct When {
    day: u64,
    second: u64,
}

/// What a request asks for, by whom.
#[derive(Clone, Copy)]
struct Asked {
    kind: u64,
    user: u64,
    deer: u64,
}

fn line(
    out: &mut impl Write,
    random: &Random,
    visitors: &mut [Visitor; 8],
    when: When,
) -> io::Result<()> {
    let visitor = &mut visitors[usize::try_from(below(random, 8)).unwrap_or(0)];
    if visitor.left == 0 {
        visitor.user = below(random, 3_000_000);
        visitor.left = 2 + below(random, 9);
    }
    visitor.left -= 1;
    let kind = below(random, 10_000);
    let deer = below(random, 100_000_000);
    let fails = kind < 4250 && below(random, 200) == 0;
    let status = if fails { 503 } else { 200 };
    let user = visitor.user;
    let asked = Asked { kind, user, deer };
    entry(out, when, asked, status)?;
    if fails {
        // The repetition is one more line beside the shares: 0.2 % of them.
        entry(out, when, asked, 200)?;
    }
    Ok(())
}

fn entry(
    out: &mut impl Write,
    When { day, second }: When,
    Asked { kind, user, deer }: Asked,
    status: u16,
) -> io::Result<()> {
    let (mut month, mut of_month) = (0, day);
    while of_month >= MONTHS[month].1 {
        of_month -= MONTHS[month].1;
        month += 1;
    }
    write!(
        out,
        "10.{}.{}.{} - - [{:02}/{}/2024:{:02}:{:02}:{:02} +0900] \"",
        user >> 16,
        (user >> 8) & 255,
        user & 255,
        of_month + 1,
        MONTHS[month].0,
        second / 3600,
        second / 60 % 60,
        second % 60
    )?;
    match kind {
        0..4250 => write!(out, "POST /deers")?,
        4250..9780 => write!(out, "GET /deers?userId={user}&deerId={deer}")?,
        _ => write!(out, "GET /deers/{deer}")?,
    }
    writeln!(
        out,
        " HTTP/1.1\" {status} {} \"https://shop.example.com/page\" \"Mozilla/5.0 (Linux; Android 14; SM-S918N) AppleWebKit/537.36 Mobile\" 0.{:03}",
        100 + deer % 900,
        20 + deer % 180
    )
}
