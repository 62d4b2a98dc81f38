import { generateKeyPairSync } from 'node:crypto'
import { isJsonObject, type Json, type JsonObject } from '../../src/lib/json.ts'

const encode = (text: string) => Buffer.from(text).toString('base64')

/** A field's own value would be lost in the shared cluster of a life; the sentence says what holds its line. */
export interface Elsewhere {
  readonly elsewhere: string
}

/**
 * Another value for every line of the take-up table, in the order in which a running control plane is given
 * them: what may take the cluster apart comes last.
 */
export function takeUpValues(config: JsonObject): Readonly<Record<string, Json | Elsewhere>> {
  const authority = (at: JsonObject) => at['ca'] ?? null
  const cluster = asObject(config['cluster'])
  const etcdAuthority = authority(asObject(cluster['etcd']))
  const accepted = [{ crt: asObject(authority(cluster))['crt'] ?? '' }]
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
  })
  return {
    version: { elsewhere: 'there is one value' },
    debug: true,
    persist: { elsewhere: 'Talos takes one value' },

    'machine.acceptedCAs': accepted,
    'machine.baseRuntimeSpecOverrides': {
      process: { rlimits: [{ type: 'RLIMIT_NOFILE', hard: 2048, soft: 2048 }] },
    },
    'machine.ca': { elsewhere: 'a revocation, which one-control-plane.test.ts has' },
    'machine.certSANs': ['take-up.example'],
    'machine.disks': [{ device: '/dev/sdb', partitions: [{ mountpoint: '/var/mnt/take-up' }] }],
    'machine.env': { TAKE_UP: 'yes' },
    'machine.features': { diskQuotaSupport: false },
    'machine.features.hostDNS': { resolveMemberNames: true },
    'machine.features.imageCache': { localEnabled: true },
    'machine.features.kubernetesTalosAPIAccess': {
      enabled: true,
      allowedRoles: ['os:reader'],
      allowedKubernetesNamespaces: ['kube-system'],
    },
    'machine.features.nodeAddressSortAlgorithm': 'v2',
    'machine.files': [
      { path: '/var/take-up', op: 'create', permissions: 0o644, content: 'taken up' },
    ],
    'machine.install': { image: 'factory.talos.dev/installer/take-up:v1.13.0' },
    'machine.install.disk': '/dev/sdc',
    'machine.install.diskSelector': { size: '>= 10GB' },
    'machine.kernel': { modules: [{ name: 'dummy' }] },
    'machine.logging': {
      destinations: [{ endpoint: 'udp://127.0.0.1:12345/', format: 'json_lines' }],
    },
    'machine.network': { extraHostEntries: [{ ip: '192.0.2.1', aliases: ['take-up'] }] },
    'machine.nodeAnnotations': { 'example.com/take-up': 'yes' },
    'machine.nodeLabels': { 'example.com/take-up': 'yes' },
    'machine.nodeTaints': { 'example.com/take-up': 'PreferNoSchedule' },
    'machine.pods': [
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'take-up', namespace: 'kube-system' },
        spec: {
          containers: [
            {
              name: 'take-up',
              image: 'docker.io/library/busybox:1.35.0',
              command: ['/bin/sleep', '86400'],
            },
          ],
        },
      },
    ],
    'machine.registries': { mirrors: { 'example.com': { endpoints: ['https://example.com'] } } },
    'machine.registries.config': { 'example.com': { auth: { username: 'u', password: 'p' } } },
    'machine.seccompProfiles': [{ name: 'take-up.json', value: { defaultAction: 'SCMP_ACT_LOG' } }],
    'machine.sysctls': { 'net.ipv4.tcp_keepalive_time': '2345' },
    'machine.sysfs': { 'kernel.mm.transparent_hugepage.enabled': 'madvise' },
    'machine.systemDiskEncryption': {
      ephemeral: { provider: 'luks2', keys: [{ slot: 0, nodeID: {} }] },
    },
    'machine.time': {
      elsewhere: 'a document of its own stands for it, beside which it is refused',
    },
    'machine.token': 'aaaaaa.bbbbbbbbbbbbbbbb',
    'machine.type': { elsewhere: 'a worker has other fields: Talos refuses them before it looks' },
    'machine.udev': { rules: ['SUBSYSTEM=="take-up"'] },

    'cluster.adminKubeconfig': { certLifetime: '12h0m0s' },
    'cluster.coreDNS': { disabled: true },
    'cluster.discovery': { registries: { service: { endpoint: 'https://discovery.example/' } } },
    'cluster.etcd': { extraArgs: { 'snapshot-count': '9000' } },
    'cluster.extraManifestHeaders': { 'x-take-up': 'yes' },
    'cluster.extraManifests': ['https://example.com/take-up.yaml'],
    'cluster.id': encode('take-up'.padEnd(32, '.')),
    'cluster.inlineManifests': [
      {
        name: 'take-up',
        contents:
          'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: take-up, namespace: default}\n',
      },
    ],
    'cluster.network.cni': { name: 'flannel' },
    'cluster.proxy': { extraArgs: { v: '3' } },
    'cluster.secret': encode('take-up, too'.padEnd(32, '.')),

    'cluster.apiServer': { extraArgs: { 'event-ttl': '3h' } },
    'cluster.controllerManager': { extraArgs: { 'terminated-pod-gc-threshold': '1000' } },
    'cluster.scheduler': { extraArgs: { 'kube-api-qps': '60' } },
    'machine.kubelet': { extraArgs: { 'max-pods': '99' } },
    'cluster.allowSchedulingOnControlPlanes': true,
    'cluster.allowSchedulingOnMasters': { elsewhere: 'the former name of the one above' },

    'cluster.apiServer.certSANs': ['take-up.example'],
    'cluster.clusterName': 'take-up',
    'cluster.aggregatorCA': etcdAuthority,
    'cluster.serviceAccount': { key: encode(privateKey) },
    'cluster.aescbcEncryptionSecret': encode('cbc'.padEnd(32, '.')),
    'cluster.secretboxEncryptionSecret': encode('box'.padEnd(32, '.')),

    'machine.features.kubePrism': { port: 7446 },
    'cluster.acceptedCAs': accepted,
    'cluster.ca': { elsewhere: 'a revocation, which one-control-plane.test.ts has' },
    'cluster.externalCloudProvider': { enabled: false },
    'cluster.network': { dnsDomain: 'take-up.local' },
    'cluster.token': 'cccccc.dddddddddddddddd',
    'cluster.controlPlane': { endpoint: 'https://192.0.2.9:6443' },

    'machine.controlPlane': {
      controllerManager: { disabled: true },
      scheduler: { disabled: true },
    },
  }
}

function asObject(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}
