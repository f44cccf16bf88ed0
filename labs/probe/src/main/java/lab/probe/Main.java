package lab.probe;

import java.nio.file.Path;
import lab.probe.lab.Lab;
import lab.probe.truths.Probes;

/**
 * {@code lab-probe LABS HOME PATIENCE_S TRUTH [OTHER_CPU_LIMIT]} checks one truth, {@code lab-probe --list} names them.
 * Exit codes: 0 it holds, 1 it does not, 3 too noisy to tell, 77 not possible on this machine.
 */
public final class Main {

    private static final int DOES_NOT_HOLD = 1;
    private static final int TOO_NOISY = 3;
    private static final int NOT_POSSIBLE_HERE = 77;

    private Main() {
    }

    public static void main(String[] args) {
        if (args.length == 1 && args[0].equals("--list")) {
            System.out.println(String.join(" ", Probes.names()));
            return;
        }
        if (args.length != 4 && args.length != 5) {
            System.err.println("usage: lab-probe LABS HOME PATIENCE_S TRUTH [OTHER_CPU_LIMIT]; probes: " + Probes.names());
            System.exit(2);
        }
        double otherLimit = args.length == 5 ? Double.parseDouble(args[4]) : Trial.OTHER_CPU_LIMIT;
        Trial trial = new Trial(new Lab(Path.of(args[0]), Path.of(args[1])), Double.parseDouble(args[2]), otherLimit);
        System.exit(run(trial, Probes.named(args[3])));
    }

    private static int run(Trial trial, Probe probe) {
        System.out.println(probe.truth());
        try {
            probe.check(trial);
        } catch (Stop.TooNoisy refused) {
            System.out.println("  REFUSED: " + refused.getMessage());
            return TOO_NOISY;
        } catch (Stop.NotPossibleHere missing) {
            System.out.println("  NOT POSSIBLE HERE: " + missing.getMessage());
            return NOT_POSSIBLE_HERE;
        }
        boolean held = trial.claims.allHeld();
        System.out.println((held ? "  HOLDS; " : "  DOES NOT HOLD; ") + trial.otherLoad());
        return held ? 0 : DOES_NOT_HOLD;
    }
}
