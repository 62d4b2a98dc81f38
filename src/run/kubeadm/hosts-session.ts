import { untestedFindings } from '../../addons/untested-findings.ts'
import type { Finding } from '../../lib/finding.ts'
import { refuseErrors } from '../../lib/findings-error.ts'
import type { HostsSpec } from '../../spec/hosts/hosts-spec.ts'
import { loadHostsSpec } from '../../spec/hosts/load-hosts-spec.ts'
import { locateFindings } from '../../spec/yaml/locate-findings.ts'
import { unreadableText } from '../../spec/yaml/unreadable-text.ts'
import type { ClusterFile } from '../cluster-file.ts'
import { readKept } from '../named-secrets.ts'
import type { StateOptions } from '../open-state-store.ts'
import type { RunContext } from '../run-context.ts'
import { openStateSession, type StateSession } from '../state-session.ts'
import { connectHosts } from './connect-hosts.ts'
import type { HostConnections } from './host-connections.ts'

/** The name of this mode, as a run notes it for the step that closes it. */
export const kubeadmName = 'kubeadm'

/** A cluster file of hosts together with the two places that know of its cluster: the state and the hosts. */
export interface HostsSession extends StateSession {
  readonly spec: HostsSpec
  readonly hosts: HostConnections
  readonly tools: Pick<RunContext, 'clock' | 'calendar' | 'random' | 'redactor'>
}

/** Loads a cluster file of hosts. Throws a `FindingsError` (`spec-…`) with all that is wrong with it. */
export function readHostsFile(file: ClusterFile): {
  readonly spec: HostsSpec
  readonly findings: readonly Finding[]
} {
  const unreadable = unreadableText(file.text, file.path)
  const { spec, findings } = loadHostsSpec(file.text, file.path)
  refuseErrors(unreadable?.code ?? 'spec-invalid', findings, file.path)
  if (!spec) throw new Error('a file without errors gave no spec')
  const all = [...findings, ...locateFindings(file.text, untestedFindings(spec))]
  refuseErrors('spec-invalid', all, file.path)
  return { spec, findings: all }
}

/** Loads the file and makes ready to ask; asks nobody yet. Close it in the end. */
export async function openHostsSession(
  context: RunContext,
  file: ClusterFile,
  options: StateOptions = {},
): Promise<HostsSession> {
  const { spec, findings } = readHostsFile(file)
  let session: HostsSession | undefined
  const { clock, calendar, random, redactor } = context
  const connect = (signal: AbortSignal) => ({
    tools: { clock, calendar, random, redactor },
    hosts: connectHosts(
      { ...context, signal },
      {
        filePath: file.path,
        withinMs: spec.kubeadm.timeoutMinutes.connect * 60_000,
        namedSecrets: () => (session ? readKept(session.store) : Promise.resolve(new Map())),
      },
    ),
  })
  const opened = await openStateSession(
    context,
    { mode: kubeadmName, file, spec, findings },
    connect,
    options,
  )
  session = {
    ...opened,
    async [Symbol.asyncDispose]() {
      await opened.hosts[Symbol.asyncDispose]()
      await opened[Symbol.asyncDispose]()
    },
  }
  return session
}
