from net.grinder.script.Grinder import grinder
from net.grinder.script import Test
from net.grinder.plugin.http import HTTPRequest
from HTTPClient import NVPair
import json

BASE = "http://127.0.0.1:8080"
test1 = Test(1, "login")
test2 = Test(2, "orders")
login_request = HTTPRequest()
order_request = HTTPRequest()
test1.record(login_request)
test2.record(order_request)


def bearer(token):
    return [NVPair("Authorization", "Bearer %s" % token), NVPair("Content-Type", "application/json")]


class TestRunner:
    def __init__(self):
        body = json.dumps({"id": "user%d" % grinder.getThreadNumber(), "pw": "p"})
        login_request.setHeaders([NVPair("Content-Type", "application/json")])
        result = login_request.POST(BASE + "/login", body)
        data = json.loads(result.getText())
        self.token = data["data"]["token"]

    def __call__(self):
        order_request.setHeaders(bearer(self.token))
        for item in ["pen", "book"]:
            self.order(item, 2)

    def order(self, item, count):
        result = order_request.POST(BASE + "/orders/" + item, json.dumps({"count": count}))
        if result.statusCode != 200:
            raise Exception("no order")
