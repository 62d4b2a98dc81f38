/** Where Talos serves the Kubernetes API on every node, whatever the state of the network. */
export const kubePrism = { host: '127.0.0.1', port: 7445 } as const

/** A node selector: control planes only. */
export const controlPlaneOnly = { 'node-role.kubernetes.io/control-plane': '' } as const

export const tolerateAll = [{ operator: 'Exists' }] as const

export const tolerateControlPlane = [
  { key: 'node-role.kubernetes.io/control-plane', operator: 'Exists', effect: 'NoSchedule' },
] as const
