import { hostname } from 'node:os'
import type { ClusterSpec } from '../spec/cluster-spec.ts'
import { openStore } from '../store/open-store.ts'
import type { StateStore } from '../store/state-store.ts'
import { parseIdentities } from '../store/trust/identity.ts'
import type { RunContext } from './run-context.ts'

/** How a state is opened by what is not an everyday run. */
export interface StateOptions {
  /** Whether whom the cluster file names no more is about to be dropped, instead of refused. */
  readonly dropsRecipients?: boolean
}

export async function openStateStore(
  context: RunContext,
  {
    clusterName,
    state: { branch, recipients, signers, repository, encrypt },
  }: Pick<ClusterSpec, 'clusterName'> & { readonly state: Omit<ClusterSpec['state'], 'alongside'> },
  { dropsRecipients }: StateOptions = {},
): Promise<StateStore> {
  const { state, run, clock, random, redactor, signal, tempFolder, toolVersion } = context
  const identities =
    state.identity === undefined ? [] : await parseIdentities(state.identity, redactor)
  return openStore({
    remote: state.remote,
    folder: state.folder,
    credentials: state.credentials,
    api: state.api,
    environment: state.environment,
    temporaryFolder: tempFolder,
    branch,
    clusterName,
    recipients,
    encrypt,
    signers,
    repository,
    identities,
    dropsRecipients,
    writer: {
      run: run.id,
      attempt: run.attempt,
      host: run.host || hostname(),
      url: run.url,
      job: run.job,
      process: run.process,
    },
    toolVersion,
    clock,
    random,
    redactor,
    signal,
  })
}
