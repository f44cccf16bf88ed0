//! What each knob of a study does, and what is to be pasted.

use loadline_analysis::compare::Change;
use loadline_analysis::tuning::answer::EffectFinding;

use super::DrawnStudy;
use super::changes::{ToldChange, is_clear, is_informative};
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
                "10 % means: the condition that fails most, or holds by the least, is 10 % better",
                "10 %는 가장 크게 어긋났거나 여유가 가장 적은 조건의 값이 10 % 좋아졌다는 뜻",
            );
        }
        let names = [("heap", "96m -> 128m"), ("threads", "200 -> 10")];
        for ((knob, levels), (change, finding, taken, at_start)) in names.iter().zip(&self.effects)
        {
            let told = self
                .worded(reader, knob, *change)
                .unwrap_or_else(|| ToldChange {
                    english: String::new(),
                    korean: String::new(),
                    is_times: false,
                });
            let (english, korean) = match finding {
                EffectFinding::Matters => (
                    format!("{levels} gives {}", told.english),
                    format!("{levels} 변화 {}", told.korean),
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
                EffectFinding::CannotTell => {
                    let (english, korean) = self.interval(reader, knob, *change);
                    (
                        format!("cannot tell {english}"),
                        format!("판단할 수 없음 {korean}"),
                    )
                }
                EffectFinding::NotTried => {
                    ("not compared alone".to_owned(), "따로 비교하지 않음".to_owned())
                }
            };
            reader.pattern(
                "line",
                &format!("{knob}: {english}"),
                &format!("{knob}: {korean}"),
            );
            let before =
                at_start.and_then(|before| self.worded(reader, &format!("{knob}_then"), before));
            if let Some(ToldChange {
                english, korean, ..
            }) = before
            {
                reader.pattern(
                    "line",
                    &format!("{knob}: with the other knobs as they are now {levels} gives {english}: it depends on the other knobs"),
                    &format!("{knob}: 현재 설정 기준으로는 {levels} 변화 {korean}: 다른 항목에 따라 효과가 다름"),
                );
            }
            if *knob == "heap" {
                self.add_paste(reader, *taken);
            }
        }
        let Some(change) = self.interaction else {
            return;
        };
        let told = self.worded(reader, "both", change);
        let most = change.low.abs().max(change.high.abs());
        reader.fact("both_most", Fact::Rough(100.0 * most));
        let (english, korean) = if let Some(told) = told.filter(|_| is_clear(change)) {
            (
                format!(
                    "heap and threads together give {} beyond the sum of each alone",
                    told.english
                ),
                format!(
                    "heap 및 threads 동시 변경은 각각의 합에 더해 {} 변화",
                    told.korean
                ),
            )
        } else if is_informative(change) {
            (
                "heap and threads act independently, within {both_most} %".to_owned(),
                "heap 및 threads 효과는 서로 독립적({both_most} % 이내)".to_owned(),
            )
        } else {
            (
                "whether heap and threads depend on each other cannot be told: trials spread too much".to_owned(),
                "heap 및 threads 효과가 서로 독립적인지 판단할 수 없음: 시도 간 편차가 너무 큽니다".to_owned(),
            )
        };
        reader.pattern("line", &english, &korean);
    }

    /// What is to be pasted for the first knob, which alone is changed.
    fn add_paste(&self, reader: &mut Reader, taken: Option<Change>) {
        reader.pattern("line", "to paste", "붙여 넣을 내용");
        reader.both("line", "app.yml");
        let (english, korean) = match taken {
            None => (
                "confirmed with the others; not compared alone".to_owned(),
                "다른 항목과 함께 확인됨, 따로 비교하지 않음".to_owned(),
            ),
            Some(change) => {
                let told = self.worded(reader, "taken", change);
                if let Some(told) = told.filter(|_| is_clear(change)) {
                    (
                        format!("96m -> 128m gives {}", told.english),
                        format!("96m -> 128m 변화 {}", told.korean),
                    )
                } else if is_informative(change) {
                    let (english, korean) = self.interval(reader, "taken", change);
                    (
                        format!("96m -> 128m: no clear change {english}"),
                        format!("96m -> 128m: 뚜렷한 변화 없음 {korean}"),
                    )
                } else {
                    (
                        "96m -> 128m: no clear change, and trials spread too much to say how large one could be".to_owned(),
                        "96m -> 128m: 뚜렷한 변화 없음. 시도 간 편차가 너무 커서 크기는 알 수 없음".to_owned(),
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
