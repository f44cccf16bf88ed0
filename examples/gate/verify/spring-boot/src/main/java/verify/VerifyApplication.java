package verify;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** A service that knows nothing of the waiting room: {@link WaitingRoomFilter} stands before it. */
@SpringBootApplication
@RestController
public class VerifyApplication {
    public static void main(String[] args) {
        SpringApplication.run(VerifyApplication.class, args);
    }

    @GetMapping("/")
    String home() {
        return "inside\n";
    }
}
