package lab.deer;

import lab.answer.Answer;
import lab.answer.AnswerFaults;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Case B: {@code POST /deers} then {@code GET /deers?userId=&deerId=}. What is wrong with a request is said in {@code code}. */
@RestController
class DeerController {

    private final DeerRegistration registration;
    private final DeerStore store;
    private final AnswerFaults faults;

    DeerController(DeerRegistration registration, DeerStore store, AnswerFaults faults) {
        this.registration = registration;
        this.store = store;
        this.faults = faults;
    }

    @PostMapping("/deers")
    Answer<Long> post(@RequestBody DeerRequest deer) {
        if (faults.failsInside200()) {
            return Answer.failure("unavailable", "try again later");
        }
        try {
            return registration.register(deer)
                    ? Answer.success(deer.deerId())
                    : Answer.failure("no-such-user", "user " + deer.userId());
        } catch (DuplicateKeyException usedBefore) {
            return Answer.failure("duplicate", "deer " + deer.deerId() + " exists");
        }
    }

    @GetMapping("/deers")
    Answer<Deer> get(@RequestParam long userId, @RequestParam long deerId) {
        return store.find(userId, deerId)
                .map(Answer::success)
                .orElseGet(() -> Answer.failure("not-found", "deer " + deerId));
    }
}
