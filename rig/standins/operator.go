package main

import "context"

// runOperator stands for what looks after the whole cluster. Addresses come from Kubernetes itself
// here and identities are not played, so nothing is left to do but to be well.
func runOperator(ctx context.Context, _ []string) error {
	if err := serveHealth(ctx, "127.0.0.1:9234", healthy); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}
