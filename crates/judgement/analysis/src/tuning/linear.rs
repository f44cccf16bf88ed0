//! Symmetric positive systems of equations.

/// The lower triangle whose square is a symmetric positive matrix (A.-L. Cholesky). Rows end at the diagonal.
#[derive(Debug, Clone)]
pub(super) struct Factor {
    rows: Vec<Vec<f64>>,
}

impl Factor {
    /// Of a matrix whose lower triangle is given; `None` where it is not positive.
    pub(super) fn new(mut rows: Vec<Vec<f64>>) -> Option<Self> {
        for at in 0..rows.len() {
            let (above, rest) = rows.split_at_mut(at);
            let row = &mut rest[0];
            for (before, other) in above.iter().enumerate() {
                let part = dot(&row[..before], &other[..before]);
                row[before] = (row[before] - part) / other[before];
            }
            let pivot = row[at] - dot(&row[..at], &row[..at]);
            row.truncate(at + 1);
            row[at] = (pivot > 0.0).then(|| pivot.sqrt())?;
        }
        Some(Self { rows })
    }

    /// The logarithm of the matrix' determinant.
    pub(super) fn log_determinant(&self) -> f64 {
        let each = self.rows.iter().enumerate();
        each.map(|(at, row)| 2.0 * row[at].ln()).sum()
    }

    /// What the lower triangle makes of the values.
    pub(super) fn half_solved(&self, right: &[f64]) -> Vec<f64> {
        let mut values = right.to_vec();
        for (at, row) in self.rows.iter().enumerate() {
            values[at] = (values[at] - dot(&row[..at], &values[..at])) / row[at];
        }
        values
    }

    /// What the matrix makes of the values.
    pub(super) fn solved(&self, right: &[f64]) -> Vec<f64> {
        let mut values = self.half_solved(right);
        for (at, row) in self.rows.iter().enumerate().rev() {
            let value = values[at] / row[at];
            values[at] = value;
            for (other, by) in values[..at].iter_mut().zip(row) {
                *other -= by * value;
            }
        }
        values
    }

    /// The values times the lower triangle: independent ones become ones that vary as the matrix says.
    pub(super) fn correlated(&self, values: &[f64]) -> Vec<f64> {
        let rows = self.rows.iter();
        rows.map(|row| dot(row, &values[..row.len()])).collect()
    }
}

/// The sum of products, in four lanes.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<4>(), b.as_chunks::<4>());
    let (mut first, mut second, mut third, mut fourth) = (0.0, 0.0, 0.0, 0.0);
    for (a, b) in a.iter().zip(b) {
        first += a[0] * b[0];
        second += a[1] * b[1];
        third += a[2] * b[2];
        fourth += a[3] * b[3];
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    (first + second) + (third + fourth) + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_is_solved() {
        let matrix = vec![
            vec![4.0, 2.0, 0.6],
            vec![2.0, 5.0, 1.0],
            vec![0.6, 1.0, 3.0],
        ];
        let factor = Factor::new(matrix.clone()).unwrap();
        let values = factor.solved(&[1.0, -2.0, 0.5]);
        for (row, right) in matrix.iter().zip([1.0, -2.0, 0.5]) {
            assert!((dot(row, &values) - right).abs() < 1e-12);
        }
        // 4 * (5 * 3 - 1) - 2 * (2 * 3 - 0.6) + 0.6 * (2 - 3).
        assert!((factor.log_determinant() - 44.6_f64.ln()).abs() < 1e-12);
        assert!(Factor::new(vec![vec![1.0, 2.0], vec![2.0, 1.0]]).is_none());
    }
}
