package lab.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChoiceTest {

    private enum Colour { LIGHT_GREEN, RED }

    @Test
    void variantsAreTypedInKebabCase() {
        Choice<Colour> choice = new Choice<>("colour", Colour.RED);

        choice.set("light-green");

        assertThat(choice.get()).isEqualTo(Colour.LIGHT_GREEN);
        assertThat(choice.value()).isEqualTo("light-green");
    }

    @Test
    void anUnknownVariantIsRefusedNamingWhatIsAllowed() {
        Choice<Colour> choice = new Choice<>("colour", Colour.RED);

        assertThatThrownBy(() -> choice.set("blue"))
                .hasMessage("switch colour: `blue` is none of light-green, red");
        assertThat(choice.get()).isEqualTo(Colour.RED);
    }

    @Test
    void resetGoesBackToTheStartThroughTheSameChange() {
        List<Colour> changes = new ArrayList<>();
        Choice<Colour> choice = new Choice<>("colour", Colour.RED, changes::add);

        choice.set("light-green");
        choice.reset();
        choice.reset();

        assertThat(changes).containsExactly(Colour.LIGHT_GREEN, Colour.RED);
    }

    /** A switch that says "missing" while the index is still there would make every later trial a lie. */
    @Test
    void whenTheChangeFailsTheOldVariantStays() {
        Choice<Colour> choice = new Choice<>("colour", Colour.RED, wanted -> {
            throw new IllegalStateException("no");
        });

        assertThatThrownBy(() -> choice.set("light-green")).hasMessage("no");
        assertThat(choice.get()).isEqualTo(Colour.RED);
    }
}
