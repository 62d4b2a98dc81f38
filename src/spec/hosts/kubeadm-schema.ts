import { z } from 'zod'
import { filled, formatted } from '../schema/field-format.ts'
import { patchSchema } from '../schema/schema-nodes.ts'
import { onRemoveSchema } from './host-schema.ts'

const release = (must: string) =>
  formatted(/^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/, must, (written) =>
    /^v\d+\.\d+\.\d+$/.test(written) ? `Write ${written.slice(1)}, without the v.` : undefined,
  )

const endpointSchema = z.strictObject({
  virtualIp: z
    .strictObject({
      address: filled().describe(
        'An IPv4 address in the network of the control planes that nobody has.',
      ),
      kubeVip: formatted(
        /^v(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/,
        'must be a version such as v1.2.3',
        (written) => (/^\d+\.\d+\.\d+$/.test(written) ? `Write v${written}.` : undefined),
      )
        .default('v1.2.3')
        .describe('Version of kube-vip, with its v.'),
      interface: filled()
        .optional()
        .describe(
          'Name of the interface that has the address. Left out, each host takes the one by which it reaches the address.',
        ),
    })
    .optional()
    .describe('An address that the control planes share by kube-vip (ARP).'),
  host: filled()
    .optional()
    .describe(
      'Host name or address, and port, of something that you keep before the control planes: api.example.com:6443.',
    ),
})

const url = (of: string) =>
  formatted(
    /^https?:\/\/[^\s@?#]+$/,
    'must be an address that begins with https:// or http://, without a login and without a query',
  ).describe(of)

const mirror = z.strictObject({
  type: z.literal('mirror').describe('A mirror of the repository.'),
  url: url('Address of the mirror.'),
  key: url(
    'Address of the key that its packages are signed with. By default that which the mirror has where the repository has its own: for Kubernetes beside the packages of the same minor.',
  ).optional(),
})

const files = <const Name extends string>(names: readonly [Name, ...Name[]]) =>
  z.strictObject({
    type: z
      .literal('files')
      .describe('Files by checksum, for hosts without access to the internet.'),
    files: z
      .array(
        z.strictObject({
          name: z.enum(names).describe('What the file is.'),
          arch: z
            .enum(['amd64', 'arm64'])
            .default('amd64')
            .describe('For hosts of which architecture.'),
          from: formatted(
            /^[^\s\p{Cc}]+$/u,
            'must be an address or a path, without white space and control characters',
          ).describe('Address (https://…), or path beside the cluster file.'),
          sha256: formatted(/^[0-9a-f]{64}$/, 'must be 64 lower-case hex digits').describe(
            'SHA-256 of the file.',
          ),
        }),
      )
      .min(1)
      .describe('The files: one of each name for each architecture.'),
  })

const repository = (whose: string) =>
  z.strictObject({ type: z.literal('repository').describe(`The repository of ${whose}.`) })

/** What a host without repositories is given. */
export const runtimeFileNames = ['containerd', 'runc', 'cni-plugins'] as const
export const kubernetesFileNames = ['kubeadm', 'kubelet', 'kubectl', 'crictl'] as const

const runtimeSchema = z.strictObject({
  version: release('must be a version of containerd such as 2.3.7')
    .optional()
    .describe(
      'Version of containerd. 2.3.7 by default; left out for packages of the distribution, which have the version that they have.',
    ),
  source: z
    .discriminatedUnion('type', [
      repository('Docker, whose package is containerd.io'),
      z.strictObject({
        type: z.literal('distribution').describe('What the distribution of the host has.'),
      }),
      mirror,
      files(runtimeFileNames),
    ])
    .default({ type: 'repository' })
    .describe('Where containerd comes from.'),
})

export const kubeadmPatchTargets = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubeletconfiguration',
  'corednsdeployment',
] as const

const kubeadmPatchSchema = z.strictObject({
  target: z.enum(kubeadmPatchTargets).describe('What kubeadm writes and this changes.'),
  type: z
    .enum(['strategic', 'merge', 'json'])
    .default('strategic')
    .describe('How: a strategic merge, a JSON merge patch, or a list of JSON patch operations.'),
  patch: patchSchema.describe('The patch, as YAML text or written in place.'),
})

const minutes = (of: string, byDefault: number) =>
  z.int().min(1).max(240).default(byDefault).describe(`How many minutes ${of} may take.`)

const timeoutsSchema = z.strictObject({
  connect: minutes('a host to be reached by SSH', 2),
  prepare: minutes('each step that prepares a host', 15),
  init: minutes('the first control plane', 10),
  join: minutes('a host to join', 10),
  drain: minutes('a node to be drained', 10),
  upgrade: minutes('a node to be upgraded', 20),
  reset: minutes('a host to be reset', 5),
})

export const kubeadmSchema = z.strictObject({
  endpoint: endpointSchema.describe(
    'Under which address the Kubernetes API is reached: virtualIp or host. It cannot be changed later.',
  ),
  podsOnControlPlanes: z
    .boolean()
    .optional()
    .describe(
      'Whether control planes run your pods too. Derived: only where there are no workers.',
    ),
  runtime: runtimeSchema.prefault({}).describe('The container runtime, containerd.'),
  packages: z
    .discriminatedUnion('type', [
      repository('Kubernetes, pkgs.k8s.io'),
      mirror,
      files(kubernetesFileNames),
    ])
    .default({ type: 'repository' })
    .describe('Where kubeadm, the kubelet and kubectl come from.'),
  registryMirrors: z
    .record(z.string(), z.array(filled()).min(1))
    .default({})
    .describe('Mirrors of container registries: for each registry, URLs that are asked in turn.'),
  patches: z
    .array(kubeadmPatchSchema)
    .default([])
    .describe('Patches of what kubeadm writes, for all hosts, applied in their order.'),
  onRemove: onRemoveSchema
    .default('keep')
    .describe(
      'What happens to a host that leaves: keep takes its node out of the cluster and leaves the host as it is, reset undoes what kubeadm did, purge removes the packages and their data as well.',
    ),
  timeoutMinutes: timeoutsSchema.prefault({}).describe('How long each step may take.'),
})
