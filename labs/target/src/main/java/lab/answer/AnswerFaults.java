package lab.answer;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import lab.control.Amount;
import lab.control.Choice;
import lab.control.Switch;
import lab.control.SwitchSet;
import org.springframework.stereotype.Component;

/** Answers that are wrong although their status is 200. */
@Component
public class AnswerFaults implements SwitchSet {

    /** {@code BROKEN}: the first page loses its list by downloads, as a tuning step can lose a part of the answer. */
    public enum Kind { CORRECT, ERRORS_INSIDE_200, BROKEN }

    private final Choice<Kind> kind = new Choice<>("answers", Kind.CORRECT);
    private final Amount every = new Amount("errorEvery", 5, 1, 1000);
    private final AtomicLong served = new AtomicLong();

    @Override
    public List<Switch> switches() {
        return List.of(kind, every);
    }

    /** True for every n-th answer while errors are sent inside a 200: a share of exactly 1/n, in any interleaving. */
    public boolean failsInside200() {
        return kind.is(Kind.ERRORS_INSIDE_200) && served.incrementAndGet() % every.get() == 0;
    }

    public boolean losesPartOfTheFirstPage() {
        return kind.is(Kind.BROKEN);
    }
}
