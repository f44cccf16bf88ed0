//! The beta and gamma functions, which distributions are made of.

/// The regularised incomplete beta function.
pub(crate) fn incomplete_beta(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    let front = a * x.ln() + b * (1.0 - x).ln() - log_beta(a, b);
    if x < (a + 1.0) / (a + b + 2.0) {
        front.exp() * fraction(x, a, b) / a
    } else {
        1.0 - front.exp() * fraction(1.0 - x, b, a) / b
    }
}

/// Its continued fraction, by Lentz's method.
fn fraction(x: f64, a: f64, b: f64) -> f64 {
    const DENOMINATOR_MIN: f64 = 1e-300;
    /// Enough for a million requests: it needs about the square root of its parameters.
    const STEPS_MAX: u32 = 20_000;
    let bounded = |value: f64| {
        if value.abs() < DENOMINATOR_MIN {
            DENOMINATOR_MIN
        } else {
            value
        }
    };
    let mut c = 1.0;
    let mut d = 1.0 / bounded(1.0 - (a + b) * x / (a + 1.0));
    let mut result = d;
    for step in 1..STEPS_MAX {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / bounded(1.0 + even * d);
        c = bounded(1.0 + even / c);
        result *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / bounded(1.0 + odd * d);
        c = bounded(1.0 + odd / c);
        result *= d * c;
        if (d * c - 1.0).abs() < 1e-13 {
            break;
        }
    }
    result
}

/// The logarithm of the beta function.
pub(crate) fn log_beta(a: f64, b: f64) -> f64 {
    log_gamma(a) + log_gamma(b) - log_gamma(a + b)
}

/// The logarithm of the number of ways to choose `some` of `all`.
pub(crate) fn log_choose(all: f64, some: f64) -> f64 {
    log_gamma(all + 1.0) - log_gamma(some + 1.0) - log_gamma(all - some + 1.0)
}

/// The logarithm of the gamma function, by Lanczos' approximation (g = 7, n = 9).
fn log_gamma(x: f64) -> f64 {
    const LANCZOS_TERMS: [f64; 9] = [
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
    let mut sum = LANCZOS_TERMS[0];
    for (place, term) in (1_u32..).zip(&LANCZOS_TERMS[1..]) {
        sum += term / (x + f64::from(place));
    }
    let t = x + 7.5;
    0.5 * (2.0 * std::f64::consts::PI).ln() + (x + 0.5) * t.ln() - t + sum.ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values_of_the_incomplete_beta_function() {
        // I_x(1, n) = 1 - (1 - x)^n, and symmetric at the middle.
        let all = 1.0 - 0.98_f64.powi(50);
        assert!((incomplete_beta(0.02, 1.0, 50.0) - all).abs() < 1e-12);
        assert!((incomplete_beta(0.5, 7.0, 7.0) - 0.5).abs() < 1e-12);
        let many = incomplete_beta(0.05, 50_000.0, 950_000.0);
        assert!((many - 0.5).abs() < 0.002, "{many}");
    }

    #[test]
    fn the_gamma_function_of_whole_numbers_is_a_factorial() {
        assert!((log_gamma(6.0) - 120.0_f64.ln()).abs() < 1e-12);
        assert!((log_beta(2.0, 3.0) + 12.0_f64.ln()).abs() < 1e-12);
    }
}
