package lab.submission;

/** One row of the submission list. */
public record Submission(
        long id, String author, String problem, String language, String status, int timeMs, int memoryKb) {
}
