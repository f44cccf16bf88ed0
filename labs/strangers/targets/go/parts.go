package main

import (
	"context"
	"errors"
	"sync"
	"time"
)

var (
	errPoolTimeout = errors.New("context deadline exceeded")
	errQueueFull   = errors.New("worker pool: queue is full")
)

// Part is a resource of which there are so many: a pool, a lock, workers. It keeps the ledger of its own use.
type Part struct {
	size    int
	queue   int
	timeout time.Duration
	places  chan struct{}

	mu        sync.Mutex
	busy      int
	waiting   int
	busySum   float64
	changed   time.Time
	waitCount int64
	waitSum   float64
	holdCount int64
	holdSum   float64
	refused   int64
}

func newPart(size, queue int, timeout time.Duration) *Part {
	return &Part{size: size, queue: queue, timeout: timeout, places: make(chan struct{}, size), changed: time.Now()}
}

func (p *Part) account() {
	now := time.Now()
	p.busySum += float64(p.busy) * now.Sub(p.changed).Seconds()
	p.changed = now
}

// Take waits for a place; the function that comes back gives it back.
func (p *Part) Take(ctx context.Context) (func(), error) {
	began := time.Now()
	p.mu.Lock()
	if p.queue >= 0 && p.busy >= p.size && p.waiting >= p.queue {
		p.refused++
		p.mu.Unlock()
		return nil, errQueueFull
	}
	p.waiting++
	p.mu.Unlock()
	waited := false
	select {
	case p.places <- struct{}{}:
	default:
		waited = true
		if err := p.wait(ctx); err != nil {
			return nil, err
		}
	}
	p.mu.Lock()
	p.waiting--
	p.account()
	p.busy++
	if waited {
		p.waitCount++
		p.waitSum += time.Since(began).Seconds()
	}
	p.mu.Unlock()
	taken := time.Now()
	return func() { p.give(taken) }, nil
}

func (p *Part) wait(ctx context.Context) error {
	var timeout <-chan time.Time
	if p.timeout > 0 {
		timer := time.NewTimer(p.timeout)
		defer timer.Stop()
		timeout = timer.C
	}
	var err error
	select {
	case p.places <- struct{}{}:
		return nil
	case <-ctx.Done():
		err = ctx.Err()
	case <-timeout:
		err = errPoolTimeout
	}
	p.mu.Lock()
	p.waiting--
	p.refused++
	p.mu.Unlock()
	return err
}

func (p *Part) give(taken time.Time) {
	p.mu.Lock()
	p.account()
	p.busy--
	p.holdCount++
	p.holdSum += time.Since(taken).Seconds()
	p.mu.Unlock()
	<-p.places
}

// Use is what a part's ledger and page tell.
type Use struct {
	Size      int     `json:"size"`
	Busy      int     `json:"busy"`
	Waiting   int     `json:"waiting"`
	BusySum   float64 `json:"busy_s"`
	WaitCount int64   `json:"wait_count"`
	WaitSum   float64 `json:"wait_s"`
	HoldCount int64   `json:"hold_count"`
	HoldSum   float64 `json:"hold_s"`
	Refused   int64   `json:"refused"`
}

func (p *Part) use() Use {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.account()
	return Use{p.size, p.busy, p.waiting, p.busySum, p.waitCount, p.waitSum, p.holdCount, p.holdSum, p.refused}
}
