import static net.grinder.script.Grinder.grinder
import static org.junit.Assert.*
import static org.hamcrest.Matchers.*
import net.grinder.script.GTest
import net.grinder.scriptengine.groovy.junit.GrinderRunner
import net.grinder.scriptengine.groovy.junit.annotation.BeforeProcess
import net.grinder.scriptengine.groovy.junit.annotation.BeforeThread
import net.grinder.scriptengine.groovy.junit.annotation.RunRate
import org.junit.Test
import org.junit.runner.RunWith
import org.ngrinder.http.HTTPRequest
import org.ngrinder.http.HTTPResponse

@RunWith(GrinderRunner)
class Mixed {
    static GTest reading
    static GTest writing
    static HTTPRequest request
    static final String[] IDS = ["a", "b", "c"]

    @BeforeProcess
    static void beforeProcess() {
        reading = new GTest(1, "읽기")
        writing = new GTest(2, "쓰기")
        request = new HTTPRequest()
    }

    @BeforeThread
    void beforeThread() {
        reading.record(this, "read")
        writing.record(this, "write")
    }

    @Test
    @RunRate(100)
    void read() {
        IDS.each { id ->
            def response = request.GET("http://127.0.0.1:8080/read/" + id)
            assertThat(response.statusCode, anyOf(is(200), is(404)))
        }
        fail("stops here")
        request.GET("http://127.0.0.1:8080/never")
    }

    @Test
    @RunRate(50)
    void write() {
        HTTPResponse response = request.POST("http://127.0.0.1:8080/write", "n=1".getBytes(), ["Content-Type": "text/plain"])
        assertThat(response.statusCode, is(200))
    }
}
