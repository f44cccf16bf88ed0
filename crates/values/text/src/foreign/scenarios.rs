//! What is wrong with a scenario, in k6's words, with its Korean.

pub(super) const SCENARIOS: &[(&str, &str)] = &[
    ("scenario name can't be empty", "시나리오 이름이 비어 있음"),
    (
        "the scenario name should contain only numbers, latin letters, underscores, and dashes",
        "시나리오 이름에는 영문자, 숫자, _, -만 쓸 수 있음",
    ),
    ("exec value cannot be empty", "exec 값이 비어 있음"),
    (
        "the startTime can't be negative",
        "startTime은 음수일 수 없음",
    ),
    (
        "the gracefulStop timeout can't be negative",
        "gracefulStop은 음수일 수 없음",
    ),
    (
        "the number of VUs must be more than 0",
        "VU 수는 1 이상이어야 함",
    ),
    ("the duration is unspecified", "실행 시간이 없음"),
    (
        "the duration must be at least 1s, but is {}",
        "실행 시간은 1초 이상이어야 함(지금 값: {0})",
    ),
    (
        "the maxDuration must be at least 1s, but is {}",
        "maxDuration은 1초 이상이어야 함(지금 값: {0})",
    ),
    (
        "the number of iterations ({}) can't be less than the number of VUs ({})",
        "반복 수({0})가 VU 수({1})보다 적음",
    ),
    (
        "the number of iterations must be more than 0",
        "반복 수는 1 이상이어야 함",
    ),
    (
        "the number of start VUs can't be negative",
        "시작 VU 수는 음수일 수 없음",
    ),
    (
        "either startVUs or one of the stages' target values must be greater than 0",
        "startVUs나 단계의 target 가운데 하나는 0보다 커야 함",
    ),
    (
        "at least one stage has to be specified",
        "단계가 하나 이상 있어야 함",
    ),
    ("stage {} doesn't have a duration", "단계 {0}에 시간이 없음"),
    (
        "the duration for stage {} can't be negative",
        "단계 {0}의 시간은 음수일 수 없음",
    ),
    ("stage {} doesn't have a target", "단계 {0}에 target이 없음"),
    (
        "the target for stage {} can't be negative",
        "단계 {0}의 target은 음수일 수 없음",
    ),
    (
        "the startVUs exceed max limit of {}",
        "startVUs가 최댓값 {0}을 넘음",
    ),
    (
        "target for stage {} exceeds max limit of {}",
        "단계 {0}의 target이 최댓값 {1}을 넘음",
    ),
    (
        "the gracefulRampDown timeout can't be negative",
        "gracefulRampDown은 음수일 수 없음",
    ),
    ("the iteration rate isn't specified", "도착률(rate)이 없음"),
    (
        "the iteration rate must be more than 0",
        "도착률(rate)은 0보다 커야 함",
    ),
    (
        "the startRate value can't be negative",
        "startRate는 음수일 수 없음",
    ),
    (
        "the timeUnit must be more than 0",
        "timeUnit은 0보다 커야 함",
    ),
    (
        "the number of preAllocatedVUs isn't specified",
        "preAllocatedVUs가 없음",
    ),
    (
        "the number of preAllocatedVUs can't be negative",
        "preAllocatedVUs는 음수일 수 없음",
    ),
    (
        "maxVUs can't be less than preAllocatedVUs",
        "maxVUs가 preAllocatedVUs보다 적음",
    ),
];
