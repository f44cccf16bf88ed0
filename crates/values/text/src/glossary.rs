//! Words of the field, as pages explain them where they stand.

use crate::message::declare_messages;

declare_messages! {
    /// Above the words of a page.
    "glossary-heading" => heading();
    /// A word: tps.
    "glossary-tps" => tps();
    /// How it is written: tps.
    "glossary-tps-spelled" => tps_spelled();
    /// What it means: tps.
    "glossary-tps-is" => tps_is();
    /// A word: latency.
    "glossary-latency" => latency();
    /// How it is written: latency.
    "glossary-latency-spelled" => latency_spelled();
    /// What it means: latency.
    "glossary-latency-is" => latency_is();
    /// A word: percentile.
    "glossary-percentile" => percentile();
    /// How it is written: percentile.
    "glossary-percentile-spelled" => percentile_spelled();
    /// What it means: percentile.
    "glossary-percentile-is" => percentile_is();
    /// A word: mean.
    "glossary-mean" => mean();
    /// How it is written: mean.
    "glossary-mean-spelled" => mean_spelled();
    /// What it means: mean.
    "glossary-mean-is" => mean_is();
    /// A word: vu.
    "glossary-vu" => vu();
    /// How it is written: vu.
    "glossary-vu-spelled" => vu_spelled();
    /// What it means: vu.
    "glossary-vu-is" => vu_is();
    /// A word: iteration.
    "glossary-iteration" => iteration();
    /// How it is written: iteration.
    "glossary-iteration-spelled" => iteration_spelled();
    /// What it means: iteration.
    "glossary-iteration-is" => iteration_is();
    /// A word: dropped.
    "glossary-dropped" => dropped();
    /// How it is written: dropped.
    "glossary-dropped-spelled" => dropped_spelled();
    /// What it means: dropped.
    "glossary-dropped-is" => dropped_is();
    /// A word: errors.
    "glossary-errors" => errors();
    /// How it is written: errors.
    "glossary-errors-spelled" => errors_spelled();
    /// What it means: errors.
    "glossary-errors-is" => errors_is();
    /// A word: capacity.
    "glossary-capacity" => capacity();
    /// How it is written: capacity.
    "glossary-capacity-spelled" => capacity_spelled();
    /// What it means: capacity.
    "glossary-capacity-is" => capacity_is();
    /// A word: knee.
    "glossary-knee" => knee();
    /// How it is written: knee.
    "glossary-knee-spelled" => knee_spelled();
    /// What it means: knee.
    "glossary-knee-is" => knee_is();
    /// A word: saturation.
    "glossary-saturation" => saturation();
    /// How it is written: saturation.
    "glossary-saturation-spelled" => saturation_spelled();
    /// What it means: saturation.
    "glossary-saturation-is" => saturation_is();
    /// A word: limit.
    "glossary-limit" => limit();
    /// How it is written: limit.
    "glossary-limit-spelled" => limit_spelled();
    /// What it means: limit.
    "glossary-limit-is" => limit_is();
    /// A word: headroom.
    "glossary-headroom" => headroom();
    /// How it is written: headroom.
    "glossary-headroom-spelled" => headroom_spelled();
    /// What it means: headroom.
    "glossary-headroom-is" => headroom_is();
    /// A word: soak.
    "glossary-soak" => soak();
    /// How it is written: soak.
    "glossary-soak-spelled" => soak_spelled();
    /// What it means: soak.
    "glossary-soak-is" => soak_is();
    /// A word: grade.
    "glossary-grade" => grade();
    /// How it is written: grade.
    "glossary-grade-spelled" => grade_spelled();
    /// What it means: grade.
    "glossary-grade-is" => grade_is();
}
