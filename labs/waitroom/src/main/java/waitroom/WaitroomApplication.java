package waitroom;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The event-loop application of case E: one join and one rank endpoint over PostgreSQL (R2DBC) and Redis. */
@SpringBootApplication
public class WaitroomApplication {

    public static void main(String[] args) {
        SpringApplication.run(WaitroomApplication.class, args);
    }
}
