package check;

import io.loadline.gate.GateClient;
import io.loadline.gate.WaitingRoom;
import jakarta.servlet.http.HttpSession;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** A service behind the starter, for check.py. */
@SpringBootApplication
@RestController
public class CheckApplication {
    private final WaitingRoom room;

    public CheckApplication(WaitingRoom room) {
        this.room = room;
    }

    public static void main(String[] args) {
        SpringApplication.run(CheckApplication.class, args);
    }

    @GetMapping("/")
    String inside(HttpSession session) {
        return "inside " + room.visitor(session).orElse("") + "\n";
    }

    @GetMapping("/leave")
    String leave(HttpSession session) throws GateClient.Unavailable {
        room.leave(session);
        return "inside \n";
    }

    @GetMapping("/health")
    String health() {
        return "inside \n";
    }
}
