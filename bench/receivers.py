"""Receivers that outputs are tried against: InfluxDB, Prometheus, two of OTLP, and files.

Each listens on 127.0.0.1 with a data directory of its own, can be stopped and started again,
and says what it has: the sum of `http_reqs` and the count of `http_req_duration`.
"""
import csv, gzip, http.server, json, os, subprocess
import threading, time, urllib.parse, urllib.request
from concurrent import futures

from ports import free_port


def wait_for(url, seconds=60):
    end = time.time() + seconds
    while time.time() < end:
        try:
            urllib.request.urlopen(url, timeout=1).read()
            return
        except urllib.error.HTTPError:
            return
        except Exception:
            time.sleep(0.1)
    raise SystemExit(f"{url} does not answer")


class Process:
    """A server that can be stopped and started again on the same data."""

    def __init__(self, command, ready, log):
        self.command, self.ready, self.log = command, ready, log
        self.process = None

    def start(self):
        self.process = subprocess.Popen(self.command, stdout=self.log, stderr=self.log)
        wait_for(self.ready)

    def stop(self):
        if self.process:
            self.process.terminate()
            self.process.wait()
            self.process = None


class Influx:
    name = "influxdb"
    raw = True

    def __init__(self, home):
        self.port, rpc = free_port(), free_port()
        data = os.path.join(home, "influx")
        os.makedirs(data)
        config = os.path.join(home, "influx.conf")
        with open(config, "w") as f:
            f.write(f"""reporting-disabled = true
bind-address = "127.0.0.1:{rpc}"
[meta]
  dir = "{data}/meta"
[data]
  dir = "{data}/data"
  wal-dir = "{data}/wal"
  max-series-per-database = 0
[http]
  bind-address = "127.0.0.1:{self.port}"
  log-enabled = false
[monitor]
  store-enabled = false
""")
        log = open(os.path.join(home, "influx.log"), "w")
        self.server = Process(["influxd", "-config", config], f"http://127.0.0.1:{self.port}/ping", log)

    def use(self, run):
        self.db = run
        return ["-o", f"influxdb=http://127.0.0.1:{self.port}/{run}"], {}

    def query(self, text):
        query = urllib.parse.urlencode({"db": self.db, "q": text, "epoch": "ns"})
        url = f"http://127.0.0.1:{self.port}/query?{query}"
        answer = json.load(urllib.request.urlopen(url, timeout=60))
        series = answer["results"][0].get("series")
        return series[0]["values"][0][1] if series else 0

    def requests(self):
        return self.query('SELECT sum("value") FROM "http_reqs"')

    def durations(self):
        """Samples of http_req_duration: single points, and those that points stand for."""
        points = self.query('SELECT count("value") FROM "http_req_duration"')
        of_windows = self.query('SELECT count("window") FROM "http_req_duration"')
        stand_for = self.query('SELECT sum("count") FROM "http_req_duration"')
        return points - of_windows + (stand_for or 0)

    def single_points(self):
        """Points of all metrics that are single samples."""
        total = 0
        for field, sign in (("value", 1), ("window", -1)):
            query = urllib.parse.urlencode({"db": self.db, "q": f'SELECT count("{field}") FROM /.*/'})
            url = f"http://127.0.0.1:{self.port}/query?{query}"
            answer = json.load(urllib.request.urlopen(url, timeout=60))
            total += sign * sum(s["values"][0][1] for s in answer["results"][0].get("series", []))
        return total


class Prometheus:
    raw = False

    def __init__(self, home, native):
        self.native = native
        self.name = "prometheus-rw, native histograms" if native else "prometheus-rw"
        self.port = free_port()
        data = os.path.join(home, f"prometheus-{native}")
        os.makedirs(data)
        config = os.path.join(home, "prometheus.yml")
        open(config, "w").write("global: {}\n")
        log = open(os.path.join(home, f"prometheus-{native}.log"), "w")
        self.server = Process(
            ["prometheus", f"--config.file={config}", f"--storage.tsdb.path={data}",
             f"--web.listen-address=127.0.0.1:{self.port}", "--web.enable-remote-write-receiver",
             "--enable-feature=native-histograms"],
            f"http://127.0.0.1:{self.port}/-/ready", log)

    def use(self, run):
        self.run = run
        environment = {"K6_PROMETHEUS_RW_SERVER_URL": f"http://127.0.0.1:{self.port}/api/v1/write",
                       "K6_PROMETHEUS_RW_TREND_STATS": "count,p(95),p(99),max"}
        if self.native:
            environment["K6_PROMETHEUS_RW_TREND_AS_NATIVE_HISTOGRAM"] = "true"
        return ["-o", "experimental-prometheus-rw", "--tag", f"bench={run}"], environment

    def query(self, text):
        url = f"http://127.0.0.1:{self.port}/api/v1/query?" + urllib.parse.urlencode({"query": text})
        result = json.load(urllib.request.urlopen(url, timeout=30))["data"]["result"]
        return float(result[0]["value"][1]) if result else 0

    def requests(self):
        return self.query(f'sum(last_over_time(k6_http_reqs_total{{bench="{self.run}"}}[10m]))')

    def durations(self):
        if self.native:
            text = f'sum(histogram_count(k6_http_req_duration_seconds{{bench="{self.run}"}}))'
        else:
            text = f'sum(last_over_time(k6_http_req_duration_count{{bench="{self.run}"}}[10m]))'
        return self.query(text)

    def seconds(self):
        """Seconds of the run that have a sample of their own."""
        return self.query(f'max(count_over_time(k6_http_reqs_total{{bench="{self.run}"}}[10m]))')


class Otlp:
    raw = False

    def __init__(self, home, protocol):
        from opentelemetry.proto.collector.metrics.v1 import metrics_service_pb2 as service
        self.service, self.protocol = service, protocol
        self.name = f"opentelemetry, {protocol}"
        self.port = free_port()
        self.points, self.exports = {}, []
        self.server = self

    def take(self, request):
        self.exports.append(time.time())
        for resource in request.resource_metrics:
            for scope in resource.scope_metrics:
                for metric in scope.metrics:
                    kind = metric.WhichOneof("data")
                    for point in getattr(metric, kind).data_points:
                        tags = tuple(sorted((a.key, a.value.string_value) for a in point.attributes))
                        if kind == "histogram":
                            assert sum(point.bucket_counts) == point.count
                            value = point.count
                        else:
                            value = point.as_double if point.HasField("as_double") else point.as_int
                        self.points[metric.name, tags] = value

    def start(self):
        outer = self
        if self.protocol == "grpc":
            import grpc
            from opentelemetry.proto.collector.metrics.v1 import metrics_service_pb2_grpc as stubs

            class Servicer(stubs.MetricsServiceServicer):
                def Export(self, request, context):
                    outer.take(request)
                    return outer.service.ExportMetricsServiceResponse()

            self.listening = grpc.server(futures.ThreadPoolExecutor(2), options=[("grpc.so_reuseport", 0)])
            stubs.add_MetricsServiceServicer_to_server(Servicer(), self.listening)
            assert self.listening.add_insecure_port(f"127.0.0.1:{self.port}") == self.port
            self.listening.start()
        else:
            class Handler(http.server.BaseHTTPRequestHandler):
                protocol_version = "HTTP/1.1"

                def do_POST(self):
                    body = self.rfile.read(int(self.headers["Content-Length"]))
                    assert self.path == "/v1/metrics", self.path
                    outer.take(outer.service.ExportMetricsServiceRequest.FromString(body))
                    self.send_response(200)
                    self.send_header("Content-Length", "0")
                    self.end_headers()

                def log_message(self, *_):
                    pass

            http.server.ThreadingHTTPServer.allow_reuse_address = True
            self.listening = http.server.ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
            threading.Thread(target=self.listening.serve_forever, daemon=True).start()

    def stop(self):
        if self.protocol == "grpc":
            self.listening.stop(0).wait()
        else:
            self.listening.shutdown()
            self.listening.server_close()

    def use(self, run):
        self.points, self.exports = {}, []
        prefix = "K6_OTEL_GRPC_EXPORTER" if self.protocol == "grpc" else "K6_OTEL_HTTP_EXPORTER"
        return ["-o", "opentelemetry"], {
            "K6_OTEL_EXPORTER_PROTOCOL": "grpc" if self.protocol == "grpc" else "http/protobuf",
            f"{prefix}_ENDPOINT": f"127.0.0.1:{self.port}", f"{prefix}_INSECURE": "true",
            "K6_OTEL_EXPORT_INTERVAL": "2s"}

    def total(self, metric):
        return sum(v for (name, _), v in self.points.items() if name == metric)

    def requests(self):
        return self.total("http_reqs")

    def durations(self):
        return self.total("http_req_duration")


class File:
    raw = True

    def __init__(self, home, kind):
        self.home, self.kind, self.name = home, kind, kind

    def use(self, run):
        self.path = os.path.join(self.home, f"{run}.{self.kind}")
        return ["-o", f"{self.kind.split('.')[0]}={self.path}"], {}

    def lines(self):
        opened = gzip.open(self.path, "rt") if self.path.endswith(".gz") else open(self.path)
        with opened as f:
            if self.kind.startswith("json"):
                for line in f:
                    line = json.loads(line)
                    if line["type"] == "Point":
                        yield line["metric"], line["data"]["value"]
            else:
                for row in csv.DictReader(f):
                    yield row["metric_name"], float(row["metric_value"])

    def requests(self):
        return sum(value for metric, value in self.lines() if metric == "http_reqs")

    def durations(self):
        return sum(1 for metric, _ in self.lines() if metric == "http_req_duration")
