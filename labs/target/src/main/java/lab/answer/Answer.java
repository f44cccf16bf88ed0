package lab.answer;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * The envelope every endpoint answers with. {@code code} is "success", or says what went wrong: whether the HTTP status
 * agrees with it is a switch ({@link AnswerFaults}).
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Answer<T>(String code, T data, String message) {

    public static <T> Answer<T> success(T data) {
        return new Answer<>("success", data, null);
    }

    public static <T> Answer<T> failure(String code, String message) {
        return new Answer<>(code, null, message);
    }
}
