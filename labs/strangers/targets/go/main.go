// A back end made of parts that a JSON file switches on: net/http, a goroutine a request.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// App is the running program.
type App struct {
	config    *Config
	page      *Page
	tracer    *Tracer
	client    *http.Client
	redis     *RedisClient
	pools     map[string]*Pool
	locks     map[string]*Part
	executors map[string]*Part
	rows      *Part
	journal   *os.File
	logger    *slog.Logger
	mu        sync.Mutex
	kept      [][]byte
	cached    map[int]bool
	tokens    float64
	refilled  time.Time
	requests  int
	failed    int
}

func newApp(config *Config) (*App, error) {
	journal, err := openJournal(config.Ledger + ".journal")
	if err != nil {
		return nil, err
	}
	out, err := os.OpenFile(config.Log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	app := &App{config: config, page: newPage(), pools: map[string]*Pool{}, locks: map[string]*Part{}, executors: map[string]*Part{},
		rows: newPart(1_000_000, -1, 0), journal: journal, cached: map[int]bool{}, refilled: time.Now(),
		redis:  newRedisClient(config.RedisPort),
		logger: slog.New(slog.NewTextHandler(out, nil)),
		client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1000}, Timeout: 30 * time.Second}}
	if config.Otlp != "" {
		app.tracer = &Tracer{url: config.Otlp, service: config.Name}
		go app.tracer.deliver()
	}
	for name, pool := range config.Pools {
		app.pools[name] = newPool(pool, config.Name)
	}
	for _, name := range config.Locks {
		app.locks[name] = newPart(1, -1, 0)
	}
	for name, executor := range config.Executors {
		app.executors[name] = newPart(executor.Size, executor.Queue, 0)
	}
	return app, nil
}

func (a *App) log(level, message string, pairs ...any) {
	if level == "WARN" {
		a.logger.Warn(message, pairs...)
		return
	}
	a.logger.Error(message, pairs...)
}

func (a *App) leak(bytes int) {
	block := make([]byte, bytes)
	for index := 0; index < bytes; index += 512 {
		block[index] = 1
	}
	a.mu.Lock()
	a.kept = append(a.kept, block)
	a.mu.Unlock()
}

func (a *App) isMissing(key int) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	missing := !a.cached[key]
	a.cached[key] = true
	return missing
}

// isAllowed is a token bucket of a second.
func (a *App) isAllowed() bool {
	if a.config.RateLimit <= 0 {
		return true
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	now := time.Now()
	a.tokens = min(a.config.RateLimit, a.tokens+a.config.RateLimit*now.Sub(a.refilled).Seconds())
	a.refilled = now
	if a.tokens < 1 {
		return false
	}
	a.tokens--
	return true
}

func (a *App) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for index := range a.config.Endpoints {
		endpoint := &a.config.Endpoints[index]
		if r.Method == endpoint.Method && strings.HasPrefix(r.URL.Path, endpoint.Prefix) {
			a.serve(endpoint, w, r)
			return
		}
	}
	http.NotFound(w, r)
}

func (a *App) serve(endpoint *Endpoint, w http.ResponseWriter, r *http.Request) {
	began := time.Now()
	a.page.mu.Lock()
	a.page.inFlight++
	a.page.mu.Unlock()
	status := a.answer(endpoint, w, r)
	a.page.mu.Lock()
	a.page.inFlight--
	a.requests++
	if status >= 400 {
		a.failed++
	}
	a.page.mu.Unlock()
	a.page.answered(strings.ToLower(r.Method), endpoint.Route, status, time.Since(began).Seconds())
}

func (a *App) answer(endpoint *Endpoint, w http.ResponseWriter, r *http.Request) int {
	if !a.isAllowed() {
		w.Header().Set("Retry-After", "1")
		http.Error(w, "too many requests", http.StatusTooManyRequests)
		return http.StatusTooManyRequests
	}
	_, _ = io.Copy(io.Discard, r.Body)
	id, _ := strconv.Atoi(strings.Trim(r.URL.Path[len(endpoint.Prefix):], "/"))
	span := a.tracer.begin(r, r.Method+" "+endpoint.Route).text("http.request.method", r.Method).text("http.route", endpoint.Route)
	request := &Request{app: a, ctx: r.Context(), id: id, span: span}
	err := request.run(endpoint.Steps)
	status := http.StatusOK
	if err != nil {
		status = http.StatusInternalServerError
		var failure *Failure
		if errors.As(err, &failure) {
			status = failure.status
		}
		a.log("ERROR", "request failed", "route", endpoint.Route, "status", status, "err", err)
		http.Error(w, err.Error(), status)
	} else {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, "{\"id\":%d,\"state\":\"open\"}\n", id)
	}
	span.number("http.response.status_code", status).end()
	return status
}

// keepLedger appends, once a second, what each part did: what the town checks its truths by.
func (a *App) keepLedger() {
	out, err := os.Create(a.config.Ledger)
	if err != nil {
		slog.Error("no ledger", "err", err)
		os.Exit(1)
	}
	for range time.Tick(time.Second) {
		parts := map[string]Use{}
		for name, pool := range a.pools {
			parts["pool:"+name] = pool.use()
		}
		for name, lock := range a.locks {
			parts["lock:"+name] = lock.use()
		}
		for name, executor := range a.executors {
			parts["executor:"+name] = executor.use()
		}
		parts["row"] = a.rows.use()
		a.page.mu.Lock()
		line := map[string]any{"t": float64(time.Now().UnixNano()) / 1e9, "requests": a.requests, "failed": a.failed, "parts": parts}
		a.page.mu.Unlock()
		if text, err := json.Marshal(line); err == nil {
			fmt.Fprintln(out, string(text))
		}
	}
}

func main() {
	config, err := readConfig(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	app, err := newApp(config)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	go app.keepLedger()
	mux := http.NewServeMux()
	mux.Handle("/", app)
	mux.HandleFunc("/healthz", func(w http.ResponseWriter, r *http.Request) {
		app.page.answered("get", "/healthz", 200, 0.0001)
		fmt.Fprintln(w, "ok")
	})
	pageMux := mux
	if config.PagePort != config.Port {
		pageMux = http.NewServeMux()
		go serveOn(config.PagePort, pageMux, true)
	}
	pageMux.HandleFunc("/metrics", app.servePage)
	go serveOn(config.Port, mux, !config.Closes)
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, syscall.SIGINT)
	<-stop
}

func serveOn(port int, handler http.Handler, keepsConnections bool) {
	server := &http.Server{Addr: fmt.Sprintf("127.0.0.1:%d", port), Handler: handler}
	server.SetKeepAlivesEnabled(keepsConnections)
	fmt.Fprintln(os.Stderr, server.ListenAndServe())
	os.Exit(1)
}
