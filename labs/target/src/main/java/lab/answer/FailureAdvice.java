package lab.answer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.client.RestClientException;

/** What the target answers, and logs, when it fails by itself. The log names the cause, as case B's did. */
@RestControllerAdvice
public class FailureAdvice {

    private static final Logger LOG = LoggerFactory.getLogger(FailureAdvice.class);

    @ExceptionHandler({CannotCreateTransactionException.class, DataAccessException.class})
    ResponseEntity<Answer<Void>> databaseFailed(Exception failed) {
        LOG.error("database: {}", rootOf(failed).toString());
        return ResponseEntity.status(HttpStatus.INTERNAL_SERVER_ERROR)
                .body(Answer.failure("database", rootOf(failed).getMessage()));
    }

    @ExceptionHandler(RestClientException.class)
    ResponseEntity<Answer<Void>> outsideFailed(RestClientException failed) {
        LOG.error("outside server: {}", rootOf(failed).toString());
        return ResponseEntity.status(HttpStatus.BAD_GATEWAY)
                .body(Answer.failure("outside", rootOf(failed).getMessage()));
    }

    private static Throwable rootOf(Throwable failed) {
        Throwable root = failed;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }
}
