package lab.outside;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ServiceTest {

    private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(1);
    private final Service service = new Service(clock);
    private HttpServer server;

    @BeforeEach
    void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        server.createContext("/", service::accept);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        clock.shutdownNow();
    }

    /** One thread takes calls and one answers them: more calls in flight than threads must not queue. */
    @Test
    void callsInFlightNeedNoThreads() {
        service.configure(URI.create("/control?latencyMs=100"));

        long began = System.nanoTime();
        List<Integer> statuses = callAtOnce(20);

        assertThat(statuses).hasSize(20).containsOnly(200);
        assertThat((System.nanoTime() - began) / 1e6).isBetween(100.0, 1_500.0);
        assertThat(service.self()).contains("\"mostInside\":20").contains("\"answered\":20");
    }

    @Test
    void aLimitServesSoManyAtOnceAndQueuesTheRest() {
        service.configure(URI.create("/control?latencyMs=100&limit=2"));

        long began = System.nanoTime();
        callAtOnce(8);

        assertThat((System.nanoTime() - began) / 1e6).isGreaterThanOrEqualTo(400);
    }

    @Test
    void everyNthAnswerIsAnErrorWhenToldSo() {
        service.configure(URI.create("/control?errorEvery=4"));

        assertThat(callAtOnce(8)).filteredOn(status -> status == 503).hasSize(2);
    }

    private List<Integer> callAtOnce(int calls) {
        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        HttpRequest request = HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/register"))
                .POST(HttpRequest.BodyPublishers.ofString("{}")).build();
        return IntStream.range(0, calls)
                .mapToObj(call -> client.sendAsync(request, BodyHandlers.ofString()))
                .toList().stream().map(CompletableFuture::join).map(answer -> answer.statusCode()).toList();
    }
}
