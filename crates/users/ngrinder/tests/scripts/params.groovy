import static net.grinder.script.Grinder.grinder
import static org.junit.Assert.*
import static org.hamcrest.Matchers.*
import net.grinder.script.GTest
import net.grinder.scriptengine.groovy.junit.GrinderRunner
import net.grinder.scriptengine.groovy.junit.annotation.BeforeProcess
import net.grinder.scriptengine.groovy.junit.annotation.BeforeThread
import org.junit.Test
import org.junit.runner.RunWith
import org.ngrinder.http.HTTPRequest
import org.ngrinder.http.HTTPResponse

// 상품 검색: 파라미터와 헤더
@RunWith(GrinderRunner)
class Search {
    static GTest search
    static HTTPRequest request
    static final String BASE = "http://127.0.0.1:8080"
    Map<String, String> headers = ["X-Client": "web"]
    def words = ["밥", "tea & milk"]

    @BeforeProcess
    static void init() {
        search = new GTest(1, "search")
        request = new HTTPRequest()
        search.record(request)
    }

    @BeforeThread
    void prepare() {
        headers.put("X-Thread", "t${grinder.threadNumber}")
        request.setHeaders(headers)
    }

    @Test
    void search() {
        String word = words[grinder.runNumber % words.size()]
        def id = 7
        HTTPResponse found = request.GET("${BASE}/search?page=${id + 1}", [q: word, "sort-by": "price"])
        assertThat(found.getStatusCode(), is(equalTo(200)))
        assertThat(found.getBodyText(), containsString("ok"))
        request.HEAD("$BASE/search/$id")
        request.DELETE(BASE + "/search/" + id, [:], ["X-Client": "admin"])
        grinder.sleep(20)
    }
}
