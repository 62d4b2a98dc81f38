import type { Component } from '../component.ts'
import { parseVersion } from './version-matrix.ts'

/**
 * Arguments that Talos sets by itself: with one of them among the further arguments the component's manifest
 * is never written, and the component never starts again. From the merge policies of Talos's controllers,
 * the same from 1.9 to 1.13; with the minor of Talos where one came later.
 */
const denied: Readonly<Record<Component | 'etcd', Readonly<Record<string, number>>>> = {
  'kube-apiserver': {
    ...since(9, [
      'etcd-servers',
      'client-ca-file',
      'requestheader-client-ca-file',
      'proxy-client-cert-file',
      'proxy-client-key-file',
      'encryption-provider-config',
      'etcd-cafile',
      'etcd-certfile',
      'etcd-keyfile',
      'kubelet-client-certificate',
      'kubelet-client-key',
      'service-account-key-file',
      'service-account-signing-key-file',
      'tls-cert-file',
      'tls-private-key-file',
      'authorization-config',
    ]),
    ...since(14, ['tls-min-version']),
  },
  'kube-controller-manager': since(9, [
    'authentication-kubeconfig',
    'authorization-kubeconfig',
    'cluster-signing-cert-file',
    'cluster-signing-key-file',
    'root-ca-file',
    'service-account-private-key-file',
  ]),
  'kube-scheduler': since(9, [
    'kubeconfig',
    'authentication-kubeconfig',
    'authorization-kubeconfig',
    'config',
  ]),
  'kube-proxy': since(9, ['kubeconfig']),
  kubelet: since(9, [
    'bootstrap-kubeconfig',
    'kubeconfig',
    'container-runtime',
    'container-runtime-endpoint',
    'config',
    'cert-dir',
  ]),
  etcd: {
    ...since(9, [
      'name',
      'auto-tls',
      'peer-auto-tls',
      'data-dir',
      'listen-peer-urls',
      'listen-client-urls',
      'client-cert-auth',
      'cert-file',
      'key-file',
      'trusted-ca-file',
      'peer-client-cert-auth',
      'peer-cert-file',
      'peer-key-file',
      'peer-trusted-ca-file',
    ]),
    ...since(14, [
      'feature-gates',
      'listen-client-http-urls',
      'tls-min-version',
      'watch-progress-notify-interval',
    ]),
  },
}

function since(minor: number, names: readonly string[]): Record<string, number> {
  return Object.fromEntries(names.map((name) => [name, minor]))
}

/** Whether this Talos (with v) refuses a further argument of a component, as it sets it by itself. */
export function isDeniedArgument(
  component: Component | 'etcd',
  argument: string,
  talosVersion: string,
): boolean {
  const first = Object.hasOwn(denied[component], argument) ? denied[component][argument] : undefined
  return first !== undefined && (parseVersion(talosVersion)?.minor ?? 0) >= first
}

/** What a finding says of one. */
export function describeDenied(component: Component | 'etcd', argument: string): string {
  return `Talos sets ${argument} of ${component} by itself and takes no other`
}
