use super::*;
use proptest::prelude::*;

/// k6's percentile over all values.
fn k6_percentile(values: &[f64], share: f64) -> f64 {
    let mut values = values.to_vec();
    values.sort_unstable_by(f64::total_cmp);
    let i = share * (values.len() as f64 - 1.0);
    #[expect(clippy::cast_possible_truncation, reason = "an index")]
    let (below, above) = (values[i.floor() as usize], values[i.ceil() as usize]);
    below + (above - below) * (i - i.floor())
}

/// Count, buckets, least, greatest and the kept values, in a form that compares.
type State = (
    u64,
    Vec<(Bucket, u64)>,
    Option<u64>,
    Option<u64>,
    Option<Vec<u64>>,
);

fn state(h: &Histogram) -> State {
    let raw = h.raw().map(|values| {
        let mut bits: Vec<u64> = values.iter().map(|v| v.to_bits()).collect();
        bits.sort_unstable();
        bits
    });
    (
        h.count(),
        h.buckets(),
        h.min().map(f64::to_bits),
        h.max().map(f64::to_bits),
        raw,
    )
}

fn merged(parts: &[&Histogram]) -> Histogram {
    let mut all = Histogram::new();
    parts.iter().for_each(|part| all.merge(part));
    all
}

#[test]
fn few_values_are_answered_as_k6_does() {
    let values: Vec<f64> = (1..=10).map(f64::from).collect();
    let h = Histogram::from_values(&values);
    assert_eq!(h.percentile(0.95), Some(k6_percentile(&values, 0.95)));
    assert_eq!(h.percentile(0.5), Some(5.5));
    assert_eq!(h.percentile(1.0), Some(10.0));
    assert_eq!(Histogram::from_values(&[7.0]).percentile(0.3), Some(7.0));
    assert_eq!(Histogram::new().percentile(0.5), None);
}

/// One percentile is found without ordering all values, and in buckets by walking up to it.
#[test]
fn several_percentiles_are_each_as_alone_at_any_size() {
    let shares = [0.99, 0.0, 0.5, 0.05, 1.0, 0.5];
    for count in [1_u32, 2, 3, 255, 256, 257, 3000] {
        let values = (0..count).map(|i| f64::from(i * 7919 % 1000) - 300.0);
        let h = Histogram::from_values(&values.collect::<Vec<_>>());
        let alone = shares.map(|share| h.percentile(share).unwrap());
        assert_eq!(h.percentiles(&shares).unwrap(), alone, "{count}");
        let last = f64::from(count - 1);
        let places = [0.5 * last, last, last + 1.0];
        let at = h.at_places(&places);
        assert_eq!(at, [h.percentile(0.5), h.max(), None], "{count}");
    }
}

#[test]
fn the_extremes_are_exact_at_any_size() {
    let many = fewer_under_miri(10_000);
    let values: Vec<f64> = (0..many).map(|i| f64::from(i) * 1.37 + 0.123).collect();
    let h = Histogram::from_values(&values);
    assert_eq!(h.raw(), None);
    assert_eq!(h.percentile(0.0), Some(0.123));
    assert_eq!(h.percentile(1.0), Some(f64::from(many - 1) * 1.37 + 0.123));
    assert_eq!(h.min(), Some(0.123));
}

#[test]
fn nothing_is_clipped() {
    let mut h = Histogram::new();
    let extremes = [f64::MAX, -f64::MAX, f64::MIN_POSITIVE, 0.0, -0.0, 5e-324];
    for _ in 0..100 {
        extremes.iter().for_each(|v| h.record(*v));
    }
    assert_eq!(h.count(), 600);
    assert_eq!(h.buckets().iter().map(|(_, n)| n).sum::<u64>(), 600);
    assert_eq!(h.min(), Some(-f64::MAX));
    assert_eq!(h.percentile(1.0), Some(f64::MAX));
    let zeros = h.buckets().into_iter().find(|(b, _)| *b == Bucket::ZERO);
    assert_eq!(zeros, Some((Bucket::ZERO, 200)));
}

#[test]
fn exactly_256_values_stay_raw_and_one_more_spills() {
    let mut h = Histogram::from_values(&[1.0; 256]);
    assert!(h.raw().is_some());
    h.record(1.0);
    assert!(h.raw().is_none());
    assert_eq!(h.buckets(), vec![(Bucket::from_value(1.0), 257)]);
}

#[test]
fn what_was_stored_comes_back_the_same() {
    let h = Histogram::from_values(&(0..1000).map(|i| f64::from(i) / 7.0).collect::<Vec<_>>());
    let back = Histogram::from_buckets(
        h.buckets(),
        h.exact_sum(),
        h.min().unwrap(),
        h.max().unwrap(),
    );
    assert_eq!(state(&back), state(&h));
    assert_eq!(back.percentile(0.9), h.percentile(0.9));
}

/// Merged window by window, as totals are.
fn in_windows(values: &[f64], window: usize) -> Histogram {
    let mut all = Histogram::new();
    let windows = values.chunks(window).map(Histogram::from_values);
    windows.for_each(|window| all.merge(&window));
    all
}

/// The bytes it has allocated.
fn allocated(h: &Histogram) -> usize {
    match &h.kept {
        Representation::Raw(values) => values.capacity() * size_of::<f64>(),
        Representation::Sparse(sparse) => sparse.allocated(),
        Representation::Buckets(_) => usize::MAX,
    }
}

/// What keeps a run with many tag values from growing.
#[test]
fn a_total_of_many_values_takes_no_more_memory_than_one_of_256() {
    // Two doublings of latency, as unevenly as they come.
    let latency = |i: u32| 1.0 + 2.9 * (f64::from(i * 7919 % 10_007) / 10_007.0).powi(2);
    let most = fewer_under_miri(20_000);
    let values: Vec<f64> = (0..most).map(latency).collect();
    let few = allocated(&in_windows(&values[..256], 20));
    assert_eq!(few, 2048);
    let early = allocated(&in_windows(&values[..80], 20));
    assert_eq!(early, few, "it has all it will need before it needs it");
    for many in [257, values.len() / 2, values.len()] {
        assert!(allocated(&in_windows(&values[..many], 20)) <= few, "{many}");
    }
    let all = in_windows(&values, 20);
    assert_eq!(state(&all), state(&Histogram::from_values(&values)));
}

#[test]
fn sums_leave_the_small_form_without_losing_a_count() {
    let (steps, step) = if cfg!(miri) {
        (800, 1.0045_f64)
    } else {
        (4_000, 1.001)
    };
    let wide: Vec<f64> = (0..steps).map(|i| step.powi(i)).collect();
    let negative: Vec<f64> = wide.iter().map(|v| -v).collect();
    let one = vec![3.0; 70_000];
    for values in [wide, negative, one] {
        let merged = in_windows(&values, 300);
        assert_eq!(state(&merged), state(&Histogram::from_values(&values)));
        assert!(matches!(merged.kept, Representation::Buckets(_)));
        let back = Histogram::from_buckets(merged.buckets(), merged.exact_sum(), 0.0, 0.0);
        assert_eq!(back.buckets(), merged.buckets());
    }
}

/// Miri is a thousand times slower.
fn fewer_under_miri(many: u32) -> u32 {
    if cfg!(miri) { many / 20 } else { many }
}

fn finite() -> impl Strategy<Value = f64> {
    // Miri takes minutes over distributions that span all of f64.
    let widest = if cfg!(miri) { 1e6 } else { f64::MAX };
    let tamed = move |value: f64| {
        let fits = (1.0 / widest..=widest).contains(&value.abs());
        if fits { value } else { 1.0 }
    };
    prop_oneof![
        6 => 0.0..10_000.0_f64,
        1 => Just(0.0),
        1 => -50.0..50.0_f64,
        1 => proptest::num::f64::NORMAL.prop_map(tamed),
    ]
}

proptest! {
    #[test]
    fn a_value_lies_in_its_bucket_within_a_fifth_of_a_percent(v in proptest::num::f64::NORMAL) {
        let bucket = Bucket::from_value(v);
        prop_assert!(bucket.near().abs() <= v.abs());
        prop_assert!(v.abs() <= bucket.far().abs());
        prop_assert!((bucket.middle() - v).abs() <= v.abs() * 0.002);
    }

    #[test]
    fn buckets_are_ordered_as_their_values(a in finite(), b in finite()) {
        if a < b {
            prop_assert!(Bucket::from_value(a) <= Bucket::from_value(b));
        }
    }

    #[test]
    fn percentiles_err_by_at_most_a_fifth_of_a_percent(
        values in prop::collection::vec(0.001..10_000.0_f64, 257..600),
        share in 0.0..=1.0_f64,
    ) {
        let h = Histogram::from_values(&values);
        let truth = k6_percentile(&values, share);
        let answer = h.percentile(share).unwrap();
        prop_assert!((answer - truth).abs() <= truth * 0.002, "{answer} for {truth}");
    }

    #[test]
    fn a_larger_share_never_answers_a_smaller_value(
        values in prop::collection::vec(finite(), 1..400),
        a in 0.0..=1.0_f64,
        b in 0.0..=1.0_f64,
    ) {
        let h = Histogram::from_values(&values);
        let answers = h.percentiles(&[a.min(b), a.max(b)]).unwrap();
        prop_assert!(answers[0] <= answers[1]);
    }

    #[test]
    fn merge_is_associative_commutative_and_equal_to_recording_all(
        a in prop::collection::vec(finite(), 0..300),
        b in prop::collection::vec(finite(), 0..300),
        c in prop::collection::vec(finite(), 0..300),
    ) {
        let [ha, hb, hc] = [&a, &b, &c].map(|v| Histogram::from_values(v));
        let all = Histogram::from_values(&[a, b, c].concat());
        let left = merged(&[&merged(&[&ha, &hb]), &hc]);
        let right = merged(&[&ha, &merged(&[&hc, &hb])]);
        prop_assert_eq!(state(&left), state(&right));
        prop_assert_eq!(state(&left), state(&all));
        // A total goes on being recorded to, too.
        let mut longer = left.clone();
        longer.record(1.5);
        let with_one = merged(&[&left, &Histogram::from_values(&[1.5])]);
        prop_assert_eq!(state(&longer), state(&with_one));
        let scale = all.sum().abs().max(1.0);
        prop_assert!((left.sum() - all.sum()).abs() / scale < 1e-9 || !all.sum().is_finite());
    }
}
