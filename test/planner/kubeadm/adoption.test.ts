import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/lib/json.ts'
import { guardForeignCluster } from '../../../src/planner/kubeadm/guard-foreign-cluster.ts'
import { guardForeignHosts } from '../../../src/planner/kubeadm/guard-foreign-hosts.ts'
import type { HostsView, SeenCluster } from '../../../src/planner/kubeadm/hosts-view.ts'
import { authority, rackOf, runningView, withCluster, withHost, withSpec } from './rack.ts'

const rack = rackOf(['cp-1', 'cp-2', 'cp-3'], ['worker-1'])
const uid = '0123456789abcdef'
const another = `sha256:${'b'.repeat(64)}`

/** A cluster just as the file says, of which no branch knows anything. */
const foreign = (): HostsView => ({ ...runningView(rack), generation: undefined })

function findings(view: HostsView, known: string | undefined = undefined): string[] {
  return [...guardForeignHosts(view, { uid, authority: known }), ...guardForeignCluster(view)].map(
    ({ severity, message, hint }) => `${severity}: ${message} → ${hint}`,
  )
}

const configured = (change: (configuration: JsonObject) => JsonObject | undefined) =>
  withCluster(foreign(), (cluster) => ({
    ...cluster,
    configuration: change(cluster.configuration ?? {}),
  }))

const without = (cluster: SeenCluster, name: string): SeenCluster => ({
  ...cluster,
  nodes: cluster.nodes.filter((node) => node.name !== name),
})

describe('a cluster that is to be adopted', () => {
  test('is not refused where it is as the file says', () => {
    expect(findings(foreign())).toEqual([])
    expect(findings(foreign(), authority)).toEqual([])
  })

  test('has all that the file contradicts named at once, each with the value that the file should have', () => {
    const { network, kubernetes, kubeadm } = rack
    const spec = {
      ...rack,
      network: { podRange: '10.1.0.0/16', serviceRange: '10.2.0.0/16', dnsDomain: 'other.local' },
      kubernetes: { ...kubernetes, version: '1.37.2' },
      kubeadm: {
        ...kubeadm,
        endpoint: { type: 'host', host: 'api.example.com', port: 6443 } as const,
      },
    }
    const found = findings(withSpec(foreign(), spec))
    expect(found).toEqual([
      expect.stringContaining('cannot become api.example.com:6443'),
      expect.stringContaining(`→ Keep ${network.podRange};`),
      expect.stringContaining(`→ Keep ${network.serviceRange};`),
      expect.stringContaining(`→ Keep ${network.dnsDomain};`),
      `error: the running cluster is Kubernetes ${kubernetes.version}, and the file has 1.37.2 → Write ${kubernetes.version}, adopt the cluster, then upgrade.`,
    ])
  })

  test('may have another name to kubeadm than to the file, and no range of pods', () => {
    const view = configured((configuration) => ({
      ...configuration,
      clusterName: 'kubernetes',
      networking: { serviceSubnet: rack.network.serviceRange, dnsDomain: 'cluster.local' },
    }))
    expect(findings(view)).toEqual([])
  })

  test('needs kubeadm-config in the version that is read, and the folders that are looked at', () => {
    expect(findings(configured(() => undefined))).toEqual([
      expect.stringContaining('error: the cluster has no kubeadm-config in kube-system'),
    ])
    const view = configured((configuration) => ({
      ...configuration,
      apiVersion: 'kubeadm.k8s.io/v1beta3',
      certificatesDir: '/srv/pki',
      etcd: { local: { dataDir: '/srv/etcd' } },
    }))
    expect(findings(view)).toEqual([
      expect.stringContaining('error: kubeadm-config is of kubeadm.k8s.io/v1beta3'),
      expect.stringContaining('error: certificatesDir in kubeadm-config is /srv/pki'),
      expect.stringContaining('error: etcd.local.dataDir in kubeadm-config is /srv/etcd'),
    ])
  })

  test('has its etcd on its control planes, and containerd on its nodes', () => {
    const outside = withHost(
      configured((configuration) => ({
        ...configuration,
        etcd: { external: { endpoints: ['https://192.0.2.200:2379'] } },
      })),
      'cp-1',
      ({ traces, ...host }) => {
        const { etcd: _, ...staticPods } = traces.staticPods
        const versions = { ...traces.versions, containerd: undefined }
        return { ...host, traces: { ...traces, staticPods, versions } }
      },
    )
    expect(findings(outside)).toEqual([
      expect.stringContaining('error: cp-1 is a control plane without the static pod of etcd'),
      expect.stringContaining('error: cp-1 has no containerd'),
      expect.stringContaining('error: the cluster uses an etcd outside of it'),
    ])
  })

  test('has all of its control planes in the file, and its other nodes are named', () => {
    const spec = rackOf(['cp-1'])
    const view = { ...foreign(), spec: { ...spec, kubeadm: rack.kubeadm } }
    expect(findings(view).toSorted()).toEqual([
      expect.stringContaining('error: the control plane cp-2'),
      expect.stringContaining('error: the control plane cp-3'),
      expect.stringContaining('warning: the node worker-1'),
    ])
  })

  test('has its hosts known by their machines, and not by names', () => {
    const swapped = withCluster(foreign(), (cluster) => ({
      ...cluster,
      nodes: cluster.nodes.map((node) =>
        node.name === 'worker-1' ? { ...node, name: 'box-7' } : node,
      ),
    }))
    expect(findings(swapped)).toEqual([
      expect.stringMatching(
        /error: the host worker-1 \(192.0.2.61\) is the node box-7 .* → Write name: box-7/,
      ),
    ])
    const other = withHost(foreign(), 'worker-1', (host) => ({ ...host, machineId: 'machine-x' }))
    expect(findings(other)).toEqual([
      expect.stringContaining(
        'error: the node worker-1 of the running cluster is another machine than the host at',
      ),
    ])
    const isWorker = {
      ...rack,
      hosts: rack.hosts.map((host) =>
        host.name === 'cp-3' ? { ...host, role: 'worker' as const } : host,
      ),
    }
    expect(findings(withSpec(foreign(), isWorker))).toEqual([
      expect.stringContaining('cp-3 of the running cluster is a control plane, and the file has'),
    ])
    expect(findings(withCluster(foreign(), (cluster) => without(cluster, 'worker-1')))).toEqual([
      expect.stringContaining('error: worker-1 has files of the running cluster'),
    ])
  })

  test('is not taken from anybody: hosts of two clusters, and of a cluster of ours', () => {
    const mark = { cluster: 'other', uid: 'f'.repeat(16), generation: 3, keyEpoch: 1 }
    const marked = (cluster: string, own: string, hasLeft = false) =>
      withHost(foreign(), 'cp-2', (host) => ({
        ...host,
        mark: { ...mark, cluster, uid: own, hasLeft },
      }))
    expect(findings(marked('other', mark.uid))).toEqual([
      expect.stringContaining('error: cp-2 is marked as a host of the cluster other (uid fff'),
    ])
    expect(findings(marked('rack', mark.uid))).toEqual([
      expect.stringContaining('→ Run `hcloud-talos recover`'),
    ])
    expect(findings(marked('rack', uid))).toEqual([])
    expect(findings(marked('other', mark.uid, true))).toEqual([])
    const two = withHost(foreign(), 'worker-1', (host) => ({
      ...host,
      traces: { ...host.traces, caHash: another },
    }))
    expect(findings(two)).toContainEqual(
      expect.stringMatching(
        /error: the hosts are of more than one cluster.*cp-1 has sha256:a.*worker-1 has sha256:b/,
      ),
    )
    expect(findings(foreign(), another)).toEqual([
      expect.stringContaining(`the state is of a cluster with ${another}`),
    ])
  })

  test('has a member of etcd for each control plane', () => {
    const view = withCluster(foreign(), (cluster) => ({
      ...cluster,
      members: cluster.members.filter(({ name }) => name !== 'cp-2'),
    }))
    expect(findings(view)).toEqual([
      expect.stringContaining('error: the control plane cp-2 has no member of etcd'),
    ])
  })

  test('with one control plane and no endpoint is reached at that control plane', () => {
    const single = rackOf(['cp-1'], ['worker-1'])
    const alone = withCluster({ ...runningView(single), generation: undefined }, (cluster) => {
      const { controlPlaneEndpoint: _, ...configuration } = cluster.configuration ?? {}
      return { ...cluster, configuration }
    })
    expect(findings(alone)).toEqual([
      expect.stringContaining('→ Write kubeadm.endpoint.host: 192.0.2.21:6443;'),
    ])
    const endpoint = { type: 'host', host: '192.0.2.21', port: 6443 } as const
    const spec = { ...single, kubeadm: { ...single.kubeadm, endpoint } }
    expect(findings({ ...alone, spec })).toEqual([])
  })

  test('is asked for nothing where no host has one, or where it does not answer', () => {
    const silent = { ...foreign(), cluster: undefined, unasked: 'connection refused' }
    expect(findings(silent)).toEqual([
      expect.stringContaining('cannot be asked: connection refused'),
    ])
  })
})
