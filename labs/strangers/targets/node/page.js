// The names that prom-client gives by default, and those that applications give their pools and queues.
'use strict';

const fs = require('node:fs');
const { monitorEventLoopDelay, PerformanceObserver } = require('node:perf_hooks');

const BOUNDS = [0.003, 0.03, 0.1, 0.3, 1.5, 5, 10];

class Page {
  constructor(dialect) {
    this.dialect = dialect;
    this.served = new Map();
    this.calls = new Map();
    this.lag = 0;
    this.look();
    // The limit as it was at the start; at most what servers usually have.
    this.filesMax = Math.min(20000, Number(fs.readFileSync('/proc/self/limits', 'latin1').match(/Max open files\s+(\d+)/)[1]));
    this.started = Math.round(Date.now() / 1000);
    this.delay = monitorEventLoopDelay({ resolution: 10 });
    this.delay.enable();
    this.collections = new Map();
    new PerformanceObserver((list) => list.getEntries().forEach((entry) => this.collected(entry))).observe({ entryTypes: ['gc'] });
  }

  collected(entry) {
    const kind = { 1: 'minor', 4: 'major', 8: 'incremental', 16: 'weakcb' }[entry.detail.kind] || 'minor';
    add(this.collections, `kind="${kind}"`, entry.duration / 1000);
  }

  answered(method, route, status, seconds) {
    add(this.served, `method="${method}",route="${route}",status_code="${status}"`, seconds);
  }

  called(peer, status, seconds) {
    add(this.calls, `host="${peer}",method="GET",status_code="${status}"`, seconds);
  }

  text(app) {
    const out = [];
    histogram(out, 'http_request_duration_seconds', this.served);
    histogram(out, 'http_client_request_duration_seconds', this.calls);
    for (const [name, pool] of Object.entries(app.pools)) this.pool(out, name, pool);
    for (const [name, executor] of Object.entries(app.executors)) {
      gauge(out, 'p_queue_size', executor.waiters.length, `name="${name}"`);
      gauge(out, 'p_queue_pending', executor.busy, `name="${name}"`);
      gauge(out, 'p_queue_concurrency', executor.size, `name="${name}"`);
    }
    this.runtime(out);
    return `${out.join('\n')}\n`;
  }

  pool(out, name, pool) {
    const open = pool.busy + pool.idle.length;
    if (this.dialect === 0) {
      gauge(out, 'pg_pool_total_count', open);
      gauge(out, 'pg_pool_idle_count', pool.idle.length);
      gauge(out, 'pg_pool_waiting_count', pool.waiters.length);
      gauge(out, 'pg_pool_max', pool.size);
    } else if (this.dialect === 1) {
      gauge(out, 'shop_db_pool_size', open, `pool="${name}"`);
      gauge(out, 'shop_db_pool_max', pool.size, `pool="${name}"`);
      gauge(out, 'shop_db_pool_in_use', pool.busy, `pool="${name}"`);
      gauge(out, 'shop_db_pool_pending_acquires', pool.waiters.length, `pool="${name}"`);
    } else {
      gauge(out, 'db_client_connection_count', pool.busy, `db_client_connection_pool_name="${name}",db_client_connection_state="used"`);
      out.push(`db_client_connection_count{db_client_connection_pool_name="${name}",db_client_connection_state="idle"} ${pool.idle.length}`);
      gauge(out, 'db_client_connection_max', pool.size, `db_client_connection_pool_name="${name}"`);
      gauge(out, 'db_client_connection_pending_requests', pool.waiters.length, `db_client_connection_pool_name="${name}"`);
    }
  }

  // What was seen last where there is no file left to look with, as in prom-client.
  look() {
    try {
      this.opened = fs.readdirSync('/proc/self/fd').length - 1;
      this.memory = process.memoryUsage();
    } catch (error) {
      if (error.code !== 'EMFILE') throw error;
    }
  }

  runtime(out) {
    const cpu = process.cpuUsage();
    counter(out, 'process_cpu_user_seconds_total', cpu.user / 1e6);
    counter(out, 'process_cpu_system_seconds_total', cpu.system / 1e6);
    counter(out, 'process_cpu_seconds_total', (cpu.user + cpu.system) / 1e6);
    gauge(out, 'process_start_time_seconds', this.started);
    this.look();
    const { memory } = this;
    gauge(out, 'process_resident_memory_bytes', memory.rss);
    gauge(out, 'process_open_fds', this.opened);
    gauge(out, 'process_max_fds', this.filesMax);
    const seconds = (nanos) => (Number.isFinite(nanos) ? nanos / 1e9 : 0);
    gauge(out, 'nodejs_eventloop_lag_seconds', this.lag);
    gauge(out, 'nodejs_eventloop_lag_min_seconds', seconds(this.delay.min));
    gauge(out, 'nodejs_eventloop_lag_max_seconds', seconds(this.delay.max));
    gauge(out, 'nodejs_eventloop_lag_mean_seconds', seconds(this.delay.mean));
    gauge(out, 'nodejs_eventloop_lag_stddev_seconds', seconds(this.delay.stddev));
    for (const percent of [50, 90, 99]) gauge(out, `nodejs_eventloop_lag_p${percent}_seconds`, seconds(this.delay.percentile(percent)));
    this.delay.reset();
    gauge(out, 'nodejs_active_handles_total', process.getActiveResourcesInfo().length);
    gauge(out, 'nodejs_heap_size_total_bytes', memory.heapTotal);
    gauge(out, 'nodejs_heap_size_used_bytes', memory.heapUsed);
    gauge(out, 'nodejs_external_memory_bytes', memory.external);
    const [major, minor, patch] = process.version.slice(1).split('.');
    gauge(out, 'nodejs_version_info', 1, `version="${process.version}",major="${major}",minor="${minor}",patch="${patch}"`);
    histogram(out, 'nodejs_gc_duration_seconds', this.collections, [0.001, 0.01, 0.1, 1, 2, 5]);
  }
}

function add(all, labels, seconds) {
  if (!all.has(labels)) all.set(labels, []);
  all.get(labels).push(seconds);
}

function gauge(out, name, value, labels) {
  out.push(`# HELP ${name} ${name}`, `# TYPE ${name} gauge`, `${name}${labels ? `{${labels}}` : ''} ${value}`);
}

function counter(out, name, value) {
  out.push(`# HELP ${name} ${name}`, `# TYPE ${name} counter`, `${name} ${value}`);
}

function histogram(out, name, all, bounds = BOUNDS) {
  out.push(`# HELP ${name} ${name}`, `# TYPE ${name} histogram`);
  for (const [labels, values] of all) {
    for (const bound of bounds) out.push(`${name}_bucket{le="${bound}",${labels}} ${values.filter((value) => value <= bound).length}`);
    out.push(`${name}_bucket{le="+Inf",${labels}} ${values.length}`, `${name}_sum{${labels}} ${values.reduce((sum, value) => sum + value, 0)}`, `${name}_count{${labels}} ${values.length}`);
  }
}

module.exports = { Page };
