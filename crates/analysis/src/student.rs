//! Student's t distribution: how far a mean of few values may lie off.

/// The t below which a share `p` (between 0.5 and 1) of the distribution with so many
/// degrees of freedom (at least 1, also fractional as Welch's are) lies.
pub(crate) fn quantile(p: f64, freedom: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    while cumulative(high, freedom) < p && high < 1e9 {
        high *= 2.0;
    }
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if cumulative(middle, freedom) < p {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

/// The share of the distribution below `t` ≥ 0.
fn cumulative(t: f64, freedom: f64) -> f64 {
    let x = freedom / (freedom + t * t);
    1.0 - 0.5 * incomplete_beta(x, freedom / 2.0, 0.5)
}

/// The regularised incomplete beta function.
fn incomplete_beta(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    let front = a * x.ln() + b * (1.0 - x).ln() + log_gamma(a + b) - log_gamma(a) - log_gamma(b);
    if x < (a + 1.0) / (a + b + 2.0) {
        front.exp() * fraction(x, a, b) / a
    } else {
        1.0 - front.exp() * fraction(1.0 - x, b, a) / b
    }
}

/// Its continued fraction, by Lentz's method.
fn fraction(x: f64, a: f64, b: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let bounded = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut c = 1.0;
    let mut d = 1.0 / bounded(1.0 - (a + b) * x / (a + 1.0));
    let mut result = d;
    for step in 1..300 {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / bounded(1.0 + even * d);
        c = bounded(1.0 + even / c);
        result *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / bounded(1.0 + odd * d);
        c = bounded(1.0 + odd / c);
        result *= d * c;
        if (d * c - 1.0).abs() < 1e-14 {
            break;
        }
    }
    result
}

/// The logarithm of the gamma function, by Lanczos' approximation (g = 7, n = 9).
fn log_gamma(x: f64) -> f64 {
    const TERMS: [f64; 9] = [
        0.999_999_999_999_809_9,
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    if x < 0.5 {
        let pi = std::f64::consts::PI;
        return (pi / (pi * x).sin()).ln() - log_gamma(1.0 - x);
    }
    let x = x - 1.0;
    let mut sum = TERMS[0];
    for (place, term) in (1_u32..).zip(&TERMS[1..]) {
        sum += term / (x + f64::from(place));
    }
    let t = x + 7.5;
    0.5 * (2.0 * std::f64::consts::PI).ln() + (x + 0.5) * t.ln() - t + sum.ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of the tables in every textbook.
    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (p, freedom, t) in [
            (0.975, 1.0, 12.706),
            (0.975, 4.0, 2.776),
            (0.975, 10.0, 2.228),
            (0.95, 10.0, 1.812),
            (0.995, 30.0, 2.750),
            (0.975, 1000.0, 1.962),
        ] {
            let found = quantile(p, freedom);
            assert!((found - t).abs() < 0.001, "{p} {freedom}: {found} {t}");
        }
    }

    #[test]
    fn more_freedom_is_never_wider() {
        let mut last = f64::INFINITY;
        for freedom in [1.0, 1.5, 2.7, 5.0, 12.0, 100.0] {
            let t = quantile(0.99, freedom);
            assert!(t < last);
            last = t;
        }
    }
}
