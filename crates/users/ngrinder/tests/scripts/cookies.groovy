import static net.grinder.script.Grinder.grinder
import static org.junit.Assert.*
import net.grinder.script.GTest
import net.grinder.scriptengine.groovy.junit.GrinderRunner
import net.grinder.scriptengine.groovy.junit.annotation.BeforeProcess
import net.grinder.scriptengine.groovy.junit.annotation.BeforeThread
import net.grinder.scriptengine.groovy.junit.annotation.AfterThread
import org.junit.Before
import org.junit.Test
import org.junit.runner.RunWith
import org.ngrinder.http.HTTPRequest
import org.ngrinder.http.HTTPResponse
import org.ngrinder.http.cookie.Cookie
import org.ngrinder.http.cookie.CookieManager

@RunWith(GrinderRunner)
class Cart {
    public static GTest test
    public static HTTPRequest request
    public static List<Cookie> cookies = []

    @BeforeProcess
    public static void beforeProcess() {
        test = new GTest(1, "cart")
        request = new HTTPRequest()
        cookies.add(new Cookie("session", "abc123", "127.0.0.1", "/", 3600))
        cookies.add(new Cookie("lang", "ko", "127.0.0.1", "/cart", -1))
    }

    @BeforeThread
    public void beforeThread() {
        test.record(this, "test")
    }

    @Before
    public void before() {
        CookieManager.addCookies(cookies)
    }

    @Test
    public void test() {
        HTTPResponse response = request.GET("http://127.0.0.1:8080/cart/view")
        assertTrue("the cart is there", response.statusCode == 200)
        request.GET("http://127.0.0.1:8080/other")
    }

    @AfterThread
    public void afterThread() {
        request.POST("http://127.0.0.1:8080/logout")
    }
}
