package lab.content;

import java.util.List;
import lab.answer.Answer;
import lab.answer.AnswerFaults;
import lab.work.RequestMemory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/** Case D: content detail and its places, seen by the member the {@code device-fid} header stands for. */
@RestController
class ContentController {

    private static final int MEMBERS = 3_000;

    private final ContentReader reader;
    private final Likes likes;
    private final RequestMemory memory;
    private final AnswerFaults faults;

    ContentController(ContentReader reader, Likes likes, RequestMemory memory, AnswerFaults faults) {
        this.reader = reader;
        this.likes = likes;
        this.memory = memory;
        this.faults = faults;
    }

    @GetMapping("/contents/{id}")
    Answer<Content> content(@PathVariable int id, @RequestHeader(name = "device-fid", defaultValue = "") String device) {
        if (faults.failsInside200()) {
            return Answer.failure("unavailable", "try again later");
        }
        return reader.content(id, memberOf(device))
                .map(Answer::success)
                .orElseGet(() -> Answer.failure("not-found", "content " + id));
    }

    @GetMapping("/contents/{id}/places")
    Answer<List<Place>> places(@PathVariable int id, @RequestHeader(name = "device-fid", defaultValue = "") String device) {
        memory.use();
        return Answer.success(reader.places(id, memberOf(device)));
    }

    @PostMapping("/contents/{id}/likes")
    Answer<Integer> like(@PathVariable int id) {
        likes.like(id);
        return Answer.success(id);
    }

    private static int memberOf(String device) {
        return Math.floorMod(device.hashCode(), MEMBERS) + 1;
    }
}
