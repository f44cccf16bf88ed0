//! Hard limits: what no setting may exceed.
//!
//! ```text
//! limit   = sum ("<=" | "<" | ">=" | ">") sum
//! sum     = product { ("+" | "-") product }
//! product = factor { ("*" | "/") factor }
//! factor  = number | name of a knob
//! ```

/// One limit: `pool * 2 <= 100`.
#[derive(Debug, Clone, PartialEq)]
pub struct HardLimit {
    text: String,
    left: Sum,
    operator: &'static str,
    right: Sum,
}

type Sum = Vec<(f64, Vec<(bool, Factor)>)>;

#[derive(Debug, Clone, PartialEq)]
enum Factor {
    Number(f64),
    Name(String),
}

const OPERATORS: [&str; 4] = ["<=", ">=", "<", ">"];

impl HardLimit {
    /// Reads one; `None` for what is none.
    pub(super) fn read(text: &str) -> Option<Self> {
        let operator = OPERATORS
            .into_iter()
            .find(|operator| text.contains(operator))?;
        let (left, right) = text.split_once(operator)?;
        Some(Self {
            text: text.trim().to_owned(),
            left: sum(left)?,
            operator,
            right: sum(right)?,
        })
    }

    /// The knobs it names.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let products = self.left.iter().chain(&self.right);
        products
            .flat_map(|(_, factors)| factors)
            .filter_map(|(_, factor)| match factor {
                Factor::Name(name) => Some(name.as_str()),
                Factor::Number(_) => None,
            })
    }

    /// Whether it holds; `None` when a name has no number.
    pub(super) fn holds(&self, value: impl Fn(&str) -> Option<f64>) -> Option<bool> {
        let (left, right) = (worth(&self.left, &value)?, worth(&self.right, &value)?);
        Some(match self.operator {
            "<=" => left <= right,
            ">=" => left >= right,
            "<" => left < right,
            _ => left > right,
        })
    }
}

impl std::fmt::Display for HardLimit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

fn worth(sum: &Sum, value: &impl Fn(&str) -> Option<f64>) -> Option<f64> {
    let mut total = 0.0;
    for (sign, factors) in sum {
        let mut product = *sign;
        for (divides, factor) in factors {
            let factor = match factor {
                Factor::Number(number) => *number,
                Factor::Name(name) => value(name)?,
            };
            product = if *divides {
                product / factor
            } else {
                product * factor
            };
        }
        total += product;
    }
    Some(total)
}

fn sum(text: &str) -> Option<Sum> {
    let mut found: Sum = Vec::new();
    let mut sign = 1.0;
    let mut divides = false;
    let mut factors = Vec::new();
    let spaced = ["+", "-", "*", "/"]
        .iter()
        .fold(text.to_owned(), |text, operator| {
            // A hyphen within a name is a part of it.
            if *operator == "-" {
                text
            } else {
                text.replace(operator, &format!(" {operator} "))
            }
        });
    let mut wants_factor = true;
    for word in spaced.split_whitespace() {
        match (word, wants_factor) {
            ("+" | "-", false) => {
                found.push((sign, std::mem::take(&mut factors)));
                sign = if word == "-" { -1.0 } else { 1.0 };
                divides = false;
                wants_factor = true;
            }
            ("*" | "/", false) => {
                divides = word == "/";
                wants_factor = true;
            }
            (word, true) if !["+", "-", "*", "/"].contains(&word) => {
                let factor = match word.parse::<f64>() {
                    Ok(number) => Factor::Number(number),
                    Err(_) => Factor::Name(word.to_owned()),
                };
                factors.push((divides, factor));
                wants_factor = false;
            }
            _ => return None,
        }
    }
    if wants_factor {
        return None;
    }
    found.push((sign, factors));
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_sums_of_products() {
        let value = |name: &str| match name {
            "pool" => Some(40.0),
            "max-instances" => Some(2.0),
            _ => None,
        };
        for (text, holds) in [
            ("pool * max-instances <= 100", Some(true)),
            ("pool*max-instances + 30 < 100", Some(false)),
            ("pool / 2 - 5 >= 15", Some(true)),
            ("heap <= 5", None),
        ] {
            assert_eq!(HardLimit::read(text).unwrap().holds(value), holds, "{text}");
        }
        for wrong in ["pool", "pool <=", "<= 5", "pool * <= 5", "pool 5 < 6"] {
            assert_eq!(HardLimit::read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_knobs_a_limit_names_are_known() {
        let limit = HardLimit::read("a * 2 + b <= c").unwrap();
        assert_eq!(limit.names().collect::<Vec<_>>(), ["a", "b", "c"]);
    }
}
