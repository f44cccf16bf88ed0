package io.loadline.gate;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;

/** Puts the waiting room before a servlet application that sets {@code waiting-room.gate}. */
@AutoConfiguration
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnProperty("waiting-room.gate")
@EnableConfigurationProperties(WaitingRoomProperties.class)
public class WaitingRoomAutoConfiguration {
    @Bean
    GateClient gateClient(WaitingRoomProperties room) {
        return new GateClient(new ObjectMapper(), room);
    }

    @Bean
    WaitingRoom waitingRoom(GateClient gate) {
        return new WaitingRoom(gate);
    }

    @Bean
    FilterRegistrationBean<WaitingRoomFilter> waitingRoomFilter(WaitingRoomProperties room, GateClient gate, WaitingRoom inside) {
        FilterRegistrationBean<WaitingRoomFilter> bean = new FilterRegistrationBean<>(new WaitingRoomFilter(room, gate, inside));
        // Before logins and everything else that costs; after forwarded headers were read.
        bean.setOrder(Ordered.HIGHEST_PRECEDENCE + 100);
        return bean;
    }

    @Bean(destroyMethod = "close")
    Heartbeat waitingRoomHeartbeat(WaitingRoomProperties room, WaitingRoom inside) {
        return new Heartbeat(room, inside);
    }

    /** A timer of its own: as a bean the executor would become the application's scheduler. */
    static final class Heartbeat implements AutoCloseable {
        private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "waiting-room");
            thread.setDaemon(true);
            return thread;
        });

        Heartbeat(WaitingRoomProperties room, WaitingRoom inside) {
            long ms = room.heartbeat().toMillis();
            timer.scheduleWithFixedDelay(inside::heartbeat, ms, ms, TimeUnit.MILLISECONDS);
        }

        @Override
        public void close() {
            timer.shutdownNow();
        }
    }
}
