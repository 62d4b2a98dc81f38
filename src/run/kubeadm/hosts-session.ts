import type { HostsSpec } from '../../spec/hosts/hosts-spec.ts'
import type { ClusterFile } from '../cluster-file.ts'
import { readKept } from '../named-secrets.ts'
import type { StateOptions } from '../open-state-store.ts'
import type { RunContext } from '../run-context.ts'
import { openStateSession, type StateSession } from '../state-session.ts'
import { connectHosts } from './connect-hosts.ts'
import type { HostConnections } from './host-connections.ts'
import { kubeadmName, readHostsFile } from './read-hosts-file.ts'

/** A cluster file of hosts together with the two places that know of its cluster: the state and the hosts. */
export interface HostsSession extends StateSession {
  readonly spec: HostsSpec
  readonly hosts: HostConnections
  readonly tools: Pick<RunContext, 'clock' | 'calendar' | 'random' | 'redactor'>
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
