package main

import (
	"fmt"
	"net/http"
	"os"
	"runtime"
	"runtime/debug"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Page has the names that client_golang, its database/sql collector and pond's example give.
type Page struct {
	mu       sync.Mutex
	served   map[[3]string]*histogram
	calls    map[[2]string]*histogram
	inFlight int
	scrapes  int
	started  float64
}

var bounds = []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}

type histogram struct {
	counts []int
	count  int
	sum    float64
}

func (h *histogram) add(seconds float64) {
	for index, bound := range bounds {
		if seconds <= bound {
			h.counts[index]++
		}
	}
	h.count++
	h.sum += seconds
}

func observe[K comparable](all map[K]*histogram, key K, seconds float64) {
	if all[key] == nil {
		all[key] = &histogram{counts: make([]int, len(bounds))}
	}
	all[key].add(seconds)
}

func newPage() *Page {
	return &Page{served: map[[3]string]*histogram{}, calls: map[[2]string]*histogram{}, started: float64(time.Now().UnixNano()) / 1e9}
}

func (p *Page) answered(method, route string, status int, seconds float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	observe(p.served, [3]string{method, route, strconv.Itoa(status)}, seconds)
}

func (p *Page) called(peer string, status int, seconds float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	observe(p.calls, [2]string{peer, strconv.Itoa(status)}, seconds)
}

func (h *histogram) write(out *strings.Builder, name, labels string) {
	for index, bound := range bounds {
		fmt.Fprintf(out, "%s_bucket{%s,le=\"%g\"} %d\n", name, labels, bound, h.counts[index])
	}
	fmt.Fprintf(out, "%s_bucket{%s,le=\"+Inf\"} %d\n%s_sum{%s} %g\n%s_count{%s} %d\n", name, labels, h.count, name, labels, h.sum, name, labels, h.count)
}

func family(out *strings.Builder, name, kind string) { fmt.Fprintf(out, "# TYPE %s %s\n", name, kind) }

func single(out *strings.Builder, name, kind string, value float64) {
	family(out, name, kind)
	fmt.Fprintf(out, "%s %g\n", name, value)
}

func (a *App) servePage(w http.ResponseWriter, _ *http.Request) {
	out := &strings.Builder{}
	a.page.mu.Lock()
	a.page.scrapes++
	family(out, "http_request_duration_seconds", "histogram")
	for _, key := range sortedKeys(a.page.served) {
		labels := fmt.Sprintf("code=%q,method=%q,route=%q", key[2], key[0], key[1])
		a.page.served[key].write(out, "http_request_duration_seconds", labels)
	}
	single(out, "http_requests_in_flight", "gauge", float64(a.page.inFlight))
	family(out, "http_client_request_duration_seconds", "histogram")
	for _, key := range sortedKeys(a.page.calls) {
		a.page.calls[key].write(out, "http_client_request_duration_seconds", fmt.Sprintf("code=%q,host=%q,method=\"get\"", key[1], key[0]))
	}
	fmt.Fprintf(out, "# TYPE promhttp_metric_handler_requests_total counter\npromhttp_metric_handler_requests_total{code=\"200\"} %d\n", a.page.scrapes)
	a.page.mu.Unlock()
	a.writeParts(out)
	writeRuntime(out, a.page.started)
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	fmt.Fprint(w, out.String())
}

func (a *App) writeParts(out *strings.Builder) {
	for name, pool := range a.pools {
		use := pool.use()
		label := fmt.Sprintf("{db_name=%q}", name)
		row := func(metric, kind string, value float64) {
			fmt.Fprintf(out, "# TYPE go_sql_%s %s\ngo_sql_%s%s %g\n", metric, kind, metric, label, value)
		}
		open := use.Busy + len(pool.idle)
		row("max_open_connections", "gauge", float64(use.Size))
		row("open_connections", "gauge", float64(open))
		row("in_use_connections", "gauge", float64(use.Busy))
		row("idle_connections", "gauge", float64(len(pool.idle)))
		row("wait_count_total", "counter", float64(use.WaitCount))
		row("wait_duration_seconds_total", "counter", use.WaitSum)
		row("max_idle_closed_total", "counter", 0)
		row("max_lifetime_closed_total", "counter", 0)
	}
	for name, executor := range a.executors {
		use := executor.use()
		label := fmt.Sprintf("{pool=%q}", name)
		row := func(metric, kind string, value float64) {
			fmt.Fprintf(out, "# TYPE pool_%s %s\npool_%s%s %g\n", metric, kind, metric, label, value)
		}
		row("workers_running", "gauge", float64(use.Size))
		row("workers_idle", "gauge", float64(use.Size-use.Busy))
		row("tasks_submitted_total", "counter", float64(use.HoldCount)+float64(use.Busy+use.Waiting))
		row("tasks_waiting_total", "gauge", float64(use.Waiting))
		row("tasks_completed_total", "counter", float64(use.HoldCount))
	}
}

func writeRuntime(out *strings.Builder, started float64) {
	memory := &runtime.MemStats{}
	runtime.ReadMemStats(memory)
	pauses := &debug.GCStats{}
	debug.ReadGCStats(pauses)
	family(out, "go_gc_duration_seconds", "summary")
	fmt.Fprintf(out, "go_gc_duration_seconds_sum %g\ngo_gc_duration_seconds_count %d\n", pauses.PauseTotal.Seconds(), pauses.NumGC)
	threads := len(fileNames("/proc/self/task"))
	single(out, "go_goroutines", "gauge", float64(runtime.NumGoroutine()))
	single(out, "go_threads", "gauge", float64(threads))
	single(out, "go_sched_gomaxprocs_threads", "gauge", float64(runtime.GOMAXPROCS(0)))
	single(out, "go_memstats_alloc_bytes", "gauge", float64(memory.Alloc))
	single(out, "go_memstats_alloc_bytes_total", "counter", float64(memory.TotalAlloc))
	single(out, "go_memstats_heap_alloc_bytes", "gauge", float64(memory.HeapAlloc))
	single(out, "go_memstats_heap_inuse_bytes", "gauge", float64(memory.HeapInuse))
	single(out, "go_memstats_heap_sys_bytes", "gauge", float64(memory.HeapSys))
	single(out, "go_memstats_next_gc_bytes", "gauge", float64(memory.NextGC))
	single(out, "go_memstats_sys_bytes", "gauge", float64(memory.Sys))
	single(out, "process_cpu_seconds_total", "counter", cpuSeconds())
	single(out, "process_open_fds", "gauge", float64(len(fileNames("/proc/self/fd"))))
	single(out, "process_max_fds", "gauge", filesMax())
	single(out, "process_resident_memory_bytes", "gauge", residentBytes())
	single(out, "process_start_time_seconds", "gauge", started)
	fmt.Fprintf(out, "# TYPE go_info gauge\ngo_info{version=%q} 1\n", runtime.Version())
}

func fileNames(folder string) []os.DirEntry {
	names, err := os.ReadDir(folder)
	if err != nil {
		return nil
	}
	return names
}

func sortedKeys[K [2]string | [3]string](all map[K]*histogram) []K {
	keys := make([]K, 0, len(all))
	for key := range all {
		keys = append(keys, key)
	}
	sort.Slice(keys, func(a, b int) bool { return fmt.Sprint(keys[a]) < fmt.Sprint(keys[b]) })
	return keys
}
