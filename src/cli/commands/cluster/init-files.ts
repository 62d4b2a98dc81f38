import { readFile, rm, stat } from 'node:fs/promises'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { stateSigners } from '../../../commands/state/state-signers.ts'
import { ClusterError } from '../../../lib/cluster-error.ts'
import { hasErrors } from '../../../lib/finding.ts'
import {
  canBeOnGithub,
  type PublishedAction,
  publishedAction,
} from '../../../lib/published-action.ts'
import { defaultClusterFile } from '../../../spec/default-cluster-file.ts'
import { defaultHostsFile, sshKeyVariable } from '../../../spec/hosts/default-hosts-file.ts'
import { loadHostsSpec } from '../../../spec/hosts/load-hosts-spec.ts'
import { loadSpec } from '../../../spec/load-spec.ts'
import { withIgnored } from '../../git-ignore.ts'
import { writePrivateFile } from '../../terminal/write-private-file.ts'
import { defaultHostsWorkflow, defaultWorkflow } from './default-workflow.ts'

interface InitOptions {
  readonly config: string
  readonly name: string
  readonly force: boolean
  readonly workflow: boolean
  /** Whether the cluster is one on hosts that exist. */
  readonly hosts: boolean
  /** Where the suite is published, for the workflow; that of this build where absent. */
  readonly action?: PublishedAction | undefined
}

interface NewFile {
  readonly path: string
  readonly text: string
  readonly mode: number
}

const identityPath = 'age-identity.txt'
const workflowPath = '.github/workflows/cluster.yaml'
const ignorePath = '.gitignore'

/** Files that hold secrets and that commands write where one stands. */
const secretFiles = [identityPath, 'kubeconfig', 'talosconfig']

/**
 * Writes what a repository begins with: a cluster file, a workflow, an age identity and a .gitignore that
 * keeps secrets out of commits. All or nothing; replaces nothing by default, and an age identity never,
 * since it may be the only key of a cluster. Returns the lines to print. Throws `usage`,
 * `file-unwritable`, `disk-full`, `identity-invalid`.
 */
export async function initFiles(options: InitOptions): Promise<string[]> {
  const { config, name, force, workflow, hosts, action = publishedAction } = options
  const former = await readIfThere(identityPath)
  const identity = former === undefined ? await generateX25519Identity() : readIdentity(former)
  const recipient = await toRecipient(identity)
  const [signer] = await stateSigners(identity)
  const parts = { clusterName: name, recipients: [recipient], signer }
  const clusterFile = hosts ? defaultHostsFile(parts) : defaultClusterFile(parts)
  refuseBadName(clusterFile, name, hosts)
  const workflowOf = hosts ? defaultHostsWorkflow : defaultWorkflow
  const files: NewFile[] = [
    { path: config, text: clusterFile, mode: 0o644 },
    ...(workflow
      ? [{ path: workflowPath, text: workflowOf(name, config, action), mode: 0o644 }]
      : []),
  ]
  if (!force) await refuseExisting(files)
  const ignored = await readIfThere(ignorePath)
  const ignoring = withIgnored(ignored ?? '', secretFiles)
  const secret = {
    path: identityPath,
    text: `# public key: ${recipient}\n${identity}\n`,
    mode: 0o600,
  }
  await writeAll([
    // Ignored before it is there.
    ...(ignoring === ignored ? [] : [{ path: ignorePath, text: ignoring, mode: 0o644 }]),
    ...(former === undefined ? [secret] : []),
    ...files,
  ])
  return [
    ...files.map(({ path }) => `wrote ${path}`),
    former === undefined
      ? `wrote ${identityPath}, which .gitignore keeps out of git`
      : `kept ${identityPath}`,
    '',
    `${identityPath} opens the cluster's secrets. Keep a copy in a safe place:`,
    `  at a terminal   export HCLOUD_TALOS_AGE_IDENTITY_FILE=${identityPath}`,
    '  in the workflow put its last line into the environment secret AGE_IDENTITY',
    `What it writes is signed by ${signer} (state.signer in ${config}).`,
    ...(hosts ? ofHosts(config) : []),
    `Then: hcloud-talos plan --config ${config}`,
    ...(workflow && !canBeOnGithub(action.name) ? unpublished(action) : []),
  ]
}

/** What only people know. */
function ofHosts(config: string): string[] {
  return [
    `Fill in the addresses and host keys of ${config}: ssh-keyscan -t ed25519 <address> prints a key.`,
    `The private key that logs in to the hosts is in the variable ${sshKeyVariable}; in the workflow a secret of that name.`,
  ]
}

/** Comes last, where people look. */
function unpublished({ name }: PublishedAction): string[] {
  const line = '!'.repeat(78)
  return [
    '',
    line,
    `WARNING: ${workflowPath} does not run yet. It names ${name},`,
    'which is a placeholder and nobody’s account: this build of the suite was not published.',
    'Give the action your token and your key from a repository that you trust, and no other:',
    '  hcloud-talos init --force --action <owner/name@commit>',
    line,
  ]
}

function readIdentity(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.find((line) => line !== '' && !line.startsWith('#')) ?? ''
}

async function toRecipient(identity: string): Promise<string> {
  try {
    return await identityToRecipient(identity)
  } catch {
    throw new ClusterError('identity-invalid', 'the file holds no age identity', {
      target: identityPath,
      hint: 'Move it away; nothing was written.',
    })
  }
}

/** Host keys that are still to be filled in are no reason to refuse what was asked for. */
function refuseBadName(clusterFile: string, name: string, hosts: boolean): void {
  const { findings } = hosts ? loadHostsSpec(clusterFile) : loadSpec(clusterFile)
  const problem = findings.find(
    (finding) => hasErrors([finding]) && (!hosts || finding.path[0] === 'clusterName'),
  )
  if (!problem) return
  throw new ClusterError('usage', `${name} is no name for a cluster: ${problem.message}`, {
    ...(problem.hint === undefined ? {} : { hint: problem.hint }),
  })
}

async function refuseExisting(files: readonly NewFile[]): Promise<void> {
  for (const { path } of files) {
    if (!(await isThere(path))) continue
    throw new ClusterError('file-unwritable', 'the file exists already; nothing was written', {
      target: path,
      hint: 'Add --force to replace it, or choose another --config.',
    })
  }
}

/** Takes back what is new when one of them cannot be written. */
async function writeAll(files: readonly NewFile[]): Promise<void> {
  const fresh: string[] = []
  try {
    for (const { path, text, mode } of files) {
      if (!(await isThere(path))) fresh.push(path)
      await writePrivateFile(path, text, { mode })
    }
  } catch (error) {
    for (const path of fresh) await rm(path, { force: true }).catch(() => undefined)
    throw error
  }
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

async function readIfThere(path: string): Promise<string | undefined> {
  if (!(await isThere(path))) return undefined
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new ClusterError('file-unwritable', 'the file is there and cannot be read', {
      target: path,
      hint: 'Move it away; nothing was written.',
      cause: error,
    })
  }
}
