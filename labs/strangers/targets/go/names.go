package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
)

// resolverAt asks the name server on a port. One for each call: a resolver that is shared asks once for all that wait.
func resolverAt(port int) *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", fmt.Sprintf("127.0.0.1:%d", port))
	}}
}

// lookUp puts the address of a name into a request; its span is otelhttptrace's.
func (r *Request) lookUp(request *http.Request, name string, parent *Span) error {
	span := parent.child("http.dns", internalKind).text("net.host.name", name)
	defer span.end()
	addresses, err := resolverAt(r.app.config.NamesPort).LookupIP(r.ctx, "ip4", name+".")
	if err != nil {
		return err
	}
	request.URL.Host = net.JoinHostPort(addresses[0].String(), request.URL.Port())
	return nil
}

func (r *Request) redis(step *Step) error {
	words := make([]string, len(step.Command))
	for index, word := range step.Command {
		words[index] = fill(word, r.id, 0)
	}
	span := r.span.child(words[0], clientKind).text("db.system", "redis").text("db.statement", fmt.Sprint(step.Command))
	defer span.end()
	return r.app.redis.Do(words)
}

// files keeps so many files open while the inner steps are done.
func (r *Request) files(step *Step) error {
	for range step.Count {
		file, err := os.Open(r.app.config.Catalogue)
		if err != nil {
			return err
		}
		defer file.Close()
	}
	return r.run(step.Steps)
}
