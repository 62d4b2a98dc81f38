import { hostname } from 'node:os'
import { untestedFindings } from '../addons/untested-findings.ts'
import { createHetznerClient, type HetznerClient } from '../hetzner/api/hetzner-client.ts'
import { ClusterError } from '../lib/cluster-error.ts'
import type { Finding } from '../lib/finding.ts'
import { refuseErrors } from '../lib/findings-error.ts'
import { Redactor } from '../lib/redactor.ts'
import { clearSecretFindings } from '../planner/clear-secret-findings.ts'
import type { ClusterSpec } from '../spec/cluster-spec.ts'
import { loadSpec } from '../spec/load-spec.ts'
import { locateFindings } from '../spec/yaml/locate-findings.ts'
import { locateInPatch } from '../spec/yaml/locate-in-patch.ts'
import { unreadableText } from '../spec/yaml/unreadable-text.ts'
import { openStore } from '../store/open-store.ts'
import type { StateStore } from '../store/state-store.ts'
import { parseIdentities } from '../store/trust/identity.ts'
import { patchSecrets } from '../talos/config/patch-secrets.ts'
import { patchFindings } from '../talos/patch-findings.ts'
import { withPatchedTaints } from '../talos/patched-taints.ts'
import { hideGivenSecrets } from './named-secrets.ts'
import type { RunContext } from './run-context.ts'
import { runPhase } from './run-phase.ts'
import type { StateSession } from './state-session.ts'

/** A cluster file as it was read: commands take texts, so that they need no disk. */
export interface ClusterFile {
  /** For messages. */
  readonly path: string
  readonly text: string
}

/** A cluster file together with the two places that know of its cluster. */
export interface ClusterSession extends StateSession {
  readonly spec: ClusterSpec
  readonly hetzner: HetznerClient
}

/** Loads a cluster file. Throws a `FindingsError` (`spec-…`) with all that is wrong with it. */
export function readClusterFile(file: ClusterFile): {
  spec: ClusterSpec
  findings: readonly Finding[]
} {
  const unreadable = unreadableText(file.text, file.path)
  const { spec, findings } = loadSpec(file.text, { fileName: file.path })
  refuseErrors(unreadable?.code ?? 'spec-invalid', findings, file.path)
  if (!spec) throw new Error('a file without errors gave no spec')
  const ofPatches = patchFindings(spec)
    .map(({ place, ...finding }) => ({
      ...finding,
      position: locateInPatch(file.text, finding.path, place),
    }))
    .sort((a, b) => a.position.line - b.position.line || a.position.column - b.position.column)
  const ofAddons = locateFindings(file.text, untestedFindings(spec))
  const inClear = clearSecretFindings(file.text, spec)
  const found = [...findings, ...ofAddons, ...ofPatches, ...inClear]
  const all = withoutSecrets(found, patchSecrets(spec))
  refuseErrors('spec-invalid', all, file.path)
  return { spec: withPatchedTaints(spec), findings: all }
}

/** Findings leave before any run has begun, and with it any redactor that knows the secrets of the file. */
function withoutSecrets(findings: readonly Finding[], secrets: readonly string[]): Finding[] {
  const redactor = new Redactor()
  for (const secret of secrets) redactor.add(secret)
  return findings.map(({ message, hint, ...finding }) => ({
    ...finding,
    message: redactor.redact(message),
    ...(hint !== undefined && { hint: redactor.redact(hint) }),
  }))
}

/** How a state is opened by what is not an everyday run. */
export interface StateOptions {
  /** Whether whom the cluster file names no more is about to be dropped, instead of refused. */
  readonly dropsRecipients?: boolean
}

/** Loads the file and makes ready to ask; asks nobody yet. Close it in the end. */
export async function openSession(
  context: RunContext,
  file: ClusterFile,
  options: StateOptions = {},
): Promise<ClusterSession> {
  const { spec, findings } = readClusterFile(file)
  // What stands in a patch alone is known from nowhere else.
  for (const secret of patchSecrets(spec)) context.redactor.add(secret)
  hideGivenSecrets(context.state.environment, context.redactor)
  const stopped = new AbortController()
  const signal = AbortSignal.any([context.signal, stopped.signal])
  const hetzner = connectHetzner({ ...context, signal })
  const store = await openStateStore(context, spec, options)
  return {
    file,
    spec,
    findings: [...findings, ...warnUnvouched(store)],
    hetzner,
    store,
    signal,
    stop: (reason) => stopped.abort(reason),
    [Symbol.asyncDispose]: () => closeStore(context, store),
  }
}

/** Giving the lock back takes its time, and what a run does is shown: its last line is its end. */
async function closeStore({ progress }: RunContext, store: StateStore): Promise<void> {
  const { heldLock } = store
  try {
    if (heldLock) {
      await runPhase(
        progress,
        'Release the lock',
        () => heldLock.release(),
        (isReached) => (isReached ? undefined : 'the repository did not answer; it expires'),
      )
    }
  } finally {
    await store.close()
  }
}

/** A run that cannot tell who wrote the state goes on, and says so each time. */
function warnUnvouched({ trust }: StateStore): Finding[] {
  if (trust !== 'nobody') return []
  return [
    {
      severity: 'warning',
      path: ['state', 'signer'],
      message:
        'state.signer is not set and this run has no identity: whoever may push to the state branch can make up what this plan stands on',
      hint: 'Write what `hcloud-talos signer` prints into state.signer.',
    },
  ]
}

/** Throws `token-missing` where no token was given. */
export function connectHetzner(context: RunContext): HetznerClient {
  const { hetznerToken, endpoints, clock, random, signal, redactor, toolVersion, record } = context
  if (hetznerToken === undefined || hetznerToken === '') {
    throw new ClusterError('token-missing', 'no token for Hetzner was given', {
      hint: 'Set HCLOUD_TOKEN; in a workflow pass the input hcloud-token.',
    })
  }
  return createHetznerClient({
    token: hetznerToken,
    endpoint: endpoints.hetzner,
    clock,
    random,
    signal,
    redactor,
    userAgent: `hcloud-talos/${toolVersion}`,
    record,
  })
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
