package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"math/rand"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"time"
)

// Failure is an error with the status it is answered with.
type Failure struct {
	status int
	err    error
}

func (f *Failure) Error() string { return f.err.Error() }

// Request is one request on its way through the steps.
type Request struct {
	app  *App
	ctx  context.Context
	id   int
	conn *Conn
	span *Span
}

func (r *Request) run(steps []Step) error {
	for index := range steps {
		if err := r.step(&steps[index]); err != nil {
			return err
		}
	}
	return nil
}

func (r *Request) step(step *Step) error {
	switch step.Do {
	case "pool":
		return r.pooled(step)
	case "sql":
		return r.sql(step)
	case "row":
		return r.row(step)
	case "lock":
		return r.held(r.app.locks[step.Of], step, 503)
	case "executor":
		return r.held(r.app.executors[step.Of], step, 503)
	case "call":
		return r.call(step)
	case "redis":
		return r.redis(step)
	case "files":
		return r.files(step)
	case "cpu":
		compute(step.Ms)
	case "sleep":
		time.Sleep(time.Duration(step.Ms * float64(time.Millisecond)))
	case "fsync":
		return r.fsync(step)
	case "leak":
		r.app.leak(step.Bytes)
	case "cache":
		if r.app.isMissing(r.id % max(1, step.Keys)) {
			return r.run(step.Steps)
		}
	default:
		return fmt.Errorf("unknown step %q", step.Do)
	}
	return nil
}

func (r *Request) held(part *Part, step *Step, status int) error {
	give, err := part.Take(r.ctx)
	if err != nil {
		return &Failure{status, err}
	}
	defer give()
	return r.run(step.Steps)
}

func (r *Request) pooled(step *Step) error {
	pool := r.app.pools[step.Of]
	span := r.span.child("pool.acquire", clientKind).text("db.system", "postgresql")
	give, err := pool.Take(r.ctx)
	span.end()
	if err != nil {
		return &Failure{500, fmt.Errorf("begin tx: %w", err)}
	}
	defer give()
	conn, err := pool.connection()
	if err != nil {
		return &Failure{500, err}
	}
	r.conn = conn
	err = r.run(step.Steps)
	r.conn = nil
	if _, isOurs := err.(*Failure); err == nil || isOurs {
		pool.giveBack(conn, nil)
		return err
	}
	pool.giveBack(conn, err)
	return &Failure{500, err}
}

func (r *Request) sql(step *Step) error {
	ms := step.Ms
	if step.SlowEvery > 0 && r.id%step.SlowEvery == 0 {
		ms = step.SlowMs
	}
	for range max(1, step.Times) {
		span := r.span.child("SELECT", clientKind).text("db.system", "postgresql").text("db.statement", step.SQL)
		err := r.conn.Query(fill(step.SQL, r.id, ms), ms)
		span.end()
		if err != nil {
			return err
		}
	}
	return nil
}

// fill puts the id for $1 and the seconds for $2.
func fill(sql string, id int, ms float64) string {
	return replacer(strconv.Itoa(id), strconv.FormatFloat(ms/1000, 'f', 5, 64)).Replace(sql)
}

// row changes one row and keeps it until the inner steps are done.
func (r *Request) row(step *Step) error {
	if err := r.conn.Query("begin", 0); err != nil {
		return err
	}
	span := r.span.child("UPDATE", clientKind).text("db.system", "postgresql").text("db.statement", step.SQL)
	err := r.conn.Query(fill(step.SQL, r.id, 0), 0)
	span.end()
	if err != nil {
		return err
	}
	give, err := r.app.rows.Take(r.ctx)
	if err != nil {
		return err
	}
	defer give()
	if err := r.run(step.Steps); err != nil {
		return err
	}
	return r.conn.Query("commit", 0)
}

func (r *Request) call(step *Step) error {
	for attempt := 0; ; attempt++ {
		status, after, err := r.callOnce(step)
		if err == nil && status < 400 {
			return nil
		}
		if err == nil {
			err = fmt.Errorf("%s answered %d %s", step.Of, status, http.StatusText(status))
		}
		if attempt >= step.Retries {
			return &Failure{502, err}
		}
		r.app.log("WARN", "retrying call", "peer", step.Of, "attempt", attempt+1, "err", err)
		time.Sleep(after)
	}
}

func (r *Request) callOnce(step *Step) (int, time.Duration, error) {
	began := time.Now()
	span := r.span.child("HTTP GET", clientKind).text("http.request.method", "GET").text("url.full", step.URL).address(step.URL)
	request, err := http.NewRequestWithContext(r.ctx, "GET", fmt.Sprintf("%s?ms=%g", step.URL, step.Ms), nil)
	if err != nil {
		return 0, 0, err
	}
	if step.Name != "" {
		err = r.lookUp(request, step.Name, span)
	}
	var response *http.Response
	if err == nil {
		response, err = r.app.client.Do(request)
	}
	status := 0
	after := time.Duration(50+rand.Intn(100)) * time.Millisecond
	if err == nil {
		status = response.StatusCode
		_, err = io.Copy(io.Discard, response.Body)
		response.Body.Close()
		if seconds, wrong := strconv.Atoi(response.Header.Get("Retry-After")); wrong == nil {
			after = time.Duration(seconds) * time.Second
		}
	}
	span.number("http.response.status_code", status).end()
	r.app.page.called(step.Of, status, time.Since(began).Seconds())
	return status, after, err
}

// compute uses so much CPU time of its thread, whatever else runs on the machine.
func compute(ms float64) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	block := make([]byte, 4096)
	for until := threadCPUSeconds() + ms/1000; threadCPUSeconds() < until; {
		sum := sha256.Sum256(block)
		copy(block, sum[:])
	}
}

func (r *Request) fsync(step *Step) error {
	for range max(1, step.Times) {
		if _, err := r.app.journal.WriteAt(make([]byte, max(1, step.Bytes)), 0); err != nil {
			return &Failure{500, err}
		}
		if err := r.app.journal.Sync(); err != nil {
			return &Failure{500, err}
		}
	}
	return nil
}

func openJournal(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_RDWR|os.O_TRUNC, 0o600)
}
