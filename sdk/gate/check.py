#!/usr/bin/env python3
"""Tries what services and pages use, against a gate: who was let in comes in once, stays inside while the service says so,
and what the gate says wrongly or not at all locks nobody out.
usage: sdk/gate/check.py LOADLINE [node] [browser] [spring-boot]"""
import json, os, shutil, subprocess, sys, tempfile, time, urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [f"{ROOT}/examples/gate/verify", f"{ROOT}/bench/gate"]
from check import Gate, call, free_port, until  # noqa: E402
from answers import LosesAnswers  # noqa: E402

NAVIGATION = {"Sec-Fetch-Mode": "navigate", "Accept": "text/html"}


def key_of(gate, scopes):
    return gate.ask(f"/v1/tenants/{gate.tenant}/keys", {"scopes": scopes})["key"]


def state(gate, queue, wid):
    return json.loads(call(gate.public, "GET", f"/v1/queues/{queue}/waiters/wid:{wid}", {"Authorization": f"Bearer {gate.key}"})[2])["state"]


def come(service, method, path, headers={}):
    """A call that comes again where it is told to, as a person would: all tries of one may have lost their answers."""
    for _ in range(8):
        answer = call(service, method, path, headers)
        if answer[0] != 503:
            break
        time.sleep(0.2)
    return answer


def middleware(gate, name, start):
    """A service with the middleware or the starter, from the outside."""
    port, lame = free_port(), free_port()
    service = f"http://127.0.0.1:{port}"
    rules = {"tenant": gate.tenant, "slug": name, "proof": "code", "rate_per_s": 1000, "cap": 100, "idle_s": 4,
             "redirect_origins": [service], "redirect_to": f"{service}/?page=1"}
    queue = gate.ask("/v1/queues", rules)["id"]
    key = key_of(gate, ["register"])
    # Half of the gate's answers to one of them are lost, and the other cannot reach it.
    lossy = LosesAnswers(int(gate.public.rsplit(":", 1)[1]), 0.3)
    started = [start(port, queue, key, f"http://127.0.0.1:{lossy.port}"), start(lame, queue, key, "http://127.0.0.1:1")]
    try:
        until(name, lambda: come(service, "GET", "/health")[0] == 200, 120)
        until(name, lambda: call(f"http://127.0.0.1:{lame}", "GET", "/health")[0] == 200, 120)
        status, head, _ = come(service, "GET", "/a?b=c", NAVIGATION)
        room = f"{gate.public}/w/{queue}?rt="
        assert (status, head["location"]) == (303, room + urllib.parse.quote(f"{service}/a?b=c", safe="")), (status, head["location"])
        status, head, text = come(service, "GET", "/", {"Sec-Fetch-Mode": "cors", "Accept": "*/*"})
        assert status == 401 and json.loads(text)["waiting_url"].startswith(room), (status, text)

        address = gate.let_in(queue).removeprefix(service)
        status, head, text = call(f"http://127.0.0.1:{lame}", "GET", address, NAVIGATION)
        assert (status, head["retry-after"]) == (503, "2"), (status, text)
        status, head, text = come(service, "GET", address, NAVIGATION)
        assert status == 303 and "wr=" not in head["location"] and "page=1" in head["location"], (status, head["location"], text)
        cookie = {"Cookie": head["set-cookie"].split(";")[0]}
        status, _, text = come(service, "GET", "/", {**NAVIGATION, **cookie})
        wid = text.split()[1]
        assert status == 200 and len(wid) == 32, (status, text)
        for what, path in {"a code used before": address, "a code made up": "/?wr=abc", "a code cut off": address[:-3]}.items():
            status, head, _ = come(service, "GET", path, NAVIGATION)
            assert status == 303 and head["location"].startswith(room) and "wr%3D" not in head["location"], (what, status, head["location"])
        altered = {"Cookie": cookie["Cookie"][:-2] + "xx"}
        assert come(service, "GET", "/", {**NAVIGATION, **altered})[0] == 303, "a session made up"

        # Twice as long as the queue would wait for a sign, the service alone says that the visitor is inside.
        end = time.monotonic() + 8
        while time.monotonic() < end:
            assert state(gate, queue, wid) == "inside"
            time.sleep(0.5)
        gate.ask(f"/v1/queues/{queue}/sessions/complete", {"wids": [wid]})
        until("the end of a session", lambda: come(service, "GET", "/", {**NAVIGATION, **cookie})[0] == 303)

        status, head, _ = come(service, "GET", gate.let_in(queue).removeprefix(service), NAVIGATION)
        assert status == 303 and head["set-cookie"], status
        cookie = {"Cookie": head["set-cookie"].split(";")[0]}
        wid = come(service, "GET", "/", {**NAVIGATION, **cookie})[2].split()[1]
        assert come(service, "GET", "/leave", {**NAVIGATION, **cookie})[0] == 200
        assert state(gate, queue, wid) == "gone"
        assert come(service, "GET", "/", {**NAVIGATION, **cookie})[0] == 303, "somebody who left"
        assert lossy.lost > 0, "no answer was lost"
    finally:
        for process in started:
            process.kill()
            process.wait()


def node(gate, home):
    def start(port, queue, key, inner):
        env = {**os.environ, "GATE": gate.public, "INNER": inner, "QUEUE": queue, "KEY": key, "PORT": str(port)}
        return subprocess.Popen(["node", f"{HERE}/check/server.mjs"], env=env)
    middleware(gate, "node", start)


def spring_boot(gate, home):
    maven = ["mvn", "-q", "-B"]
    for part in ["spring-boot-starter", "check/spring"]:
        copy = f"{home}/{os.path.basename(part)}"
        shutil.copytree(f"{HERE}/{part}", copy, ignore=shutil.ignore_patterns("target"))
        subprocess.run([*maven, "install" if part == "spring-boot-starter" else "package"], cwd=copy, check=True)

    def start(port, queue, key, inner):
        flags = {"server.port": port, "server.address": "127.0.0.1", "waiting-room.gate": gate.public, "waiting-room.inner": inner,
                 "waiting-room.queue": queue, "waiting-room.key": key, "waiting-room.heartbeat": "500ms", "waiting-room.open": "/health"}
        return subprocess.Popen(["java", "-jar", f"{home}/spring/target/check.jar", *(f"--{n}={v}" for n, v in flags.items())],
                                stdout=open(f"{home}/spring-{port}.out", "w"), stderr=subprocess.STDOUT)
    middleware(gate, "spring-boot", start)


def browser(gate, home):
    service = "http://127.0.0.1:9"
    rules = {"tenant": gate.tenant, "slug": "browser", "mode": "hold", "cap": 10, "redirect_origins": [service]}
    queue = gate.ask("/v1/queues", rules)["id"]
    lossy = LosesAnswers(int(gate.public.rsplit(":", 1)[1]), 0.3, first=1)
    env = {**os.environ, "GATE": f"http://127.0.0.1:{lossy.port}", "QUEUE": queue}
    pages = [subprocess.Popen(["node", f"{HERE}/check/browser.mjs"], env=env, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    stats = lambda: json.loads(call(gate.admin, "GET", f"/v1/queues/{queue}/stats", {"Authorization": f"Bearer {gate.key}"})[2])
    until("four visitors", lambda: stats()["waiting"] >= 4)
    call(gate.admin, "PUT", f"/v1/queues/{queue}/mode", {"Authorization": f"Bearer {gate.key}"}, {"mode": "auto"})
    told = [json.loads(page.communicate(timeout=60)[0]) for page in pages]
    assert all(one["redirect"].startswith(f"{service}/?wr=") and one["seen"] for one in told), told
    # They were told their place, or that it cannot be told for a moment; on a slow machine one may hear of its turn first.
    assert any({"waiting", "unreachable"} & set(one["seen"]) for one in told), told
    assert lossy.lost > 0, "no answer was lost"


def main():
    loadline, *names = sys.argv[1:]
    home = tempfile.mkdtemp(prefix="gate-sdk-")
    gate = Gate(os.path.abspath(loadline), home)
    try:
        for name in names or ["node", "browser", "spring-boot"]:
            {"node": node, "browser": browser, "spring-boot": spring_boot}[name](gate, home)
            print(f"{name}: comes in once, stays inside while the service says so, loses nobody for lost answers", flush=True)
    finally:
        gate.process.terminate()
        gate.process.wait()
    shutil.rmtree(home)


if __name__ == "__main__":
    main()
