//! What each knob of a study does, and what is to be pasted.

use loadline_analysis::compare::Change;
use loadline_analysis::tuning::answer::EffectFinding;

use super::{DrawnStudy, is_informative};
use crate::reader::{Fact, Reader};

impl DrawnStudy {
    pub(super) fn add_effects(&self, reader: &mut Reader) {
        reader.pattern(
            "line",
            "what each knob does (intervals hold together, Holm, 95 %)",
            "설정 항목별 효과(신뢰구간은 함께 성립, Holm, 95 %)",
        );
        if !self.is_start {
            reader.pattern(
                "line",
                "the others as in {@winner}",
                "나머지 항목은 {@winner}",
            );
        }
        if self.is_of_margin {
            reader.pattern(
                "line",
                "in percent of how far the worst condition of the goal is kept or missed",
                "목표 중 가장 불리한 조건의 여유를 기준으로 한 %",
            );
        }
        let names = [("heap", "96m -> 128m"), ("threads", "200 -> 10")];
        for ((knob, levels), (change, finding, taken, at_start)) in names.iter().zip(&self.effects)
        {
            self.change(reader, knob, *change);
            let interval = format!("[{{{knob}_low}}, {{{knob}_high}}]");
            let (english, korean) = match finding {
                EffectFinding::Matters => (
                    format!("{levels} changes {{{knob}}} % {interval}"),
                    format!("{levels} 변화 {{{knob}}} % {interval}"),
                ),
                EffectFinding::NoLargerThan { share } if *share < 0.0005 => {
                    ("no change".to_owned(), "변화 없음".to_owned())
                }
                EffectFinding::NoLargerThan { share } => {
                    reader.fact(&format!("{knob}_most"), Fact::Rough(100.0 * share));
                    (
                        format!("no change larger than {{{knob}_most}} %"),
                        format!("{{{knob}_most}} %보다 큰 변화 없음"),
                    )
                }
                EffectFinding::CannotTell if !is_informative(*change) => (
                    "cannot tell: trials spread too much; what would tell: a larger budget, or longer trials".to_owned(),
                    "판단할 수 없음: 시도 간 편차가 너무 큽니다. 예산을 늘리거나 시도 시간을 늘리면 알 수 있습니다".to_owned(),
                ),
                EffectFinding::CannotTell => (
                    format!("cannot tell {interval} %"),
                    format!("판단할 수 없음 {interval} %"),
                ),
                EffectFinding::NotTried => {
                    ("not compared alone".to_owned(), "따로 비교하지 않음".to_owned())
                }
            };
            reader.pattern(
                "line",
                &format!("{knob}: {english}"),
                &format!("{knob}: {korean}"),
            );
            if let Some(before) = at_start.filter(|change| is_informative(*change)) {
                self.change(reader, &format!("{knob}_then"), before);
                let shown =
                    format!("{{{knob}_then}} % [{{{knob}_then_low}}, {{{knob}_then_high}}]");
                reader.pattern(
                    "line",
                    &format!("{knob}: with the other knobs as they are now {levels} changes {shown}: it depends on the other knobs"),
                    &format!("{knob}: 현재 설정 기준으로는 {levels} 변화 {shown}: 다른 항목에 따라 효과가 다름"),
                );
            }
            if *knob == "heap" {
                self.add_paste(reader, *taken);
            }
        }
        let Some(change) = self.interaction else {
            return;
        };
        self.change(reader, "both", change);
        let most = change.low.abs().max(change.high.abs());
        reader.fact("both_most", Fact::Rough(100.0 * most));
        let (english, korean) = if change.low > 0.0 || change.high < 0.0 {
            (
                "heap and threads together change {both} % [{both_low}, {both_high}] beyond the sum of each alone",
                "heap 및 threads 동시 변경은 각각의 합보다 {both} % [{both_low}, {both_high}] 더 변화",
            )
        } else if is_informative(change) {
            (
                "heap and threads act independently, within {both_most} %",
                "heap 및 threads 효과는 서로 독립적({both_most} % 이내)",
            )
        } else {
            (
                "whether heap and threads depend on each other cannot be told: trials spread too much",
                "heap 및 threads 효과가 서로 독립적인지 판단할 수 없음: 시도 간 편차가 너무 큽니다",
            )
        };
        reader.pattern("line", english, korean);
    }

    /// What is to be pasted for the first knob, which alone is changed.
    fn add_paste(&self, reader: &mut Reader, taken: Option<Change>) {
        reader.pattern("line", "to paste", "붙여 넣을 내용");
        reader.both("line", "app.yml");
        let (english, korean) = match taken {
            None => (
                "confirmed with the others; not compared alone",
                "다른 항목과 함께 확인됨, 따로 비교하지 않음",
            ),
            Some(change) => {
                self.change(reader, "taken", change);
                if change.low > 0.0 || change.high < 0.0 {
                    (
                        "96m -> 128m changes {taken} % [{taken_low}, {taken_high}]",
                        "96m -> 128m 변화 {taken} % [{taken_low}, {taken_high}]",
                    )
                } else if is_informative(change) {
                    (
                        "96m -> 128m: no clear change [{taken_low}, {taken_high}] %",
                        "96m -> 128m: 뚜렷한 변화 없음 [{taken_low}, {taken_high}] %",
                    )
                } else {
                    (
                        "96m -> 128m: no clear change, and trials spread too much to say how large one could be",
                        "96m -> 128m: 뚜렷한 변화 없음. 시도 간 편차가 너무 커서 크기는 알 수 없음",
                    )
                }
            }
        };
        reader.pattern(
            "line",
            &format!("heap: 128m # {english}"),
            &format!("heap: 128m # {korean}"),
        );
    }
}
