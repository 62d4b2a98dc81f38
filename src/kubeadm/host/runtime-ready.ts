import type { RuntimeFile } from '../../spec/hosts/hosts-spec.ts'
import { registryFolder } from '../../spec/hosts/registry-folder.ts'
import { containerdMinimums } from '../../spec/hosts/tables/containerd-minimums.ts'
import { parseVersion } from '../../spec/tables/version-matrix.ts'
import { containerdBinaries } from './checks/containerd-binaries.ts'
import {
  containerdFile,
  containerdService,
  crictlFile,
  registryFiles,
} from './checks/containerd-files.ts'
import { containerdHold, containerdVersion } from './checks/containerd-package.ts'
import { gpuChecks } from './checks/gpu.ts'
import { containerdConfig, registryHosts } from './containerd-config.ts'
import type { HostStep } from './host-check.ts'
import { fileLines, type HostPackageSource, repositoryUrl } from './package-source.ts'

export interface RuntimeOptions {
  /** Without v: `1.36.3`. It decides how old containerd may be, also where the distribution decides its version. */
  readonly kubernetesVersion: string
  /** Of containerd, without v; absent where the distribution decides. */
  readonly version?: string | undefined
  readonly source: { readonly type: 'distribution' } | HostPackageSource<RuntimeFile>
  /** The image that keeps the namespaces of a pod, as `kubeadm config images list` has it. */
  readonly pauseImage: string
  /** For each registry, URLs that are asked in turn. */
  readonly registryMirrors: Readonly<Record<string, readonly string[]>>
  /** Whether the host has GPUs that pods are to use. */
  readonly hasGpu: boolean
}

/** containerd runs as the kubelet needs it. */
export function runtimeReady(options: RuntimeOptions): HostStep {
  const { kubernetesVersion, version, source, pauseImage, registryMirrors, hasGpu } = options
  const minor = parseVersion(kubernetesVersion)?.minor ?? 0
  const parameters = {
    wanted: version ?? '',
    minimums: containerdMinimums(minor).join(' '),
    source: source.type,
    repository:
      source.type === 'distribution' ? '' : repositoryUrl(source, 'https://download.docker.com'),
    key: source.type === 'mirror' ? (source.key ?? '') : '',
    files: fileLines(source),
    config_2: containerdConfig(2, pauseImage),
    config_3: containerdConfig(3, pauseImage),
  }
  return {
    id: 'runtime_ready',
    parameters: Object.keys(parameters),
    args: [
      ...Object.values(parameters),
      ...Object.entries(registryMirrors).flatMap(([registry, mirrors]) => [
        folderOf(registry),
        registryHosts(registry, mirrors),
      ]),
    ],
    checks: [
      ...(source.type === 'files' ? [containerdBinaries] : [containerdVersion, containerdHold]),
      containerdFile,
      registryFiles,
      crictlFile,
      containerdService,
      ...(hasGpu ? gpuChecks : []),
    ],
  }
}

/** It is the name of a folder on the host: a spec has no other. */
function folderOf(registry: string): string {
  const folder = registryFolder(registry)
  if (folder === undefined) throw new Error(`no name of a registry: ${registry}`)
  return folder
}
