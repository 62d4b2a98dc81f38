import { z } from 'zod'
import { dnsLabel, filled } from './field-format.ts'

export const stateSchema = z.strictObject({
  branch: filled()
    .default('hcloud-talos')
    .describe('The git branch of this repository that keeps the cluster’s state, encrypted.'),
  recipients: z
    .array(filled())
    .default([])
    .describe(
      'age recipients (age1… or, safe against quantum computers, age1pq1…; one kind only) that can read the state besides the identity of the run. Have at least two, one of them kept offline. Adding or removing one is a change in the plan.',
    ),
  signer: z
    .union([filled(), z.array(filled()).min(1)])
    .optional()
    .describe(
      'Public half of the key that signs the state (hts1…), as `init` and `hcloud-talos signer` print it: with it, a plan can verify the state without being able to write it. A list after a rotation: one key for each epoch in their order, the newest last; former ones stay, so that the past can be verified.',
    ),
  encrypt: z
    .enum(['secrets', 'all'])
    .default('secrets')
    .describe(
      'What of a machine config is encrypted on the branch: its secrets, so that a plan without the key can show what else changes, or all of it. Another value is a change in the plan.',
    ),
  alongside: z
    .array(dnsLabel())
    .default([])
    .describe(
      'Names of the other clusters on the same branch. Only looked at when a cluster is started: beside a cluster that is not named here none is, since a file whose clusterName was changed would leave its cluster running.',
    ),
  repository: filled()
    .regex(/^[^/\s]+\/[^/\s]+$/, 'must be owner/name')
    .optional()
    .describe(
      'Name of the repository that the state was written for, owner/name. Only needed when the repository was renamed or moved since.',
    ),
})

export const policySchema = z.strictObject({
  unknownVersions: z
    .enum(['refuse', 'warn'])
    .default('refuse')
    .describe(
      'What a version of Talos or Kubernetes is that came after this version of hcloud-talos: `refuse` makes it an error, `warn` goes ahead at your own risk, with everything checked that can be. Older versions than the supported ones are refused either way.',
    ),
  unapproved: z
    .enum([
      'none',
      'additive',
      'live',
      'restart',
      'reboot',
      'drain',
      'replace',
      'quorum',
      'data-loss',
    ])
    .default('live')
    .describe(
      'The highest risk that the apply of a workflow may carry out of a plan which no merged pull request showed: of a push without one, a dispatch, a schedule. Beyond it the apply stops and explains how to approve. `none` carries out nothing unapproved.',
    ),
  onDestroyVolumes: z
    .enum(['keep', 'delete'])
    .default('keep')
    .describe('What happens to volumes that the cluster made, when it is destroyed.'),
  onDestroyNetwork: z
    .enum(['delete', 'keep'])
    .default('delete')
    .describe(
      'What happens to the network of the cluster when it is destroyed. `delete` refuses while servers or load balancers of others are in it; `keep` leaves it to them.',
    ),
  onDrift: z
    .enum(['restore', 'keep'])
    .default('restore')
    .describe(
      'What an apply does about resources at Hetzner that were changed by hand while the file did not: `restore` puts names, placement groups and the load balancer’s settings back, as changes in the plan; `keep` reports them and leaves them. Labels, firewalls, networks and power are put back either way, and what only a new server would put back (its type, location or public addresses) never is: replace it by name.',
    ),
  onNodeConfigDrift: z
    .enum(['heal', 'report'])
    .default('heal')
    .describe(
      'What an apply does about a node whose machine config was changed by hand: `heal` puts ours back, as a change in the plan; `report` reports it and leaves it, until the file changes that node’s config.',
    ),
  onAddonDrift: z
    .enum(['heal', 'report'])
    .default('heal')
    .describe(
      'What an apply does about objects of an addon that were deleted or changed by hand: `heal` applies them again, as a change in the plan; `report` reports them and leaves them, until that addon itself changes. What an autoscaler sets, or others added, is no change by hand.',
    ),
  onFailedChange: z
    .enum(['revert', 'stop'])
    .default('revert')
    .describe(
      'What happens to a node whose components do not come up after its machine config changed: `revert` puts its former config back and waits until it is healthy, `stop` leaves it for you to look at. The run stops there either way.',
    ),
})
