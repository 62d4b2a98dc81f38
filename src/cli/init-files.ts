import { stat } from 'node:fs/promises'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { stateSigners } from '../commands/state-signers.ts'
import { ClusterError } from '../lib/cluster-error.ts'
import { defaultClusterFile } from '../spec/default-cluster-file.ts'
import { loadSpec } from '../spec/load-spec.ts'
import { defaultWorkflow } from './default-workflow.ts'
import { writePrivateFile } from './write-private-file.ts'

export interface InitOptions {
  readonly config: string
  readonly name: string
  readonly force: boolean
  readonly workflow: boolean
}

const identityPath = 'age-identity.txt'
const workflowPath = '.github/workflows/cluster.yaml'

/**
 * Writes what a repository begins with: a cluster file, a workflow, and an age identity that git does
 * not take in. Replaces nothing unless told. Returns what to tell people.
 */
export async function initFiles(options: InitOptions): Promise<string[]> {
  const { config, name, force, workflow } = options
  const identity = await generateX25519Identity()
  const recipient = await identityToRecipient(identity)
  const [signer = ''] = await stateSigners(identity)
  const clusterFile = `${defaultClusterFile({ clusterName: name })}
state:
  # Who can open the secrets. Add a second one that is kept offline: whoever loses the only key loses the cluster's secrets.
  recipients:
    - ${recipient}
  # Who signs the state: a plan believes nobody else. \`hcloud-talos signer\` prints it for the identity of the runs.
  signer: ${signer}
`
  refuseBadName(clusterFile, name)
  const files = [
    { path: config, text: clusterFile, mode: 0o644 },
    { path: identityPath, text: `# public key: ${recipient}\n${identity}\n`, mode: 0o600 },
    ...(workflow ? [{ path: workflowPath, text: defaultWorkflow(name, config), mode: 0o644 }] : []),
  ]
  if (!force) await refuseExisting(files.map(({ path }) => path))
  for (const { path, text, mode } of files) await writePrivateFile(path, text, { mode })
  return [
    ...files.map(({ path }) => `wrote ${path}`),
    '',
    `Keep ${identityPath} out of git. It opens the cluster's secrets:`,
    `  at a terminal   export HCLOUD_TALOS_AGE_IDENTITY_FILE=${identityPath}`,
    '  in the workflow put its last line into the environment secret AGE_IDENTITY',
    `What it writes is signed by ${signer} (state.signer in ${config}).`,
    `Then: hcloud-talos plan --config ${config}`,
  ]
}

function refuseBadName(clusterFile: string, name: string): void {
  const { spec, findings } = loadSpec(clusterFile)
  if (spec) return
  const [problem] = findings.filter(({ severity }) => severity === 'error')
  throw new ClusterError('usage', `${name} is no name for a cluster: ${problem?.message ?? ''}`, {
    ...(problem?.hint === undefined ? {} : { hint: problem.hint }),
  })
}

async function refuseExisting(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const exists = await stat(path).then(
      () => true,
      () => false,
    )
    if (!exists) continue
    throw new ClusterError('file-unwritable', 'the file exists already; nothing was written', {
      target: path,
      hint: 'add --force to replace it, or choose another --config',
    })
  }
}
