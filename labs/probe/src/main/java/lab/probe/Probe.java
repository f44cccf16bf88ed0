package lab.probe;

/** Checks that one truth holds on this machine. */
public interface Probe {

    /** Name of the folder under labs/truths. */
    String truth();

    void check(Trial trial);
}
