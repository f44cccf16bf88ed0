package lab.submission;

import java.util.List;
import lab.answer.Answer;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Case C: {@code GET /submissions?page=&size=}. */
@RestController
class SubmissionController {

    private static final int LARGEST_PAGE = 100;

    private final SubmissionReader reader;
    private final CrowdedWork work;

    SubmissionController(SubmissionReader reader, CrowdedWork work) {
        this.reader = reader;
        this.work = work;
    }

    @GetMapping("/submissions")
    Answer<List<Submission>> list(
            @RequestParam(defaultValue = "0") int page, @RequestParam(defaultValue = "20") int size) {
        List<Submission> rows = reader.page(Math.max(page, 0), Math.min(Math.max(size, 1), LARGEST_PAGE));
        work.perform();
        return Answer.success(rows);
    }
}
