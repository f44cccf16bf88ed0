// Stand-ins beside a target: other servers, which may serve only so many at once or only so many a second, and databases
// that answer each statement after the time it names (a database without a shell), and a name server. One process, JSON on its command line:
//
//	stand-ins '{"ledger": "FILE", "servers": [{"name": "payments", "port": 29010, "at_once": 4, "rate": 0, "status": 429}],
//	            "databases": [{"name": "db", "port": 29011}], "names": {"port": 29012, "at_once": 2, "ms": 40}}'
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Server is another server; AtOnce 0 serves all at once, Rate 0 has no limit.
type Server struct {
	Name   string  `json:"name"`
	Port   int     `json:"port"`
	AtOnce int     `json:"at_once"`
	Rate   float64 `json:"rate"`
	Status int     `json:"status"`

	places   chan struct{}
	mu       sync.Mutex
	tokens   float64
	refilled time.Time
	busy     int
	waiting  int
	busySum  float64
	changed  time.Time
	calls    int
	refused  int
}

func (s *Server) account(change int) {
	now := time.Now()
	s.busySum += float64(s.busy) * now.Sub(s.changed).Seconds()
	s.changed = now
	s.busy += change
}

func (s *Server) isAllowed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	if s.Rate <= 0 {
		return true
	}
	now := time.Now()
	s.tokens = min(s.Rate, s.tokens+s.Rate*now.Sub(s.refilled).Seconds())
	s.refilled = now
	if s.tokens < 1 {
		s.refused++
		return false
	}
	s.tokens--
	return true
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !s.isAllowed() {
		w.Header().Set("Retry-After", "1")
		http.Error(w, "slow down", s.Status)
		return
	}
	ms, _ := strconv.ParseFloat(r.URL.Query().Get("ms"), 64)
	s.serve(ms)
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintln(w, `{"accepted":true}`)
}

// serve holds one of the places, if there are so many only.
func (s *Server) serve(ms float64) {
	if s.AtOnce > 0 {
		s.mu.Lock()
		s.waiting++
		s.mu.Unlock()
		s.places <- struct{}{}
		s.mu.Lock()
		s.waiting--
		s.mu.Unlock()
		defer func() { <-s.places }()
	}
	s.mu.Lock()
	s.account(1)
	s.mu.Unlock()
	time.Sleep(time.Duration(ms * float64(time.Millisecond)))
	s.mu.Lock()
	s.account(-1)
	s.mu.Unlock()
}

func (s *Server) use() map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.account(0)
	return map[string]any{"size": s.AtOnce, "busy": s.busy, "waiting": s.waiting, "busy_s": s.busySum, "hold_count": s.calls, "refused": s.refused}
}

// Database answers each line `MS STATEMENT` after so many milliseconds.
type Database struct {
	Name string `json:"name"`
	Port int    `json:"port"`
}

func (d *Database) serve(socket net.Conn) {
	defer socket.Close()
	reader := bufio.NewReader(socket)
	for {
		line, err := reader.ReadString('\n')
		if err != nil {
			return
		}
		number, _, _ := strings.Cut(line, " ")
		ms, _ := strconv.ParseFloat(number, 64)
		time.Sleep(time.Duration(ms * float64(time.Millisecond)))
		if _, err := socket.Write([]byte("1 row\n")); err != nil {
			return
		}
	}
}

func (d *Database) listen() {
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", d.Port))
	exitOn(err)
	for {
		socket, err := listener.Accept()
		exitOn(err)
		go d.serve(socket)
	}
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	config := struct {
		Ledger    string      `json:"ledger"`
		Servers   []*Server   `json:"servers"`
		Databases []*Database `json:"databases"`
		Names     *NameServer `json:"names"`
	}{}
	exitOn(json.Unmarshal([]byte(os.Args[1]), &config))
	for _, server := range config.Servers {
		server.places, server.changed, server.refilled = make(chan struct{}, max(1, server.AtOnce)), time.Now(), time.Now()
		go func() { exitOn(http.ListenAndServe(fmt.Sprintf("127.0.0.1:%d", server.Port), server)) }()
	}
	for _, database := range config.Databases {
		go database.listen()
	}
	if config.Names != nil {
		config.Names.begin()
	}
	go keepLedger(config.Ledger, config.Servers, config.Names)
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, syscall.SIGINT)
	<-stop
}

func keepLedger(path string, servers []*Server, names *NameServer) {
	out, err := os.Create(path)
	exitOn(err)
	for range time.Tick(time.Second) {
		parts := map[string]any{}
		for _, server := range servers {
			parts["outside:"+server.Name] = server.use()
		}
		if names != nil {
			parts["names"] = names.places.use()
		}
		text, err := json.Marshal(map[string]any{"t": float64(time.Now().UnixNano()) / 1e9, "parts": parts})
		exitOn(err)
		fmt.Fprintln(out, string(text))
	}
}
