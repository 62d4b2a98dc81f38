import type { Component } from '../../component.ts'

/**
 * Arguments that kubeadm sets by itself and would let be overridden, with which a cluster breaks on the host that has
 * them or on all others: what differs from host to host must not stand in what all of them share.
 */
const denied: Readonly<Record<Component, readonly string[]>> = {
  'kube-apiserver': [
    'advertise-address',
    'client-ca-file',
    'etcd-cafile',
    'etcd-certfile',
    'etcd-keyfile',
    'etcd-servers',
    'kubelet-client-certificate',
    'kubelet-client-key',
    'secure-port',
    'service-account-issuer',
    'service-account-key-file',
    'service-account-signing-key-file',
    'service-cluster-ip-range',
    'tls-cert-file',
    'tls-private-key-file',
  ],
  'kube-controller-manager': [
    'allocate-node-cidrs',
    'authentication-kubeconfig',
    'authorization-kubeconfig',
    'cluster-cidr',
    'cluster-signing-cert-file',
    'cluster-signing-key-file',
    'controllers',
    'kubeconfig',
    'root-ca-file',
    'service-account-private-key-file',
    'service-cluster-ip-range',
  ],
  'kube-scheduler': ['authentication-kubeconfig', 'authorization-kubeconfig', 'kubeconfig'],
  'kube-proxy': [],
  kubelet: [
    'bootstrap-kubeconfig',
    'cgroup-driver',
    'config',
    'container-runtime-endpoint',
    'hostname-override',
    'kubeconfig',
    'node-ip',
    'node-labels',
    'register-with-taints',
  ],
}

/** Why a further argument is refused, as a message; undefined where it is not. */
export function whyKubeadmDenies(component: Component, argument: string): string | undefined {
  return denied[component].includes(argument)
    ? `hcloud-talos and kubeadm set ${argument} of ${component} by themselves`
    : undefined
}
