"""A target with switchable faults on Python (ASGI):

    pip install uvicorn
    uvicorn --app-dir examples/targets/python --port 8091 --no-access-log app:app
    loadline run http://127.0.0.1:8091/blocking --vus 20 --duration 20s --observe port:8091
    loadline explain

/fast answers at once, /outside waits 200 ms without blocking, /blocking sleeps 40 ms and /computing computes 40 ms on
the event loop, which can do nothing else meanwhile.

[한국어] Python(ASGI)으로 만든, 결함을 고를 수 있는 대상 서버:

    pip install uvicorn
    uvicorn --app-dir examples/targets/python --port 8091 --no-access-log app:app
    loadline run http://127.0.0.1:8091/blocking --vus 20 --duration 20s --observe port:8091
    loadline explain

/fast는 바로 응답하고, /outside는 막지 않고 200 ms를 기다립니다. /blocking은 이벤트 루프에서 40 ms 동안 잠들고
/computing은 이벤트 루프에서 40 ms 동안 계산합니다. 그동안 이벤트 루프는 다른 일을 하지 못합니다.
"""

import asyncio
import time


async def fast():
    pass


async def outside():
    await asyncio.sleep(0.2)


async def blocking():
    time.sleep(0.04)


async def computing():
    until = time.perf_counter() + 0.04
    while time.perf_counter() < until:
        pass


ANSWERS = {"/fast": fast, "/outside": outside, "/blocking": blocking, "/computing": computing}


async def app(scope, receive, send):
    if scope["type"] != "http":
        return
    answer = ANSWERS.get(scope["path"])
    if answer:
        await answer()
    status = 200 if answer else 404
    await send({"type": "http.response.start", "status": status, "headers": [(b"content-type", b"text/plain")]})
    await send({"type": "http.response.body", "body": b"ok\n" if answer else b""})
