import { describe, expect, it } from 'vitest'
import { findingsOf, type Mistake, sampleWith } from './sample-file.ts'

const mistakes: readonly Mistake[] = [
  [
    'two effects of one key on control planes',
    sampleWith(
      'type: cx23',
      'type: cx23\n    taints: [{key: a, effect: NoExecute}, {key: a, effect: NoSchedule}]',
    ),
    [
      '8:43 error: the taint `a` of nodes.controlPlane stands there with two effects, of which a control plane takes one -> Give the other one another key.',
    ],
  ],
  [
    'taints that leave CoreDNS no node',
    sampleWith('type: cx23', 'type: cx23\n    taints: [{key: a, effect: NoSchedule}]').replace(
      'type: cx33',
      'type: cx33\n    taints: [{key: b, effect: NoExecute}]',
    ),
    [
      '8:13 warning: every pool has taints, so that CoreDNS, which tolerates none of them, runs nowhere -> Leave one pool without taints of the effects NoSchedule and NoExecute.',
    ],
  ],
  [
    'a label key that is none',
    sampleWith('type: cx33', 'type: cx33\n    labels: {"a b": c}'),
    [
      '11:14 error: the label `a b` of nodes.workers is not made of letters, digits, "-", "_" and ".", with a letter or digit at both ends',
    ],
  ],
  [
    'a label key with two slashes',
    sampleWith('type: cx33', 'type: cx33\n    labels: {a/b/c: d}'),
    ['11:14 error: the label `a/b/c` of nodes.workers has more than one slash'],
  ],
  [
    'a label prefix that is no DNS name',
    sampleWith('type: cx33', 'type: cx33\n    labels: {Example.com/a: d}'),
    [
      '11:14 error: the label `Example.com/a` of nodes.workers has a prefix that is no DNS name in lower case',
    ],
  ],
  [
    'a label value that is none',
    sampleWith('type: cx33', 'type: cx33\n    labels: {a: "b c"}'),
    [
      '11:17 error: the label `a` of nodes.workers has the value `b c`, which is not made of letters, digits, "-", "_" and ".", with a letter or digit at both ends',
    ],
  ],
  [
    'a label value that is too long',
    sampleWith('type: cx33', `type: cx33\n    labels: {a: ${'b-'.repeat(32)}b}`),
    [
      '11:17 error: the label `a` of nodes.workers has the value `b-b-b-b-b-b-b-b-b-b-b-b-b-b-b-b-b-b-b-b-b-b-b-b-b-b-b-b-b-b-…`, which is longer than 63 characters',
    ],
  ],
  [
    'a label that a node may not give itself',
    sampleWith('type: cx33', 'type: cx33\n    labels: {node-role.kubernetes.io/worker: ""}'),
    [
      '11:14 error: the label `node-role.kubernetes.io/worker` of nodes.workers has a prefix under which a node may not label itself -> Use a prefix of your own, such as example.com/.',
    ],
  ],
  [
    'a label that Kubernetes writes',
    sampleWith('type: cx33', 'type: cx33\n    labels: {topology.kubernetes.io/zone: a}'),
    [
      '11:14 error: the label `topology.kubernetes.io/zone` of nodes.workers is written by Kubernetes itself -> Remove it.',
    ],
  ],
  [
    'a label of Hetzner',
    sampleWith('type: cx33', 'type: cx33\n    labels: {hetzner.cloud/a: b}'),
    [
      '11:14 error: the label `hetzner.cloud/a` of nodes.workers has a prefix that Hetzner keeps for itself -> Use a prefix of your own, such as example.com/.',
    ],
  ],
  [
    'an annotation key that is none',
    sampleWith('type: cx33', 'type: cx33\n    annotations: {"-a": b}'),
    [
      '11:19 error: the annotation `-a` of nodes.workers is not made of letters, digits, "-", "_" and ".", with a letter or digit at both ends',
    ],
  ],
  [
    'a taint key that is none',
    sampleWith('type: cx33', 'type: cx33\n    taints: [{key: a b, effect: NoSchedule}]'),
    [
      '11:20 error: the taint `a b` of nodes.workers is not made of letters, digits, "-", "_" and ".", with a letter or digit at both ends',
    ],
  ],
  [
    'a taint of Kubernetes',
    sampleWith(
      'type: cx33',
      'type: cx33\n    taints: [{key: node.kubernetes.io/not-ready, effect: NoSchedule}]',
    ),
    [
      '11:20 error: the taint `node.kubernetes.io/not-ready` of nodes.workers is one that Kubernetes sets and takes away itself',
    ],
  ],
  [
    'a taint twice',
    sampleWith(
      'type: cx33',
      'type: cx33\n    taints: [{key: a, value: b, effect: NoSchedule}, {key: a, effect: NoSchedule}]',
    ),
    [
      '11:54 error: the taint `a` of nodes.workers appears twice with the effect NoSchedule -> Keep one of them.',
    ],
  ],
  [
    'a taint value that is none',
    sampleWith(
      'type: cx33',
      'type: cx33\n    taints: [{key: a, value: "b c", effect: NoSchedule}]',
    ),
    [
      '11:30 error: the taint `a` of nodes.workers has a value that is not made of letters, digits, "-", "_" and ".", with a letter or digit at both ends',
    ],
  ],
]

describe('Labels, annotations, taints', () => {
  it.each(mistakes)('%s is reported where it stands, with what to do', (_name, text, found) => {
    expect(findingsOf(text)).toEqual(found)
  })
})
