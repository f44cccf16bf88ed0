//! The first line and the doubts below it, in words.

use crate::reader::Reader;

pub(super) fn add_verdicts(reader: &mut Reader) {
    for (english, korean) in [
        (
            "{@verdict}; exit code {code}",
            "{@verdict}; 종료 코드 {code}",
        ),
        (
            "{@verdict}; {@goals}; exit code {code}",
            "{@verdict}; {@goals}; 종료 코드 {code}",
        ),
        ("{@doubt}", "{@doubt}"),
    ] {
        reader.pattern("line", english, korean);
    }
    let (pace, pace_korean) = (
        "{rate} requests/s, p95 {@p95}, {errors} errors",
        "처리량 {rate} 요청/초, p95 {@p95}, 오류율 {errors}",
    );
    reader.pattern("pace", pace, pace_korean);
    for (english, korean) in [
        ("DONE: {@pace}", "완료: {@pace}"),
        ("PASSED: {@pace}", "통과: {@pace}"),
        (
            "DONE: 1 request, {@p95}, {errors} errors",
            "완료: 요청 1건, {@p95}, 오류율 {errors}",
        ),
        (
            "PASSED: 1 request, {@p95}, {errors} errors",
            "통과: 요청 1건, {@p95}, 오류율 {errors}",
        ),
        ("FAILED: {@missed}: {@pace}", "실패: {@missed}: {@pace}"),
        ("FAILED: {@reason;}: {@pace}", "실패: {@reason;}: {@pace}"),
        ("FAILED: {@goal;}: {@pace}", "실패: {@goal;}: {@pace}"),
        (
            "FAILED: {@goal;}; {@missed}: {@pace}",
            "실패: {@goal;}; {@missed}: {@pace}",
        ),
        ("NOT VALID: {@invalid;}", "무효: {@invalid;}"),
    ] {
        reader.pattern("verdict", english, korean);
    }
    for (english, korean) in [
        (
            "{goals_met} of {goals} {@threshold} {@hold}",
            "임계값 {goals}개 중 {goals_met}개 충족",
        ),
        ("no goals set", "설정한 목표 없음"),
    ] {
        reader.pattern("goals", english, korean);
    }
    reader.pattern(
        "missed",
        "{goals_missed} of {goals} {@threshold} {@does} not hold",
        "임계값 {goals}개 중 {goals_missed}개 미충족",
    );
    for (english, korean) in [
        (
            "{cut} of {sent} {@of_sent} cut off unanswered at the end",
            "요청 {sent}건 중 {cut}건은 종료 시점에 응답 없이 끊김",
        ),
        (
            "{failed} of {all} {@of_all} failed ({@kind,})",
            "요청 {all}건 중 {failed}건 실패 ({@kind,})",
        ),
        (
            "{failed_checks} of {checks} {@check} failed",
            "검증 {checks}건 중 {failed_checks}건 실패",
        ),
        ("{@load,}", "{@load,}"),
    ] {
        reader.pattern("reason", english, korean);
    }
    for (english, korean) in [
        (
            "load not reached: {started} of {planned} planned {@start}",
            "부하 미달: 계획한 시작 {planned}건 중 {started}건 실행",
        ),
        (
            "no free virtual user for {no_free_user}",
            "{no_free_user}건은 빈 가상 사용자가 없어 누락",
        ),
        (
            "the generator was too late for {late}",
            "{late}건은 부하 발생기가 늦어 누락",
        ),
        (
            "at {iteration} an iteration this load needs about {needed} {@needed_user}",
            "반복 시간 {iteration}에서는 사용자 약 {needed}명 필요",
        ),
        (
            "the load had ended for {time_over}",
            "{time_over}건은 시간이 끝나 누락",
        ),
    ] {
        reader.pattern("load", english, korean);
    }
    for (english, korean) in [
        (
            "the generator was the bottleneck ({@limit,})",
            "부하 발생기가 병목이었습니다({@limit,})",
        ),
        (
            "this machine's own delays ({@limit,}) touched {touched} of {seconds} {@second}, so hardly any are left to judge",
            "{seconds}초 중 {touched}초가 이 장비 자체의 지연({@limit,})에 영향을 받아 판정할 구간이 거의 남지 않았습니다",
        ),
        (
            "without the {touched} of {seconds} {@second} that this machine's own delays ({@limit,}) touched, {@rest}",
            "이 장비 자체의 지연({@limit,})에 영향을 받은 {seconds}초 중 {touched}초를 빼면 {@rest}",
        ),
        (
            "{rate} requests/s is not the target's limit",
            "처리량 {rate} 요청/초는 대상의 한계가 아닙니다",
        ),
        ("{@missed}", "{@missed}"),
        ("{@reason;}", "{@reason;}"),
        ("{@rest}", "{@rest}"),
    ] {
        reader.pattern("invalid", english, korean);
    }
    for (english, korean) in [
        ("the threshold holds", "임계값 {goals}개 모두 충족"),
        ("all {goals} thresholds hold", "임계값 {goals}개 모두 충족"),
        ("nothing fell short", "문제 없음"),
    ] {
        reader.pattern("rest", english, korean);
    }
    reader.pattern(
        "doubt",
        "`{@condition}` was judged by a sample of {well}: too few for such a percentile, which lies between the two largest values",
        "`{@condition}`의 판정에 쓰인 값은 {well}개뿐입니다. 백분위수를 구하기에는 너무 적어, 가장 큰 두 값 사이의 값을 씁니다",
    );
}
