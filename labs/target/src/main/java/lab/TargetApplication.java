package lab;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.scheduling.annotation.EnableScheduling;

/** The servlet application of cases A to D. What it does wrong, and when, is set by {@link lab.control.Switches}. */
@SpringBootApplication
@EnableScheduling
public class TargetApplication {

    public static void main(String[] args) {
        SpringApplication.run(TargetApplication.class, args);
    }
}
