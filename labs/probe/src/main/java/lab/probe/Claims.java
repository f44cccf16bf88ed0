package lab.probe;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What was claimed of a truth and what was seen. A claim that fails does not stop the others from being seen. */
public final class Claims {

    private record Claim(String text, boolean held) {
    }

    private final List<Claim> claims = new ArrayList<>();

    public void near(String what, double seen, double predicted, double tolerance) {
        boolean held = Math.abs(seen - predicted) <= predicted * tolerance;
        add(held, "%s: %.2f seen, %.2f predicted (within %.0f %%)", what, seen, predicted, tolerance * 100);
    }

    public void atLeast(String what, double seen, double least) {
        add(seen >= least, "%s: %.2f seen, at least %.2f", what, seen, least);
    }

    public void atMost(String what, double seen, double most) {
        add(seen <= most, "%s: %.2f seen, at most %.2f", what, seen, most);
    }

    public void that(String what, boolean held) {
        add(held, "%s", what);
    }

    /** Something to read that is not judged. */
    public void note(String format, Object... values) {
        System.out.println("    . " + String.format(Locale.ROOT, format, values));
    }

    public boolean allHeld() {
        return !claims.isEmpty() && claims.stream().allMatch(Claim::held);
    }

    private void add(boolean held, String format, Object... values) {
        Claim claim = new Claim(String.format(Locale.ROOT, format, values), held);
        claims.add(claim);
        System.out.println("    " + (held ? "+ " : "- NOT ") + claim.text());
    }
}
