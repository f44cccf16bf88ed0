import static net.grinder.script.Grinder.grinder
import static org.junit.Assert.*
import static org.hamcrest.Matchers.*
import HTTPClient.HTTPResponse
import HTTPClient.NVPair
import groovy.json.JsonSlurper
import net.grinder.plugin.http.HTTPPluginControl
import net.grinder.plugin.http.HTTPRequest
import net.grinder.script.GTest
import net.grinder.scriptengine.groovy.junit.GrinderRunner
import net.grinder.scriptengine.groovy.junit.annotation.BeforeProcess
import net.grinder.scriptengine.groovy.junit.annotation.BeforeThread
import org.junit.Test
import org.junit.runner.RunWith

@RunWith(GrinderRunner)
class LoginThenUse {
    public static GTest test
    public static HTTPRequest request
    private static final String BASE_URL = "http://127.0.0.1:8080"
    private String token
    public NVPair[] headers = []

    @BeforeProcess
    public static void beforeProcess() {
        HTTPPluginControl.getConnectionDefaults().timeout = 6000
        test = new GTest(1, "me")
        request = new HTTPRequest()
    }

    @BeforeThread
    public void beforeThread() {
        test.record(this, "me")
        token = login("user${grinder.processNumber}-${grinder.threadNumber}")
    }

    @Test
    public void me() {
        headers = [new NVPair("Authorization", "Bearer " + token), new NVPair("Accept", "application/json")]
        request.setHeaders(headers)
        HTTPResponse result = request.GET(BASE_URL + "/me")
        assertThat(result.statusCode, is(200))
        def json = new JsonSlurper().parseText(result.text)
        assertTrue(json.user?.name == "Kim")
    }

    private String login(String name) {
        def account = [new NVPair("id", name), new NVPair("password", "secret word")] as NVPair[]
        HTTPResponse result = request.POST(BASE_URL + "/login", account)
        def json = new JsonSlurper().parseText(result.getText())
        json.data.token
    }
}
