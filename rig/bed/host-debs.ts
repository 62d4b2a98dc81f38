import type { DebPackage } from './deb-package.ts'
import type { Programs } from './go-module.ts'
import { folder, program, text } from './tree-entry.ts'

/** Of containerd.io, as its makers number it; it is the one that Talos has. */
export const containerdVersion = '2.2.9'

export const cniPlugins = [
  'bridge',
  'firewall',
  'host-local',
  'loopback',
  'portmap',
  'ptp',
] as const

const containerdUnit = `[Unit]
Description=containerd container runtime
Documentation=https://containerd.io
After=network.target dbus.service

[Service]
ExecStartPre=-/sbin/modprobe overlay
ExecStart=/usr/bin/containerd
Type=notify
Delegate=yes
KillMode=process
Restart=always
RestartSec=5
LimitNPROC=infinity
LimitCORE=infinity
TasksMax=infinity
OOMScoreAdjust=-999

[Install]
WantedBy=multi-user.target
`

/** What Docker's package brings with it: a runtime for Docker, which Kubernetes cannot use. */
const containerdConfig = 'disabled_plugins = ["cri"]\n'

const enable = (unit: string) => `if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  systemctl enable --now ${unit}
fi`

export interface ContainerdParts {
  readonly programs: Programs<'containerd' | 'containerd-shim-runc-v2'>
  readonly runc: string
  readonly runcWrapper: string
}

/** The package of Docker's repository: containerd with a runc, started when it is installed. */
export function containerdDeb({ programs, runc, runcWrapper }: ContainerdParts): DebPackage {
  return {
    name: 'containerd.io',
    version: `${containerdVersion}-1~debian.12~bookworm`,
    depends: ['libseccomp2'],
    tree: [
      program('usr/bin/containerd', programs('containerd')),
      program('usr/bin/containerd-shim-runc-v2', programs('containerd-shim-runc-v2')),
      program('usr/bin/runc', runcWrapper),
      program('usr/bin/runc.real', runc),
      text('lib/systemd/system/containerd.service', containerdUnit),
      text('etc/containerd/config.toml', containerdConfig),
      folder('opt/containerd'),
    ],
    configFiles: ['etc/containerd/config.toml'],
    afterInstallation: enable('containerd'),
  }
}

const kubeletUnit = `[Unit]
Description=kubelet: The Kubernetes Node Agent
Documentation=https://kubernetes.io/docs/
Wants=network-online.target
After=network-online.target

[Service]
ExecStart=/usr/bin/kubelet
Restart=always
StartLimitInterval=0
RestartSec=10

[Install]
WantedBy=multi-user.target
`

const kubeadmDropIn = `[Service]
Environment="KUBELET_KUBECONFIG_ARGS=--bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf --kubeconfig=/etc/kubernetes/kubelet.conf"
Environment="KUBELET_CONFIG_ARGS=--config=/var/lib/kubelet/config.yaml"
EnvironmentFile=-/var/lib/kubelet/kubeadm-flags.env
EnvironmentFile=-/etc/default/kubelet
ExecStart=
ExecStart=/usr/bin/kubelet $KUBELET_KUBECONFIG_ARGS $KUBELET_CONFIG_ARGS $KUBELET_KUBEADM_ARGS $KUBELET_EXTRA_ARGS
`

/** Where a host has the list of controllers of cgroups that kubeadm is to see, if these are not its own. */
export const shownControllersFile = 'etc/hcloud-talos-rig/cgroup.controllers'

/**
 * Kubeadm asks for controllers before it does anything; the list is laid over that of the kernel for nobody else: a
 * kubelet reads no file of cgroups that is another one.
 */
const kubeadmWrapper = `#!/bin/sh
shown=/${shownControllersFile}
case $1 in init | join | upgrade) ;; *) shown=/none ;; esac
[ -e "$shown" ] || exec /usr/libexec/kubeadm "$@"
exec unshare --mount sh -c 'mount --bind "$0" /sys/fs/cgroup/cgroup.controllers && exec /usr/libexec/kubeadm "$@"' "$shown" "$@"
`

export interface KubernetesParts {
  /** Without v. */
  readonly version: string
  readonly programs: Programs<'kubelet' | 'kubeadm' | 'kubectl'>
}

/** The packages of one version of Kubernetes. */
export function kubernetesDebs({ version: number, programs }: KubernetesParts): DebPackage[] {
  const version = `${number}-1.1`
  return [
    {
      name: 'kubelet',
      version,
      depends: ['iptables', 'kubernetes-cni', 'iproute2', 'util-linux', 'mount', 'ethtool'],
      tree: [
        program('usr/bin/kubelet', programs('kubelet')),
        text('usr/lib/systemd/system/kubelet.service', kubeletUnit),
        folder('etc/kubernetes/manifests'),
      ],
      afterInstallation: 'if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi',
    },
    {
      name: 'kubeadm',
      version,
      depends: ['cri-tools'],
      tree: [
        program('usr/libexec/kubeadm', programs('kubeadm')),
        text('usr/bin/kubeadm', kubeadmWrapper, 0o755),
        text('usr/lib/systemd/system/kubelet.service.d/10-kubeadm.conf', kubeadmDropIn),
      ],
      afterInstallation: 'if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi',
    },
    { name: 'kubectl', version, tree: [program('usr/bin/kubectl', programs('kubectl'))] },
  ]
}

export interface BesideKubernetesParts {
  readonly crictl: string
  readonly plugins: Programs<(typeof cniPlugins)[number]>
}

/** The packages that stand in the repository of a minor of Kubernetes under versions of their own. */
export function besideKubernetesDebs({ crictl, plugins }: BesideKubernetesParts): DebPackage[] {
  return [
    { name: 'cri-tools', version: '1.34.0-1.1', tree: [program('usr/bin/crictl', crictl)] },
    {
      name: 'kubernetes-cni',
      version: '1.9.1-1.1',
      tree: cniPlugins.map((name) => program(`opt/cni/bin/${name}`, plugins(name))),
    },
  ]
}
