# A page, in the manner of The Grinder.
from net.grinder.script.Grinder import grinder
from net.grinder.script import Test
from net.grinder.plugin.http import HTTPRequest
from net.grinder.plugin.http import HTTPPluginControl
from HTTPClient import NVPair

control = HTTPPluginControl.getConnectionDefaults()
control.timeout = 6000

test1 = Test(1, "first page")
request1 = test1.wrap(HTTPRequest(url="http://127.0.0.1:8080"))

class TestRunner:
    def __init__(self):
        grinder.statistics.delayReports = True

    # called once for each run
    def __call__(self):
        result = request1.GET("/first")
        if result.getStatusCode() == 200:
            grinder.logger.info("answered: %s" % result.getText())
        elif result.getStatusCode() in (301, 302):
            grinder.logger.warn("redirected: %d" % result.getStatusCode())
        else:
            grinder.statistics.forLastTest.success = 0
        grinder.sleep(10)
        request1.GET("/second", (NVPair("a", "1"), NVPair("b", "x y"),))
