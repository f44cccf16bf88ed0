package lab.firstpage;

import java.util.Map;
import lab.answer.Answer;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** Case A: {@code GET /apps/first-page} and {@code GET /apps/first-page/{category}}. */
@RestController
class FirstPageController {

    private static final Map<String, Integer> CATEGORY_IDS = Map.of("FARM", 1, "GAME", 2, "TOOL", 3);

    private final FirstPageReader reader;

    FirstPageController(FirstPageReader reader) {
        this.reader = reader;
    }

    @GetMapping("/apps/first-page")
    Answer<FirstPage> all() {
        return Answer.success(reader.read(0));
    }

    @GetMapping("/apps/first-page/{category}")
    Answer<FirstPage> ofCategory(@PathVariable String category) {
        Integer id = CATEGORY_IDS.get(category);
        if (id == null) {
            throw new ResponseStatusException(HttpStatus.NOT_FOUND, "no category " + category);
        }
        return Answer.success(reader.read(id));
    }
}
