#!/usr/bin/env python3
"""Runs the verification examples against a gate: who was let in comes in, nobody else does.

usage: examples/gate/verify/check.py LOADLINE [node] [nginx] [spring-boot]
"""
import base64, hashlib, hmac, http.client, json, os, re, shutil, subprocess, sys, tempfile, time, urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "../../../bench"))
from ports import free_port  # noqa: E402


def call(base, method, path, head={}, body=None):
    """Status, headers and body of one request; redirects are not followed."""
    url = urllib.parse.urlsplit(base)
    connection = http.client.HTTPConnection(url.hostname, url.port, timeout=10)
    connection.request(method, path, None if body is None else json.dumps(body), head)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, answer.headers, text


def until(what, does, seconds=60):
    for _ in range(seconds * 20):
        try:
            if found := does():
                return found
        except OSError:
            pass
        time.sleep(0.05)
    sys.exit(f"{what}: not in {seconds} s")


class Gate:
    def __init__(self, loadline, home):
        out = open(f"{home}/gate.out", "w+")
        self.process = subprocess.Popen([loadline, "gate", "--data", f"{home}/state", "--public", "127.0.0.1:0", "--admin",
                                         "127.0.0.1:0", "--joins-per-address", "0", "--lang", "en"], stdout=out, stderr=out)
        read = lambda: open(out.name).read()
        kept = until("the gate", lambda: re.search(r"Root key: in (\S+),", read()))
        self.key = open(kept[1]).read().strip()
        self.public, self.admin = re.findall(r"http://\S+", read())[:2]
        self.tenant = self.ask("/v1/tenants", {"name": "verify"})["id"]

    def ask(self, path, body):
        status, _, text = call(self.admin, "POST", path, {"Authorization": f"Bearer {self.key}"}, body)
        assert status in (200, 201), f"{path}: {status} {text}"
        return json.loads(text)

    def queue(self, slug, proof, origin, target):
        rules = {"tenant": self.tenant, "slug": slug, "proof": proof, "rate_per_s": 1000, "cap": 100,
                 "redirect_origins": [origin], "redirect_to": target}
        return self.ask("/v1/queues", rules)["id"]

    def let_in(self, queue):
        """Joins, waits, claims; the address that a browser is sent to."""
        joined = json.loads(call(self.public, "POST", f"/q/{queue}/join")[2])
        ticket = {"Authorization": f"Bearer {joined['waiting_token']}"}
        until("a turn", lambda: json.loads(call(self.public, "GET", f"/q/{queue}/me", ticket)[2])["state"] == "ready")
        return json.loads(call(self.public, "POST", f"/q/{queue}/claim", ticket)[2])["redirect"]


def code_of(address):
    return urllib.parse.parse_qs(urllib.parse.urlsplit(address).query)["wr"][0]


def encoded(value):
    return base64.urlsafe_b64encode(value if isinstance(value, bytes) else json.dumps(value).encode()).decode().rstrip("=")


def forgeries(gate, token):
    """What a stranger makes of a good token."""
    head, body, sign = token.split(".")
    claims = json.loads(base64.urlsafe_b64decode(body + "=="))
    kid = json.loads(base64.urlsafe_b64decode(head + "=="))["kid"]
    jwk = next(key for key in json.loads(call(gate.public, "GET", "/.well-known/jwks.json")[2])["keys"] if key["kid"] == kid)
    public = base64.urlsafe_b64decode(jwk["x"] + "=")
    later = encoded({**claims, "jti": "another", "exp": claims["exp"] + 9999})
    confused = f"{encoded({'alg': 'HS256', 'kid': kid})}.{body}"
    return {
        "nothing": "", "no token": "abc", "no signature": f"{head}.{body}.",
        "claims altered": f"{head}.{later}.{sign}",
        "algorithm none": f"{encoded({'alg': 'none', 'kid': kid})}.{body}.",
        "public key as a secret": f"{confused}.{encoded(hmac.new(public, confused.encode(), hashlib.sha256).digest())}",
        "unknown key": f"{encoded({'alg': 'EdDSA', 'kid': 'other.1'})}.{body}.{sign}",
    }


def checks_tokens(gate, name, start):
    """A service that checks the gate's JWT itself."""
    port = free_port()
    service = f"http://127.0.0.1:{port}"
    queue = gate.queue(name, "jwt_eddsa", service, f"{service}/enter")
    other = gate.queue(f"{name}-other", "jwt_eddsa", service, f"{service}/enter")
    process = start(port, queue)
    try:
        until(name, lambda: call(service, "GET", "/")[0] == 303, 120)
        status, head, _ = call(service, "GET", "/")
        assert head["location"] == f"{gate.public}/w/{queue}", head["location"]
        address = gate.let_in(queue)
        token = code_of(address)
        for what, forged in forgeries(gate, token).items():
            assert call(service, "GET", f"/enter?wr={forged}")[0] == 401, what
        foreign = code_of(gate.let_in(other))
        assert call(service, "GET", f"/enter?wr={foreign}")[0] == 401, "a token of another queue"
        status, head, _ = call(service, "GET", f"/enter?wr={token}")
        assert status == 303 and "wr=" not in head["location"], (status, head["location"])
        cookie = {"Cookie": head["set-cookie"].split(";")[0]}
        assert call(service, "GET", "/", cookie)[::2] == (200, "inside\n")
        assert call(service, "GET", f"/enter?wr={token}")[0] == 401, "a token used before"
        assert call(service, "GET", "/", {"Cookie": cookie["Cookie"][:-2] + "xx"})[0] == 303, "a session made up"
    finally:
        process.kill()
        process.wait()


def node(gate, home):
    def start(port, queue):
        env = {**os.environ, "GATE": gate.public, "QUEUE": queue, "PORT": str(port)}
        return subprocess.Popen(["node", f"{HERE}/node/server.mjs"], env=env)
    checks_tokens(gate, "node", start)


def spring_boot(gate, home):
    shutil.copytree(f"{HERE}/spring-boot", f"{home}/spring-boot", ignore=shutil.ignore_patterns("target"))
    subprocess.run(["mvn", "-q", "-B", "package"], cwd=f"{home}/spring-boot", check=True)

    def start(port, queue):
        return subprocess.Popen(["java", "-jar", f"{home}/spring-boot/target/verify.jar", f"--server.port={port}", "--server.address=127.0.0.1",
                                 f"--waiting-room.gate={gate.public}", f"--waiting-room.queue={queue}"],
                                stdout=open(f"{home}/spring.out", "w"), stderr=subprocess.STDOUT)
    checks_tokens(gate, "spring-boot", start)


SERVICE = """
import http.server
class Service(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = f"inside as {self.headers['x-wr-wid']}\\n".encode()
        self.send_response(200); self.send_header("Content-Length", str(len(body))); self.end_headers(); self.wfile.write(body)
    def log_message(self, *_): pass
http.server.ThreadingHTTPServer(("127.0.0.1", %d), Service).serve_forever()
"""


def through_the_door(service, path, jar):
    """Both steps of the way in, as a browser goes; status and headers of the last, and the browser's cookie."""
    if not jar:
        status, head, _ = call(service, "GET", path)
        assert status == 303 and head["location"].endswith("&c=1"), (status, head)
        path, jar = head["location"], {"Cookie": head["set-cookie"].split(";")[0]}
    status, head, _ = call(service, "GET", path, jar)
    return status, head, jar["Cookie"]


def nginx(gate, home):
    listen, behind = free_port(), free_port()
    service = f"http://127.0.0.1:{listen}"
    queue = gate.queue("nginx", "code", service, service)
    gate_address = gate.public.removeprefix("http://")
    gate_key = {"Authorization": f"Bearer {gate.key}"}
    call(gate.admin, "PATCH", f"/v1/queues/{queue}", gate_key, {"redirect_to": f"{service}/enter/{queue}"})
    os.mkdir(f"{home}/nginx")
    config = open(f"{HERE}/nginx/nginx.conf").read()
    for name, value in [("GATE", gate_address), ("QUEUE", queue), ("SERVICE", f"127.0.0.1:{behind}"), ("LISTEN", f"127.0.0.1:{listen}")]:
        config = "\n".join(line if line.startswith("#") else line.replace(name, value) for line in config.split("\n"))
    open(f"{home}/nginx/nginx.conf", "w").write(config)
    started = [subprocess.Popen([sys.executable, "-c", SERVICE % behind]),
               subprocess.Popen(["nginx", "-p", f"{home}/nginx", "-e", "error.log", "-c", "nginx.conf"])]
    try:
        until("the service", lambda: call(f"http://127.0.0.1:{behind}", "GET", "/")[0] == 200)
        until("nginx", lambda: call(service, "GET", "/")[0] == 303)
        status, head, _ = call(service, "GET", "/goods?id=1")
        door = f"{service}/enter/{queue}?to=" + urllib.parse.quote("/goods?id=1", safe="")
        assert head["location"] == f"{gate.public}/w/{queue}?rt=" + urllib.parse.quote(door, safe=""), head["location"]
        assert call(service, "GET", "/", {"Sec-Fetch-Mode": "cors"})[0] == 401, "a script's request"
        address = gate.let_in(queue)
        assert address.startswith(f"{service}/enter/{queue}?wr="), address
        path = address.removeprefix(service)
        come_in = lambda path, jar={}: through_the_door(service, path, jar)
        assert come_in(path[:-3] + "AAA")[0] == 401, "an altered code"
        status, head, browser = come_in(path)
        assert (status, head["location"]) == (303, "/"), (status, head["location"])
        assert come_in(path, {"Cookie": browser})[0] == 303, "the same browser, whose answer was lost"
        cookie = head["set-cookie"].split(";")[0]
        status, _, text = call(service, "GET", "/", {"Cookie": cookie, "X-WR-Wid": "somebody else"})
        assert status == 200 and re.fullmatch(r"inside as [0-9a-f]{32}\n", text), text
        status, head, other = come_in(path)
        assert status == 303 and head["location"].endswith("&c=2"), "once more, in case that another tab is inside"
        assert call(service, "GET", head["location"], {"Cookie": other})[0] == 409, "a code used before, in another browser"
        assert call(service, "GET", "/", {"Cookie": cookie[:-4] + "AAAA"})[0] == 303, "an altered session"
        wid = text.split()[-1]
        gate.ask(f"/v1/queues/{queue}/sessions/complete", {"wids": [wid]})
        assert call(service, "GET", "/", {"Cookie": cookie})[0] == 303, "a session that is over"
    finally:
        for process in started:
            process.terminate()
            process.wait()


def main():
    loadline, *names = sys.argv[1:]
    home = tempfile.mkdtemp(prefix="gate-verify-")
    gate = Gate(os.path.abspath(loadline), home)
    try:
        for name in names or ["node", "nginx", "spring-boot"]:
            {"node": node, "nginx": nginx, "spring-boot": spring_boot}[name](gate, home)
            print(f"{name}: who was let in comes in, once; nobody else does", flush=True)
    finally:
        gate.process.terminate()
        gate.process.wait()
    shutil.rmtree(home)


if __name__ == "__main__":
    main()
