/** What a file of a cluster on the state branch is. */
export type FileKind =
  | 'secrets'
  | 'named-secrets'
  | 'node-config'
  | 'inventory'
  | 'journal'
  | 'plan'

export const manifestPath = 'manifest.json'
/** Signs the manifest as it stands, byte by byte. */
export const signaturePath = 'manifest.sig'
export const secretsPath = 'secrets.sops.yaml'
/** The values of secrets that cluster files refer to by name. */
export const namedSecretsPath = 'named-secrets.sops.yaml'
export const inventoryPath = 'inventory.json'
export const journalPath = 'journal.json'

const name = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?'
const clusterFolder = new RegExp(`^${name}$`)
const nodeFile = new RegExp(`^nodes/(${name})\\.sops\\.yaml$`)
const planFile = /^plans\/([0-9a-f]{64})\.json$/

/** Path of a node's machine config in the cluster's folder. */
export function nodeConfigPath(node: string): string {
  return checked(`nodes/${node}.sops.yaml`, nodeFile)
}

/** Path of an approved plan in the cluster's folder. */
export function planPath(digest: string): string {
  return checked(`plans/${digest}.json`, planFile)
}

/** Whether a folder can be that of a cluster, by its name. */
export function isClusterFolder(folder: string): boolean {
  return folder.length <= 63 && clusterFolder.test(folder)
}

/** The kind of a file by its path in the cluster's folder; undefined for what has no place there. */
export function fileKind(path: string): FileKind | undefined {
  if (path === secretsPath) return 'secrets'
  if (path === namedSecretsPath) return 'named-secrets'
  if (path === inventoryPath) return 'inventory'
  if (path === journalPath) return 'journal'
  if (nodeFile.test(path)) return 'node-config'
  return planFile.test(path) ? 'plan' : undefined
}

/** Whether a file is one of those that the manifest vouches for: neither itself nor its signature. */
export function isPayload(path: string): boolean {
  return path !== manifestPath && path !== signaturePath
}

/** The node or the digest that a file's path names. */
export function fileSubject(path: string): string | undefined {
  return nodeFile.exec(path)?.[1] ?? planFile.exec(path)?.[1]
}

/** The ref that keeps the state. */
export function stateRef(branch: string): string {
  return `refs/heads/${branch}`
}

/**
 * The ref that locks one cluster. Beside the branch and not below it, since git keeps no ref under the
 * name of another; a branch all the same, so that rights and rules of the repository hold for it.
 */
export function lockRef(branch: string, cluster: string): string {
  return checked(`refs/heads/${branch}-lock/${cluster}`, new RegExp(`/${name}$`))
}

function checked(path: string, pattern: RegExp): string {
  if (!pattern.test(path)) throw new Error(`${path} is no path of the state branch`)
  return path
}
