//! Student's t distribution: how far a mean of few values may lie off.

use crate::special::incomplete_beta;

/// The t below which a share `p` (between 0.5 and 1) of the distribution with so many
/// degrees of freedom (at least 1, also fractional as Welch's are) lies.
pub(crate) fn quantile(p: f64, freedom: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    while cumulative(high, freedom) < p && high < 1e9 {
        high *= 2.0;
    }
    while high - low > 1e-10 * high.max(1e-3) {
        let middle = f64::midpoint(low, high);
        if cumulative(middle, freedom) < p {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

/// The same of the normal distribution.
pub(crate) fn normal_quantile(p: f64) -> f64 {
    let (mut low, mut high) = (0.0, 40.0);
    while high - low > 1e-12 {
        let middle = f64::midpoint(low, high);
        if normal_beyond(middle) > 1.0 - p {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

/// The share of the normal distribution beyond `z`.
pub(crate) fn normal_beyond(z: f64) -> f64 {
    0.5 * libm::erfc(z / std::f64::consts::SQRT_2)
}

/// The standard deviations of the normal distribution that are exceeded as seldom as `t` is.
pub(crate) fn as_normal(t: f64, freedom: f64) -> f64 {
    t.signum() * normal_quantile(cumulative(t.abs(), freedom))
}

/// The t that is exceeded as seldom as `z` standard deviations of the normal distribution are.
pub(crate) fn as_seldom_as(z: f64, freedom: f64) -> f64 {
    quantile(1.0 - normal_beyond(z), freedom)
}

/// The share of the distribution below `t` ≥ 0.
fn cumulative(t: f64, freedom: f64) -> f64 {
    let x = freedom / (freedom + t * t);
    1.0 - 0.5 * incomplete_beta(x, freedom / 2.0, 0.5)
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
    fn with_much_freedom_it_is_the_normal_distribution() {
        assert!((quantile(0.975, 1e6) - normal_quantile(0.975)).abs() < 1e-4);
        assert!((normal_quantile(0.975) - 1.959_964).abs() < 1e-6);
        assert!((as_normal(2.776, 4.0) - 1.96).abs() < 0.001);
        assert!((as_seldom_as(1.959_964, 4.0) - 2.776).abs() < 0.001);
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
