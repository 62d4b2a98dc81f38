import { z } from 'zod'
import { filled } from './field-format.ts'

export const stateSchema = z.strictObject({
  branch: filled()
    .default('hcloud-talos')
    .describe('The git branch of this repository that keeps the cluster’s state, encrypted.'),
  recipients: z
    .array(filled())
    .default([])
    .describe(
      'age recipients (age1… or, safe against quantum computers, age1pq1…; one kind only) that can read the state besides the identity of the run. Have at least two, one of them kept offline.',
    ),
  signer: filled()
    .optional()
    .describe(
      'Public half of the key that signs the state, so that a plan can verify it without being able to write.',
    ),
})

export const policySchema = z.strictObject({
  onDestroyVolumes: z
    .enum(['keep', 'delete'])
    .default('keep')
    .describe('What happens to volumes that the cluster made, when it is destroyed.'),
})
