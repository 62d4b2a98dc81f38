import type { RuntimeFile } from '../../spec/hosts/hosts-spec.ts'
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
  const { version, source, pauseImage, registryMirrors, hasGpu } = options
  const parameters = {
    wanted: version ?? '',
    source: source.type,
    repository:
      source.type === 'distribution' ? '' : repositoryUrl(source, 'https://download.docker.com'),
    key: source.type === 'mirror' ? (source.key ?? '') : '',
    files: fileLines(source),
    config_2: containerdConfig(2, pauseImage),
    config_3: containerdConfig(3, pauseImage),
  }
  const isPackage = source.type !== 'files'
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
      containerdVersion,
      ...(isPackage ? [containerdHold] : []),
      containerdFile,
      registryFiles,
      crictlFile,
      containerdService,
      ...(hasGpu ? gpuChecks : []),
    ],
  }
}

/** It is the name of a folder on the host. */
function folderOf(registry: string): string {
  if (/^[\w-]+(?:\.[\w-]+)*(?::\d+)?$/.test(registry)) return registry
  throw new Error(`no name of a registry: ${registry}`)
}
