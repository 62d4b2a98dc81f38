interface ClusterText {
  readonly name?: string
  readonly branch?: string
  readonly controlPlane?: string
  readonly talos?: string
  readonly network?: 'none' | 'cilium'
}

/** A cluster file of one control plane, without a network (its nodes are never Ready) and addons: quick to make. */
export function clusterText({
  name = 'demo',
  branch = 'hcloud-talos',
  controlPlane = '{ count: 1, type: cx23 }',
  talos = 'v1.13.9',
  network = 'none',
}: ClusterText = {}): string {
  return `clusterName: ${name}
hetzner:
  region: hel1
nodes:
  controlPlane: ${controlPlane}
  workers: []
talos:
  version: ${talos}
kubernetes:
  version: 1.36.3
cni:
  type: ${network}
addons:
  hcloudCcm: { enabled: false }
  csrApprover: { enabled: false }
  hcloudCsi: { enabled: false }
state:
  branch: ${branch}
`
}
