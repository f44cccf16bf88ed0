package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"strings"
	"time"
)

// Conn is a connection to a database: PostgreSQL by its simple query protocol, or the line protocol of the stand-in.
type Conn struct {
	kind   string
	socket net.Conn
	reader *bufio.Reader
}

func dial(config PoolConfig, name string) (*Conn, error) {
	socket, err := net.DialTimeout("tcp", fmt.Sprintf("127.0.0.1:%d", config.Port), 5*time.Second)
	if err != nil {
		return nil, err
	}
	conn := &Conn{kind: config.Kind, socket: socket, reader: bufio.NewReader(socket)}
	if config.Kind != "postgres" {
		return conn, nil
	}
	return conn, conn.startUp(config, name)
}

func (c *Conn) startUp(config PoolConfig, name string) error {
	body := make([]byte, 8)
	binary.BigEndian.PutUint32(body[4:], 196608)
	for _, word := range []string{"user", config.User, "database", config.Database, "application_name", name, ""} {
		body = append(append(body, word...), 0)
	}
	binary.BigEndian.PutUint32(body, uint32(len(body)))
	if _, err := c.socket.Write(body); err != nil {
		return err
	}
	return c.untilReady()
}

// Query runs a statement; the stand-in is told how long it takes.
func (c *Conn) Query(sql string, ms float64) error {
	if c.kind != "postgres" {
		if _, err := fmt.Fprintf(c.socket, "%g %s\n", ms, strings.ReplaceAll(sql, "\n", " ")); err != nil {
			return err
		}
		_, err := c.reader.ReadString('\n')
		return err
	}
	message := make([]byte, 5, 6+len(sql))
	message[0] = 'Q'
	binary.BigEndian.PutUint32(message[1:], uint32(5+len(sql)))
	message = append(append(message, sql...), 0)
	if _, err := c.socket.Write(message); err != nil {
		return err
	}
	return c.untilReady()
}

// saidByServer gives the severity and the message of an error, as lib/pq words it.
func saidByServer(body string) (severity, message string) {
	for _, field := range strings.Split(body, "\x00") {
		switch {
		case strings.HasPrefix(field, "S"):
			severity = field[1:]
		case strings.HasPrefix(field, "M"):
			message = field[1:]
		}
	}
	return severity, message
}

func (c *Conn) untilReady() error {
	var failed error
	head := make([]byte, 5)
	for {
		if _, err := io.ReadFull(c.reader, head); err != nil {
			return err
		}
		body := make([]byte, binary.BigEndian.Uint32(head[1:])-4)
		if _, err := io.ReadFull(c.reader, body); err != nil {
			return err
		}
		switch head[0] {
		case 'E':
			severity, message := saidByServer(string(body))
			failed = fmt.Errorf("pq: %s", message)
			if severity != "ERROR" {
				return failed
			}
		case 'Z':
			return failed
		}
	}
}

// Pool is a part whose places are connections.
type Pool struct {
	*Part
	config PoolConfig
	name   string
	idle   chan *Conn
}

func newPool(config PoolConfig, name string) *Pool {
	timeout := time.Duration(config.TimeoutMs) * time.Millisecond
	return &Pool{newPart(config.Size, -1, timeout), config, name, make(chan *Conn, config.Size)}
}

func (p *Pool) connection() (*Conn, error) {
	select {
	case conn := <-p.idle:
		return conn, nil
	default:
		return dial(p.config, p.name)
	}
}

func (p *Pool) giveBack(conn *Conn, err error) {
	if err != nil {
		conn.socket.Close()
		return
	}
	p.idle <- conn
}
