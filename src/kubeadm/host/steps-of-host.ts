import type {
  HostSpec,
  HostsSpec,
  PackageFile,
  PackageSource,
} from '../../spec/hosts/hosts-spec.ts'
import { newestKubernetes } from '../../spec/hosts/tables/kubeadm-range.ts'
import type { HostStep } from './host-check.ts'
import { kubeadmAhead, kubeadmReady } from './kubeadm-ready.ts'
import { firewallStep, type OsReadyOptions, osReady } from './os-ready.ts'
import type { HostFile, HostPackageSource } from './package-source.ts'
import { pauseImage } from './pause-image.ts'
import { runtimeReady } from './runtime-ready.ts'

/** Where files that stand beside the cluster file are put on a host before its steps. */
export const hostFilesFolder = '/var/lib/hcloud-talos/files'

/** The architecture of a host; files of packages are of one. */
export type HostArchitecture = PackageFile<string>['arch']

/** What a host of the spec has to be, as the three steps of its preparation. `version` is that of its Kubernetes now. */
export function stepsOfHost(
  spec: HostsSpec,
  { name, role }: Pick<HostSpec, 'name' | 'role'>,
  { arch, version }: { readonly arch: HostArchitecture; readonly version: string },
): HostStep[] {
  const { runtime, packages, registryMirrors } = spec.kubeadm
  const ofHost = <Name extends string>(source: PackageSource<Name>) => sourceOf(source, arch)
  return [
    osReady(whoReaches(spec, name)),
    runtimeReady({
      kubernetesVersion: version,
      version: runtime.version,
      source: runtime.source.type === 'distribution' ? runtime.source : ofHost(runtime.source),
      pauseImage: pauseImage(version),
      registryMirrors,
      hasGpu: role === 'gpu-worker',
    }),
    kubeadmReady({ version, newestMinor: newestKubernetes, source: ofHost(packages) }),
  ]
}

/** The firewall of a host, by itself: a node lets in who joins before it does. */
export function firewallOfHost(spec: HostsSpec, name: string): HostStep {
  return firewallStep(whoReaches(spec, name))
}

function whoReaches({ network, hosts }: HostsSpec, name: string): OsReadyOptions {
  const nodes = hosts.filter((one) => one.name !== name).map(({ nodeIp }) => nodeIp)
  return { podRange: network.podRange, nodes }
}

/** What a host has to have before kubeadm upgrades it to a version. */
export function stepBeforeUpgrade(
  spec: HostsSpec,
  { arch, version }: { readonly arch: HostArchitecture; readonly version: string },
): HostStep {
  const source = sourceOf(spec.kubeadm.packages, arch)
  return kubeadmAhead({ version, newestMinor: newestKubernetes, source })
}

/** Files beside the cluster file that a host of this architecture is given before it is prepared. */
export function filesForHost(
  { kubeadm: { runtime, packages } }: HostsSpec,
  arch: HostArchitecture,
): readonly PackageFile<string>[] {
  const sources: readonly PackageSource<string>[] = [
    ...(runtime.source.type === 'distribution' ? [] : [runtime.source]),
    packages,
  ]
  return sources.flatMap((source) =>
    source.type === 'files'
      ? source.files.filter((file) => file.arch === arch && !isAddress(file.from))
      : [],
  )
}

/** Named by its checksum, so that another file of its name is another one on the host too. */
export function hostPathOf({ name, sha256 }: Pick<PackageFile<string>, 'name' | 'sha256'>): string {
  return `${hostFilesFolder}/${sha256.slice(0, 16)}-${name}`
}

function sourceOf<Name extends string>(
  source: PackageSource<Name>,
  arch: HostArchitecture,
): HostPackageSource<Name> {
  if (source.type !== 'files') return source
  const files = source.files
    .filter((file) => file.arch === arch)
    .map(
      (file): HostFile<Name> => ({
        name: file.name,
        sha256: file.sha256,
        at: isAddress(file.from) ? file.from : hostPathOf(file),
      }),
    )
  return { type: 'files', files }
}

function isAddress(from: string): boolean {
  return /^https?:\/\//.test(from)
}
