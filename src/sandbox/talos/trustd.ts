import {
  type CertifiedKey,
  generateKey,
  issueCertificate,
  publicKeyText,
  writePrivateKey,
} from '../pki.ts'
import type { TalosNode } from './talos-node.ts'
import type { TalosCluster } from './talos-state.ts'

const dayMs = 86_400_000

/**
 * Whether this node can get a server certificate: a control plane node makes its own, a worker asks
 * a control plane node of its cluster, which must run and know its token, once it has found one: Kubernetes tells
 * it, or the discovery service where there is one.
 */
export function canIssueFor(node: TalosNode): boolean {
  return issuerOf(node) !== undefined
}

/** The certificate of a configured node's API: for its names and addresses, a day long. */
export function issueServerCertificate(node: TalosNode): CertifiedKey | undefined {
  const issuer = issuerOf(node)
  if (issuer === undefined) return undefined
  const key = generateKey('ed25519')
  const sans = [...(node.config?.certSans ?? []), ...node.addresses, node.hostname, '127.0.0.1']
  const isIp = (san: string) => /^[\d.]+$/.test(san) || san.includes(':')
  const crt = issueCertificate({
    subject: { commonName: node.hostname },
    key,
    issuer,
    usages: ['serverAuth'],
    dnsNames: [...new Set(sans.filter((san) => !isIp(san)))],
    ipAddresses: [...new Set(sans.filter(isIp))],
    lifetimeMs: dayMs,
    // TLS stacks go by the wall's time: a node in the future dates what it shows by today.
    now: Math.min(node.world.calendar.now(), Date.now()),
  })
  return { crt, key: writePrivateKey(key) }
}

function issuerOf(node: TalosNode): CertifiedKey | undefined {
  const { config, cluster } = node
  if (config === undefined || cluster === undefined) return undefined
  const { crt, key } = config.machineCa
  if (key !== undefined) return { crt, key }
  if (!node.state.hasDiscovery && !knowsOfOthers(cluster)) return undefined
  const controlPlane = node.state
    .nodesOf(cluster)
    .find((other) => other.config?.controlPlane && other.api.listening && serves(other, node))
  const theirs = controlPlane?.config?.machineCa
  return theirs?.key === undefined ? undefined : { crt: theirs.crt, key: theirs.key }
}

/** Whether the Kubernetes of this cluster can be asked where its control planes are. */
function knowsOfOthers({ kubernetes }: TalosCluster): boolean {
  return [...kubernetes.values()].some(({ available }) => available)
}

/** Whether this control plane answers that worker: it knows its token, and the worker believes its certificate. */
function serves({ config: theirs }: TalosNode, { config: own }: TalosNode): boolean {
  if (theirs === undefined || own === undefined) return false
  const believed = [own.machineCa.crt, ...own.acceptedCas].map(publicKeyText)
  return own.token === theirs.token && believed.includes(publicKeyText(theirs.machineCa.crt))
}
