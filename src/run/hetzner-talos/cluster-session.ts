import { untestedFindings } from '../../addons/untested-findings.ts'
import { createHetznerClient, type HetznerClient } from '../../hetzner/api/hetzner-client.ts'
import { ClusterError } from '../../lib/cluster-error.ts'
import type { Finding } from '../../lib/finding.ts'
import { refuseErrors } from '../../lib/findings-error.ts'
import { Redactor } from '../../lib/redactor.ts'
import { clearSecretFindings } from '../../planner/hetzner-talos/clear-secret-findings.ts'
import type { ClusterSpec } from '../../spec/cluster-spec.ts'
import { loadSpec } from '../../spec/load-spec.ts'
import { locateFindings } from '../../spec/yaml/locate-findings.ts'
import { locateInPatch } from '../../spec/yaml/locate-in-patch.ts'
import { unreadableText } from '../../spec/yaml/unreadable-text.ts'
import { patchSecrets } from '../../talos/config/patch-secrets.ts'
import { patchFindings } from '../../talos/patch-findings.ts'
import { withPatchedTaints } from '../../talos/patched-taints.ts'
import type { ClusterFile } from '../cluster-file.ts'
import type { StateOptions } from '../open-state-store.ts'
import type { RunContext } from '../run-context.ts'
import { openStateSession, type StateSession } from '../state-session.ts'

/** The name of this mode, as a run notes it for the step that closes it. */
export const hetznerTalosName = 'hetzner-talos'

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

/** Findings leave before any run has started, and with it any redactor that knows the secrets of the file. */
function withoutSecrets(findings: readonly Finding[], secrets: readonly string[]): Finding[] {
  const redactor = new Redactor()
  for (const secret of secrets) redactor.add(secret)
  return findings.map(({ message, hint, ...finding }) => ({
    ...finding,
    message: redactor.redact(message),
    ...(hint !== undefined && { hint: redactor.redact(hint) }),
  }))
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
  const connect = (signal: AbortSignal) => ({ hetzner: connectHetzner({ ...context, signal }) })
  return await openStateSession(
    context,
    { mode: hetznerTalosName, file, spec, findings },
    connect,
    options,
  )
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
