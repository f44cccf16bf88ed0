"""A collector: takes OTLP over HTTP in JSON, as the targets send it, and sends it on in protobuf, as loadline takes it."""

import http.server
import json
import struct
import threading
import urllib.request


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def field(number, data):
    return varint(number << 3 | 2) + varint(len(data)) + data


def text(number, value):
    return field(number, value.encode())


def attribute(one):
    value = one["value"]
    if "intValue" in value:
        body = varint(3 << 3) + varint(int(value["intValue"]))
    else:
        body = text(1, value.get("stringValue", ""))
    return text(1, one["key"]) + field(2, body)


def span(one):
    attributes = one.get("attributes") or []
    status = next((int(a["value"].get("intValue", 0)) for a in attributes if a["key"] == "http.response.status_code"), 0)
    failed = field(15, varint(3 << 3) + varint(2)) if status >= 500 else b""
    return b"".join([
        field(1, bytes.fromhex(one["traceId"])), field(2, bytes.fromhex(one["spanId"])),
        field(4, bytes.fromhex(one["parentSpanId"])) if one.get("parentSpanId") else b"",
        text(5, one["name"]), varint(6 << 3) + varint(one["kind"]),
        varint(7 << 3 | 1) + struct.pack("<Q", int(one["startTimeUnixNano"])),
        varint(8 << 3 | 1) + struct.pack("<Q", int(one["endTimeUnixNano"])),
        *(field(9, attribute(each)) for each in attributes), failed])


def protobuf(batch):
    out = b""
    for resource in batch["resourceSpans"]:
        attributes = b"".join(field(1, attribute(one)) for one in resource["resource"]["attributes"])
        scopes = b"".join(field(2, field(1, text(1, scope["scope"]["name"])) + b"".join(field(2, span(one)) for one in scope["spans"]))
                          for scope in resource["scopeSpans"])
        out += field(1, field(1, attributes) + scopes)
    return out


class Collector:
    """Listens on one port, sends on to another."""

    def __init__(self, port, onward):
        self.lost = 0
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                batch = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                request = urllib.request.Request(f"http://127.0.0.1:{onward}/v1/traces", protobuf(batch), {"Content-Type": "application/x-protobuf"})
                try:
                    urllib.request.urlopen(request, timeout=5).close()
                except OSError:
                    outer.lost += 1  # The run has not begun, or is over.
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):
                outer.lost += 1  # A target that was ended while it sent.

        self.server = Server(("127.0.0.1", port), Handler)
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.2}, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
