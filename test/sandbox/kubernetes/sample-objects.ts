import type { JsonObject } from '../../../src/lib/json.ts'

export const configMaps = '/api/v1/namespaces/default/configmaps'
export const deployments = '/apis/apps/v1/namespaces/default/deployments'

export function configMap(name: string, data: Record<string, string> = {}): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data }
}

interface Workload {
  readonly name?: string
  readonly namespace?: string
  readonly replicas?: number
  readonly image?: string
  readonly labels?: Record<string, string>
  readonly annotations?: Record<string, string>
  readonly spec?: JsonObject
}

function template({ name = 'web', image = 'nginx:1.27', annotations = {}, spec = {} }: Workload) {
  return {
    metadata: { labels: { app: name }, annotations },
    spec: { containers: [{ name, image }], ...spec },
  }
}

export function deployment(workload: Workload = {}): JsonObject {
  const { name = 'web', namespace = 'default', replicas = 2, labels = {} } = workload
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: template({ ...workload, name }),
    },
  }
}

export function daemonSet(workload: Workload = {}): JsonObject {
  const { name = 'agent', namespace = 'default', labels = {} } = workload
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name, namespace, labels },
    spec: {
      selector: { matchLabels: { app: name } },
      template: template({ ...workload, name }),
    },
  }
}

/** What brings the pod network: it tolerates everything and runs on the host's network. */
export const cilium = daemonSet({
  name: 'cilium',
  namespace: 'kube-system',
  image: 'quay.io/cilium/cilium:v1.19.6',
  spec: { hostNetwork: true, tolerations: [{ operator: 'Exists' }] },
})

export const hcloudSecret: JsonObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'hcloud', namespace: 'kube-system' },
  stringData: { token: 'x'.repeat(64), network: 'demo' },
}

const fromSecret = (name: string, key: string) => ({
  name,
  valueFrom: { secretKeyRef: { name: 'hcloud', key } },
})

export function cloudController({
  version = 'v1.35.0',
  network = true,
  tolerations = [
    { key: 'node.cloudprovider.kubernetes.io/uninitialized', operator: 'Exists' },
    { key: 'node-role.kubernetes.io/control-plane', operator: 'Exists' },
  ],
}: {
  version?: string
  network?: boolean
  tolerations?: JsonObject[]
} = {}): JsonObject {
  const name = 'hcloud-cloud-controller-manager'
  const container = {
    name,
    image: `docker.io/hetznercloud/${name}:${version}`,
    env: [
      fromSecret('HCLOUD_TOKEN', 'token'),
      ...(network ? [fromSecret('HCLOUD_NETWORK', 'network')] : []),
      { name: 'HCLOUD_LOAD_BALANCERS_LOCATION', value: 'hel1' },
    ],
  }
  return deployment({
    name,
    namespace: 'kube-system',
    replicas: 1,
    spec: { hostNetwork: true, tolerations, containers: [container] },
  })
}
