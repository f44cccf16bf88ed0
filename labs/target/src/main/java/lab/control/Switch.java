package lab.control;

/** One thing about the target that can be changed while it runs. */
public interface Switch {

    String name();

    /** The present value, as it would be typed. */
    String value();

    /**
     * Sets the value.
     *
     * @throws IllegalArgumentException naming the value and what was allowed
     */
    void set(String typed);

    /** Back to the value it had at start. */
    void reset();
}
