import type { JsonObject } from '../../lib/json.ts'
import type { HostSpec, HostsSpec } from '../../spec/hosts/hosts-spec.ts'
import { kubeletConfiguration } from '../config/kubelet-configuration.ts'
import { kubeletArguments } from '../config/node-registration.ts'
import type { KubeadmTraces } from '../host/seen-host.ts'

/** Arguments that kubeadm gives a kubelet by itself. */
const ownArguments: ReadonlySet<string> = new Set([
  'container-runtime-endpoint',
  'hostname-override',
  'pod-infra-container-image',
  'register-with-taints',
])

/**
 * Of the config that all kubelets share what the file decides. The driver of cgroups is the same in every file, and a
 * node never gets another one. Undefined where patches of the file may decide it otherwise.
 */
export function sharedKubelet(spec: HostsSpec): JsonObject | undefined {
  if (spec.kubeadm.patches.some(({ target }) => target === 'kubeletconfiguration')) return undefined
  const { rotateCertificates = false, serverTLSBootstrap = false } = kubeletConfiguration(spec)
  return { rotateCertificates, serverTLSBootstrap }
}

/** The same of a config as it is written somewhere; as asked for where nobody could read it. */
export function sharedKubeletIn(
  config: JsonObject | undefined,
  spec: HostsSpec,
): JsonObject | undefined {
  const wanted = sharedKubelet(spec)
  if (wanted === undefined || config === undefined) return wanted
  return Object.fromEntries(Object.keys(wanted).map((key) => [key, config[key] ?? false]))
}

/** What the kubelet of a host is to have: what all share, and its arguments, by their names. */
export function wantedKubelet(spec: HostsSpec, host: HostSpec): JsonObject {
  return { ...sharedKubelet(spec), ...withDashes(kubeletArguments(spec, host)) }
}

/** What it has: also arguments that nobody asks for any more. */
export function runningKubelet(
  spec: HostsSpec,
  host: HostSpec,
  { kubelet: { config, flags } }: KubeadmTraces,
): JsonObject {
  const given = Object.entries(flags ?? kubeletArguments(spec, host))
  const own = given.filter(([name]) => !ownArguments.has(name))
  return { ...sharedKubeletIn(config, spec), ...withDashes(Object.fromEntries(own)) }
}

function withDashes(args: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [`--${name}`, value]))
}
