package lab.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class SwitchboardTest {

    private final Amount pool = new Amount("pool", 10, 1, 100);
    private final Amount threads = new Amount("threads", 200, 1, 1000);
    private final Switchboard board = new Switchboard(List.of(() -> List.of(pool), () -> List.of(threads)));

    @Test
    void everySwitchIsFoundByItsName() {
        board.set("threads", "7");

        assertThat(board.values()).containsEntry("pool", "10").containsEntry("threads", "7");
    }

    @Test
    void resetAllLeavesNoSwitchOfTheLastTruthBehind() {
        board.set("pool", "3");
        board.set("threads", "7");

        board.resetAll();

        assertThat(board.values()).containsEntry("pool", "10").containsEntry("threads", "200");
    }

    @Test
    void anUnknownNameIsRefusedNamingTheSwitchesThereAre() {
        assertThatThrownBy(() -> board.set("heap", "1")).hasMessage("no switch is called `heap`; there are [pool, threads]");
    }

    @Test
    void anAmountOutsideItsLimitsIsRefusedAndChangesNothing() {
        assertThatThrownBy(() -> board.set("pool", "0")).hasMessage("switch pool: 0 is outside 1 to 100");
        assertThatThrownBy(() -> board.set("pool", "many")).hasMessage("switch pool: `many` is not a whole number");
        assertThat(pool.get()).isEqualTo(10);
    }

    @Test
    void twoSwitchesOfOneNameAreAMistakeAtStart() {
        assertThatThrownBy(() -> new Switchboard(List.of(() -> List.of(pool), () -> List.of(pool))))
                .hasMessage("two switches are called pool");
    }
}
