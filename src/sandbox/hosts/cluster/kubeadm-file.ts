import { parseAllDocuments } from 'yaml'
import { isJsonObject, type JsonObject } from '../../../lib/json.ts'

/** Why kubeadm refuses, in lines that it prints; it then ends with exit code 1. */
export class KubeadmRefused extends Error {
  override readonly name = 'KubeadmRefused'
}

const kubeadmApi = 'kubeadm.k8s.io/v1beta4'

/** The fields of each kind of kubeadm's v1beta4, one level deep; kubeadm itself refuses all others. */
const fields: Readonly<Record<string, readonly string[]>> = {
  InitConfiguration: [
    'bootstrapTokens',
    'certificateKey',
    'dryRun',
    'localAPIEndpoint',
    'nodeRegistration',
    'patches',
    'skipPhases',
    'timeouts',
  ],
  ClusterConfiguration: [
    'apiServer',
    'caCertificateValidityPeriod',
    'certificateValidityPeriod',
    'certificatesDir',
    'clusterName',
    'controlPlaneEndpoint',
    'controllerManager',
    'dns',
    'encryptionAlgorithm',
    'etcd',
    'featureGates',
    'imageRepository',
    'kubernetesVersion',
    'networking',
    'proxy',
    'scheduler',
  ],
  JoinConfiguration: [
    'caCertPath',
    'controlPlane',
    'discovery',
    'dryRun',
    'nodeRegistration',
    'patches',
    'skipPhases',
    'timeouts',
  ],
  ResetConfiguration: [
    'certificatesDir',
    'cleanupTmpDir',
    'criSocket',
    'dryRun',
    'force',
    'ignorePreflightErrors',
    'skipPhases',
    'timeouts',
    'unmountFlags',
  ],
  UpgradeConfiguration: ['apply', 'diff', 'node', 'plan', 'timeouts'],
}

/** Documents of other programs, which kubeadm hands on. */
const others = ['KubeletConfiguration', 'KubeProxyConfiguration']

/** The documents of a file by their kinds. Throws KubeadmRefused where kubeadm would not take it. */
export function readKubeadmFile(text: string): ReadonlyMap<string, JsonObject> {
  const documents = parseAllDocuments(text, { version: '1.1' })
  const found = new Map<string, JsonObject>()
  for (const document of Array.isArray(documents) ? documents : []) {
    const [error] = document.errors
    if (error) throw new KubeadmRefused(`error converting YAML to JSON: ${error.message}`)
    const value: unknown = document.toJS()
    if (value === null) continue
    if (!isJsonObject(value)) throw new KubeadmRefused('invalid configuration: no object')
    const kind = kindOf(value)
    if (found.has(kind)) throw new KubeadmRefused(`invalid configuration: kind "${kind}" twice`)
    found.set(kind, value)
  }
  if (found.size === 0) throw new KubeadmRefused('invalid configuration: it has no document')
  return found
}

/** Of a document that kubeadm takes. */
function kindOf(value: JsonObject): string {
  const kind = String(value['kind'])
  const known = fields[kind]
  if (known === undefined) {
    if (others.includes(kind)) return kind
    throw new KubeadmRefused(`invalid configuration: kind "${kind}" is not known`)
  }
  if (value['apiVersion'] !== kubeadmApi) {
    throw new KubeadmRefused(
      `your configuration file uses an old or unknown API spec: ${JSON.stringify(value['apiVersion'])}`,
    )
  }
  const unknown = Object.keys(value).find((key) => !['apiVersion', 'kind', ...known].includes(key))
  if (unknown === undefined) return kind
  throw new KubeadmRefused(`strict decoding error: unknown field "${unknown}"`)
}
