# -*- coding: utf-8 -*-
from net.grinder.script.Grinder import grinder
from net.grinder.script import Test
from net.grinder.plugin.http import HTTPRequest
from HTTPClient import NVPair
import random
import time
from org.example.queue import Queue

test1 = Test(1, "조건")
request = test1.wrap(HTTPRequest())
headers = (NVPair('X-Who', '홍길동'.encode('utf-8')), )
request.setHeaders(headers)
queue = Queue("jobs")

class TestRunner:
    def __call__(self):
        kinds = {"even": "/even", "odd": "/odd"}
        number = grinder.getRunNumber()
        if number % 2 == 0:
            path = kinds["even"]
        else:
            path = kinds["odd"]
        for page in range(1, 3):
            url = "http://127.0.0.1:8080%s?page=%d" % (path, page)
            result = request.GET(url)
            if result.statusCode == 200 and "ok" not in result.text:
                grinder.statistics.forLastTest.success = 0
        pick = random.choice(["one"])
        request.PUT("http://127.0.0.1:8080/pick", "picked=" + pick)
        with open("x") as file:
            pick = file.read()
        time.sleep(0.01)
