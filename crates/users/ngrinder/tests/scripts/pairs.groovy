import static net.grinder.script.Grinder.grinder
import static org.junit.Assert.*
import static org.hamcrest.Matchers.*
import net.grinder.plugin.http.HTTPRequest
import net.grinder.plugin.http.HTTPPluginControl
import net.grinder.script.GTest
import net.grinder.scriptengine.groovy.junit.GrinderRunner
import net.grinder.scriptengine.groovy.junit.annotation.BeforeProcess
import net.grinder.scriptengine.groovy.junit.annotation.BeforeThread
import org.junit.Before
import org.junit.Test
import org.junit.runner.RunWith
import java.util.Date
import java.util.List
import java.util.ArrayList
import HTTPClient.Codecs
import HTTPClient.Cookie
import HTTPClient.CookieModule
import HTTPClient.HTTPResponse
import HTTPClient.NVPair

@RunWith(GrinderRunner)
class OldPairs {

	public static GTest test
	public static HTTPRequest request
	public static NVPair[] headers = []
	public static NVPair[] params = []
	public static Cookie[] cookies = []

	@BeforeProcess
	public static void beforeProcess() {
		HTTPPluginControl.getConnectionDefaults().timeout = 6000;
		test = new GTest(1, "old pairs");
		request = new HTTPRequest();
		List<NVPair> headerList = new ArrayList<>()
		headerList.add(new NVPair("X-Old", "yes"))
		headers = headerList.toArray()
		List<NVPair> paramList = new ArrayList<NVPair>();
		paramList.add(new NVPair("name", "홍 길동"));
		paramList.add(new NVPair("age", "20"));
		params = paramList.toArray();
		List<Cookie> cookieList = new ArrayList<>()
		cookieList.add(new Cookie("seen", "1", "127.0.0.1", "/", new Date(32503647599000L), false))
		cookies = cookieList.toArray()
	}

	@BeforeThread
	public void beforeThread() {
		test.record(this, "test");
		grinder.statistics.delayReports=true;
	}

	@Before
	public void before() {
		request.setHeaders(headers)
		cookies.each { CookieModule.addCookie(it, HTTPPluginControl.getThreadHTTPClientContext()) }
	}

	@Test
	public void test(){
		HTTPResponse result = request.GET("http://127.0.0.1:8080/people", params)
		if (result.statusCode == 301 || result.statusCode == 302) {
			grinder.logger.warn("the answer was {}", result.statusCode);
		} else {
			assertThat(result.statusCode, is(200));
		}
		request.POST("http://127.0.0.1:8080/people", params)
		def parts = Codecs.mpFormDataEncode(params, [] as NVPair[], headers)
		request.POST("http://127.0.0.1:8080/upload", Codecs.mpFormDataEncode(params, [] as NVPair[], headers))
		def rows = DriverManager.getConnection("jdbc:mysql://db/test").rows()
		for (int i = 0; i < 2; i++) {
			request.DELETE("http://127.0.0.1:8080/people/${i}", [new NVPair("X-Delete", "d" + i)] as NVPair[])
		}
	}
}
