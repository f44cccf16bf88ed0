package lab.outside;

/**
 * How the outside server behaves.
 *
 * @param latencyMs service time of a call, milliseconds
 * @param limit calls served at the same time; 0 for no limit
 * @param errorEvery every n-th answer is a 503; 0 for none
 */
record OutsideSettings(int latencyMs, int limit, int errorEvery) {

    static final OutsideSettings DEFAULT = new OutsideSettings(0, 0, 0);

    /** These settings with those of a query string in their place. @throws IllegalArgumentException naming the parameter */
    OutsideSettings with(String query) {
        OutsideSettings changed = this;
        if (query == null || query.isEmpty()) {
            return changed;
        }
        for (String pair : query.split("&")) {
            String[] parts = pair.split("=", 2);
            int value = number(parts);
            changed = switch (parts[0]) {
                case "latencyMs" -> new OutsideSettings(value, changed.limit, changed.errorEvery);
                case "limit" -> new OutsideSettings(changed.latencyMs, value, changed.errorEvery);
                case "errorEvery" -> new OutsideSettings(changed.latencyMs, changed.limit, value);
                default -> throw new IllegalArgumentException("no control is called `" + parts[0]
                        + "`; there are latencyMs, limit, errorEvery");
            };
        }
        return changed;
    }

    private static int number(String[] parts) {
        try {
            int value = Integer.parseInt(parts.length == 2 ? parts[1] : "");
            if (value >= 0) {
                return value;
            }
        } catch (NumberFormatException notANumber) {
            // said below, together with a negative one
        }
        throw new IllegalArgumentException("control " + parts[0] + ": a whole number from 0 is needed");
    }
}
