package lab.firstpage;

/** The orders in which the first page shows apps. The first two aggregate over 100,000 rows and are the heavy ones. */
public enum Order {
    RATING, DOWNLOADS, NEWEST, UPDATED;

    public boolean isHeavy() {
        return this == RATING || this == DOWNLOADS;
    }
}
