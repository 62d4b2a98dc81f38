import { lookScript } from '../../kubeadm/host/look-script.ts'
import { probeStep } from '../../kubeadm/host/prepare-host.ts'
import { readLook } from '../../kubeadm/host/read-look.ts'
import type { SeenHost } from '../../kubeadm/host/seen-host.ts'
import { stepsOfHost } from '../../kubeadm/host/steps-of-host.ts'
import type { Clock } from '../../lib/clock.ts'
import type { HostSpec, HostsSpec } from '../../spec/hosts/hosts-spec.ts'
import { runScript } from '../../ssh/run-script.ts'
import type { RemoteHost } from '../../ssh/ssh-pool.ts'
import { scriptOutput } from './host-script.ts'

/** How long one look may take, in milliseconds. */
const lookMs = 120_000

export interface LookOptions {
  readonly spec: HostsSpec
  readonly host: Pick<HostSpec, 'name' | 'role'>
  /** Of the Kubernetes that it should run now, without v. */
  readonly version: string
  /** The wall's time, by which its clock is judged. */
  readonly calendar: Clock
}

/** What a host says of itself, and which of the checks of its preparation pass. Changes nothing. Throws what SSH throws. */
export async function lookAtHost(
  remote: RemoteHost,
  { spec, host, version, calendar }: LookOptions,
): Promise<SeenHost> {
  const { endpoint } = spec.kubeadm
  const from = calendar.now()
  const printed = await scriptOutput(remote, {
    title: 'look at the host',
    text: lookScript,
    args: [endpoint.type === 'virtualIp' ? endpoint.address : ''],
    withinMs: lookMs,
    isRepeatable: true,
  })
  const look = readLook(printed, { from, to: calendar.now() })
  const { arch } = look.traces
  const steps = stepsOfHost(spec, host, { arch, version })
  const prepared = preparedHost(remote)
  const evidence = await Promise.all(steps.map((step) => probeStep(prepared, step)))
  return { ...look, name: host.name, evidence: evidence.flat() }
}

/** A host as the steps of its preparation use it. */
export function preparedHost(remote: RemoteHost, withinMs: number = lookMs) {
  return {
    name: remote.host.name,
    clock: remote.clock,
    runScript: (text: string, args: readonly string[]) =>
      runScript(remote, { title: 'prepare the host', text, args, withinMs, isRepeatable: true }),
  }
}
