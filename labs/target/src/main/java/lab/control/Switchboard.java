package lab.control;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.stereotype.Component;

/** Every switch of the target by its name. A part of the target declares its own switches; this only finds them. */
@Component
public class Switchboard {

    private final Map<String, Switch> switches = new TreeMap<>();

    public Switchboard(List<SwitchSet> sets) {
        for (SwitchSet set : sets) {
            for (Switch one : set.switches()) {
                if (switches.put(one.name(), one) != null) {
                    throw new IllegalStateException("two switches are called " + one.name());
                }
            }
        }
    }

    public Map<String, String> values() {
        Map<String, String> values = new TreeMap<>();
        switches.forEach((name, one) -> values.put(name, one.value()));
        return values;
    }

    /** @throws IllegalArgumentException when no switch has the name, or the value is not one of its own */
    public void set(String name, String value) {
        Switch one = switches.get(name);
        if (one == null) {
            throw new IllegalArgumentException("no switch is called `%s`; there are %s".formatted(name, switches.keySet()));
        }
        one.set(value);
    }

    public void resetAll() {
        switches.values().forEach(Switch::reset);
    }
}
