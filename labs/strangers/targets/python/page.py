"""The names that prometheus_client gives by default, those of the usual middlewares, and those that pools have."""

import gc
import os
import platform
import resource
import threading
import time

BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0]


class Histogram:
    def __init__(self):
        self.counts, self.count, self.sum = [0] * len(BOUNDS), 0, 0.0

    def add(self, seconds):
        for index, bound in enumerate(BOUNDS):
            if seconds <= bound:
                self.counts[index] += 1
        self.count += 1
        self.sum += seconds


class Page:
    def __init__(self, dialect, is_threaded):
        self.dialect = dialect
        self.http = "flask" if is_threaded else ["instrumentator", "starlette", "instrumentator"][dialect]
        self.lock = threading.Lock()
        self.served, self.calls, self.in_progress = {}, {}, 0
        self.started = time.time()

    def answered(self, method, route, status, seconds):
        with self.lock:
            self.served.setdefault((method, route, status), Histogram()).add(seconds)

    def called(self, peer, status, seconds):
        with self.lock:
            self.calls.setdefault((peer, status), Histogram()).add(seconds)

    def text(self, app):
        out = []
        with self.lock:
            self.requests(out)
            head(out, "http_client_request_duration_seconds", "histogram")
            for (peer, status), one in self.calls.items():
                histogram(out, "http_client_request_duration_seconds", f'host="{peer}",method="GET",status="{status}"', one)
        for name, pool in app.pools.items():
            self.pool(out, name, pool)
        for name, executor in app.executors.items():
            use = executor.ledger()
            gauge(out, "threadpool_executor_max_workers", use["size"], f'{{name="{name}"}}')
            gauge(out, "threadpool_executor_active", use["busy"], f'{{name="{name}"}}')
            gauge(out, "threadpool_executor_queue_size", use["waiting"], f'{{name="{name}"}}')
        self.process(out)
        return "\n".join(out) + "\n"

    def requests(self, out):
        if self.http == "flask":
            names, count = "flask_http_request_duration_seconds", "flask_http_request_total"
        elif self.http == "starlette":
            names, count = "starlette_request_duration_seconds", "starlette_requests_total"
            gauge(out, "starlette_requests_in_progress", self.in_progress, '{app_name="starlette",method="GET"}')
        else:
            names, count = "http_request_duration_seconds", "http_requests_total"
        head(out, names, "histogram")
        merged = {}
        for (method, route, status), one in self.served.items():
            label = {"flask": f'method="{method}",path="{route}",status="{status}"',
                     "starlette": f'app_name="starlette",method="{method}",path="{route}",status_code="{status}"',
                     "instrumentator": f'handler="{route}",method="{method}"'}[self.http]
            whole = merged.setdefault(label, Histogram())
            whole.counts = [a + b for a, b in zip(whole.counts, one.counts)]
            whole.count, whole.sum = whole.count + one.count, whole.sum + one.sum
        for label, one in merged.items():
            histogram(out, names, label, one)
        head(out, count, "counter")
        counts = {}
        for (method, route, status), one in self.served.items():
            label = {"flask": f'method="{method}",status="{status}"', "starlette": f'app_name="starlette",method="{method}",path="{route}",status_code="{status}"',
                     "instrumentator": f'handler="{route}",method="{method}",status="{status // 100}xx"'}[self.http]
            counts[label] = counts.get(label, 0) + one.count
        out.extend(f"{count}{{{label}}} {number}.0" for label, number in counts.items())

    def pool(self, out, name, pool):
        use, idle = pool.ledger(), len(pool.idle)
        if self.dialect == 0:
            gauge(out, "psycopg_pool_pool_size", use["busy"] + idle)
            gauge(out, "psycopg_pool_pool_max", use["size"])
            gauge(out, "psycopg_pool_pool_available", idle)
            gauge(out, "psycopg_pool_requests_waiting", use["waiting"])
            counter(out, "psycopg_pool_requests_num", use["hold_count"])
            counter(out, "psycopg_pool_requests_wait_ms", 1000 * use["wait_s"])
            counter(out, "psycopg_pool_usage_ms", 1000 * use["hold_s"])
        elif self.dialect == 1:
            gauge(out, "sqlalchemy_pool_size", use["size"], f'{{pool="{name}"}}')
            gauge(out, "sqlalchemy_pool_checkedout", use["busy"], f'{{pool="{name}"}}')
            gauge(out, "sqlalchemy_pool_checkedin", idle, f'{{pool="{name}"}}')
            gauge(out, "sqlalchemy_pool_overflow", 0, f'{{pool="{name}"}}')
        else:
            gauge(out, "db_pool_connections", use["busy"], '{state="used"}')
            out.append(f'db_pool_connections{{state="idle"}} {float(idle)}')
            gauge(out, "db_pool_max_connections", use["size"])
            gauge(out, "db_pool_waiters", use["waiting"])

    def process(self, out):
        head(out, "python_gc_collections_total", "counter")
        for generation, one in enumerate(gc.get_stats()):
            out.append(f'python_gc_collections_total{{generation="{generation}"}} {float(one["collections"])}')
        major, minor, patch = platform.python_version_tuple()
        gauge(out, "python_info", 1, f'{{implementation="CPython",major="{major}",minor="{minor}",patchlevel="{patch}",version="{platform.python_version()}"}}')
        fields = open("/proc/self/statm").read().split()
        gauge(out, "process_virtual_memory_bytes", int(fields[0]) * resource.getpagesize())
        gauge(out, "process_resident_memory_bytes", int(fields[1]) * resource.getpagesize())
        gauge(out, "process_start_time_seconds", self.started)
        times = os.times()
        counter(out, "process_cpu_seconds", times.user + times.system)
        gauge(out, "process_open_fds", len(os.listdir("/proc/self/fd")))
        gauge(out, "process_max_fds", 20000)


def head(out, name, kind):
    out.extend([f"# HELP {name} {name}", f"# TYPE {name} {kind}"])


def gauge(out, name, value, labels=""):
    head(out, name, "gauge")
    out.append(f"{name}{labels} {float(value)}")


def counter(out, name, value):
    head(out, name + "_total", "counter")
    out.append(f"{name}_total {float(value)}")


def histogram(out, name, label, one):
    out.extend(f'{name}_bucket{{{label},le="{bound}"}} {float(count)}' for bound, count in zip(BOUNDS, one.counts))
    out.extend([f'{name}_bucket{{{label},le="+Inf"}} {float(one.count)}', f"{name}_count{{{label}}} {float(one.count)}", f"{name}_sum{{{label}}} {one.sum}"])
