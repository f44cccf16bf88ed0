package lab.outside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class OutsideSettingsTest {

    @Test
    void aQueryChangesWhatItNamesAndKeepsTheRest() {
        OutsideSettings settings = OutsideSettings.DEFAULT.with("latencyMs=500&limit=10").with("latencyMs=20");

        assertThat(settings).isEqualTo(new OutsideSettings(20, 10, 0));
    }

    @Test
    void aMisspelledControlIsRefusedNotIgnored() {
        assertThatThrownBy(() -> OutsideSettings.DEFAULT.with("latency=500"))
                .hasMessage("no control is called `latency`; there are latencyMs, limit, errorEvery");
    }

    @Test
    void aNegativeOrMissingValueIsRefused() {
        assertThatThrownBy(() -> OutsideSettings.DEFAULT.with("limit=-1"))
                .hasMessage("control limit: a whole number from 0 is needed");
        assertThatThrownBy(() -> OutsideSettings.DEFAULT.with("limit"))
                .hasMessage("control limit: a whole number from 0 is needed");
    }
}
