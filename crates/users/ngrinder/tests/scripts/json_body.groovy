import static net.grinder.script.Grinder.grinder
import static org.junit.Assert.*
import static org.hamcrest.Matchers.is
import groovy.json.JsonOutput
import net.grinder.script.GTest
import net.grinder.scriptengine.groovy.junit.GrinderRunner
import net.grinder.scriptengine.groovy.junit.annotation.BeforeProcess
import net.grinder.scriptengine.groovy.junit.annotation.BeforeThread
import org.junit.Before
import org.junit.Test
import org.junit.runner.RunWith
import org.ngrinder.http.HTTPRequest
import org.ngrinder.http.HTTPResponse

@RunWith(GrinderRunner)
class Orders {
    public static GTest test
    public static HTTPRequest request
    public static Map<String, String> headers = [:]
    public static String body = '{"item": "book", "price": "$10"}'

    @BeforeProcess
    public static void beforeProcess() {
        test = new GTest(1, "order")
        request = new HTTPRequest()
        headers.put("Content-Type", "application/json")
    }

    @BeforeThread
    public void beforeThread() {
        test.record(this, "test")
    }

    @Before
    public void before() {
        request.setHeaders(headers)
    }

    @Test
    public void test() {
        HTTPResponse first = request.POST("http://127.0.0.1:8080/orders", body.getBytes())
        assertThat(first.statusCode, is(200))
        def order = [item: "pen", count: 2, tags: ["a", "b"], buyer: [name: "Kim"]]
        request.PUT("http://127.0.0.1:8080/orders/1", JsonOutput.toJson(order).getBytes("UTF-8"), headers)
        request.PATCH("http://127.0.0.1:8080/orders/1", [count: 3])
        String text = """{
  "note": "line ${order.count}"
}"""
        def last = request.POST("http://127.0.0.1:8080/notes", text.bytes, ["Content-Type": "application/json", "X-Last": "yes"])
        assertEquals(200, last.statusCode)
    }
}
