import { makeDebianTree } from './debian-root.ts'
import type { Workshop } from './workshop.ts'

/** What a server that somebody installed a Debian on has, before anybody thinks of Kubernetes. */
const packages = [
  'ca-certificates',
  'dbus',
  'e2fsprogs',
  'iproute2',
  'iputils-ping',
  'kmod',
  'less',
  'libpam-systemd',
  'netbase',
  'nftables',
  'openssh-server',
  'procps',
  'sudo',
  'systemd',
  'systemd-sysv',
  'udev',
]

/**
 * The root of a host that is started by systemd. Of what a node needs it has nothing: that the product
 * installs, with apt.
 */
export function makeDebianHostRoot(workshop: Workshop, debianPackages: string): Promise<string> {
  return makeDebianTree(workshop, debianPackages, { name: 'debian-host-root', packages })
}
