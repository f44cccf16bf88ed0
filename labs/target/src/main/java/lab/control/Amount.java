package lab.control;

import java.util.function.IntConsumer;

/** A switch that is a whole number between two limits, both allowed. */
public final class Amount implements Switch {

    private final String name;
    private final int initial;
    private final int lowest;
    private final int highest;
    private final IntConsumer onChange;
    private volatile int current;

    public Amount(String name, int initial, int lowest, int highest) {
        this(name, initial, lowest, highest, ignored -> { });
    }

    /** {@code onChange} runs before the new value is seen; when it throws, the old value stays. */
    public Amount(String name, int initial, int lowest, int highest, IntConsumer onChange) {
        this.name = name;
        this.initial = initial;
        this.lowest = lowest;
        this.highest = highest;
        this.onChange = onChange;
        this.current = initial;
    }

    public int get() {
        return current;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String value() {
        return Integer.toString(current);
    }

    @Override
    public synchronized void set(String typed) {
        int wanted;
        try {
            wanted = Integer.parseInt(typed);
        } catch (NumberFormatException notANumber) {
            throw new IllegalArgumentException("switch %s: `%s` is not a whole number".formatted(name, typed), notANumber);
        }
        if (wanted < lowest || wanted > highest) {
            throw new IllegalArgumentException(
                    "switch %s: %d is outside %d to %d".formatted(name, wanted, lowest, highest));
        }
        change(wanted);
    }

    @Override
    public synchronized void reset() {
        change(initial);
    }

    private void change(int wanted) {
        if (wanted != current) {
            onChange.accept(wanted);
            current = wanted;
        }
    }
}
