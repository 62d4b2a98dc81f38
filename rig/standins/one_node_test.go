package main

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// oneNode is a cluster of the node demo-w-1, which has no provider ID yet.
type oneNode struct{}

func (oneNode) List(labels.Selector) ([]*corev1.Node, error) { return []*corev1.Node{node("")}, nil }

func (oneNode) Get(string) (*corev1.Node, error) { return node(""), nil }
