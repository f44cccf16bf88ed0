"""A target with switchable faults on Python (ASGI):

    pip install uvicorn
    uvicorn --app-dir examples/targets/python --port 8091 --no-access-log app:app
    loadline run http://127.0.0.1:8091/blocking --vus 20 --duration 20s --observe port:8091
    loadline explain

/fast answers at once, /outside waits 200 ms without blocking, /blocking sleeps 40 ms and /computing computes 40 ms on
the event loop, which can do nothing else meanwhile.
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
