package lab.control;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * A switch between named variants. The constants of {@code E} are typed in kebab case: {@code TX_AROUND_CALL} is
 * {@code tx-around-call}.
 */
public final class Choice<E extends Enum<E>> implements Switch {

    private final String name;
    private final E initial;
    private final Consumer<E> onChange;
    private volatile E current;

    public Choice(String name, E initial) {
        this(name, initial, ignored -> { });
    }

    /** {@code onChange} runs before the new value is seen; when it throws, the old value stays. */
    public Choice(String name, E initial, Consumer<E> onChange) {
        this.name = name;
        this.initial = initial;
        this.onChange = onChange;
        this.current = initial;
    }

    public E get() {
        return current;
    }

    public boolean is(E variant) {
        return current == variant;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String value() {
        return typed(current);
    }

    @Override
    public synchronized void set(String typed) {
        E wanted = Arrays.stream(initial.getDeclaringClass().getEnumConstants())
                .filter(constant -> typed(constant).equals(typed))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "switch %s: `%s` is none of %s".formatted(name, typed, allowed())));
        change(wanted);
    }

    @Override
    public synchronized void reset() {
        change(initial);
    }

    private void change(E wanted) {
        if (wanted != current) {
            onChange.accept(wanted);
            current = wanted;
        }
    }

    private String allowed() {
        return Arrays.stream(initial.getDeclaringClass().getEnumConstants())
                .map(Choice::typed)
                .collect(Collectors.joining(", "));
    }

    private static String typed(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
