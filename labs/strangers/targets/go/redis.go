package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
)

const idleRedisConnectionsMax = 1000

// RedisClient speaks Redis' own protocol on connections that it makes when it needs them and keeps for the next.
type RedisClient struct {
	port int
	idle chan *redisConn
}

type redisConn struct {
	socket net.Conn
	reader *bufio.Reader
}

func newRedisClient(port int) *RedisClient {
	return &RedisClient{port, make(chan *redisConn, idleRedisConnectionsMax)}
}

// Do sends one command and reads its answer to the end; a connection that failed is not kept.
func (c *RedisClient) Do(words []string) error {
	conn, err := c.connection()
	if err != nil {
		return err
	}
	err = conn.do(words)
	var said redisError
	if err != nil && !errors.As(err, &said) {
		conn.socket.Close()
		return err
	}
	c.idle <- conn
	return err
}

func (c *RedisClient) connection() (*redisConn, error) {
	select {
	case conn := <-c.idle:
		return conn, nil
	default:
	}
	socket, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", c.port))
	if err != nil {
		return nil, err
	}
	return &redisConn{socket, bufio.NewReader(socket)}, nil
}

// redisError is what the server answered.
type redisError string

func (e redisError) Error() string { return string(e) }

func (c *redisConn) do(words []string) error {
	out := &strings.Builder{}
	fmt.Fprintf(out, "*%d\r\n", len(words))
	for _, word := range words {
		fmt.Fprintf(out, "$%d\r\n%s\r\n", len(word), word)
	}
	if _, err := io.WriteString(c.socket, out.String()); err != nil {
		return err
	}
	return c.answer()
}

func (c *redisConn) answer() error {
	line, err := c.reader.ReadString('\n')
	if err != nil {
		return err
	}
	line = strings.TrimRight(line, "\r\n")
	size, _ := strconv.Atoi(line[1:])
	switch line[0] {
	case '-':
		return redisError(line[1:])
	case '$':
		if size >= 0 {
			_, err = c.reader.Discard(size + 2)
		}
	case '*':
		for ; size > 0 && err == nil; size-- {
			err = c.answer()
		}
	}
	return err
}
