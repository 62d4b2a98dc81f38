package main

import (
	"context"
	"errors"
	"net"
	"net/http"
)

// serveHealth answers every path of an address with 200 while check finds nothing wrong, with 503 and
// the reason otherwise. It returns as soon as it listens, and ends with ctx.
func serveHealth(ctx context.Context, address string, check func() error) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if err := check(); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		_, _ = w.Write([]byte("ok\n"))
	})}
	go func() {
		<-ctx.Done()
		_ = server.Close()
	}()
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			panic(err)
		}
	}()
	return nil
}

func healthy() error { return nil }
