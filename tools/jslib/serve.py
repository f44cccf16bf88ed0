"""Serves modules of the web by the names of their hosts, over https on port 443, and an echo on port 8080.

serve.py MODULES CERTIFICATE KEY: MODULES/HOST/PATH is https://HOST/PATH.
"""

import http.server
import json
import os
import ssl
import sys
import threading

MODULES, CERTIFICATE, KEY = sys.argv[1:4]
SHOWN = ("content-type", "traceparent", "x-a", "authorization", "cookie")


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body, kind):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def do_GET(self):
        host = self.headers.get("Host", "").split(":")[0]
        folder = os.path.join(MODULES, host)
        if not os.path.isdir(folder):
            return self.echo(b"")
        path = os.path.join(folder, self.path.split("?")[0].lstrip("/"))
        if not os.path.isfile(path):
            return self.answer(404, b"no such module\n", "text/plain")
        with open(path, "rb") as file:
            return self.answer(200, file.read(), "application/javascript")

    def do_POST(self):
        self.echo(self.rfile.read(int(self.headers.get("Content-Length") or 0)))

    do_PUT = do_PATCH = do_DELETE = do_POST
    do_HEAD = do_GET

    def echo(self, body):
        headers = {name.lower(): value for name, value in self.headers.items() if name.lower() in SHOWN}
        told = {"method": self.command, "path": self.path, "headers": headers, "body": body.decode("latin1")}
        self.answer(200, json.dumps(told).encode(), "application/json")


plain = http.server.ThreadingHTTPServer(("127.0.0.1", 8080), Handler)
threading.Thread(target=plain.serve_forever, daemon=True).start()
secure = http.server.ThreadingHTTPServer(("127.0.0.1", 443), Handler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(CERTIFICATE, KEY)
secure.socket = context.wrap_socket(secure.socket, server_side=True)
secure.serve_forever()
