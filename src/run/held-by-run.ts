import { z } from 'zod'

const name = z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/)

/** What a run may hold on to beyond its end, and all that it takes to give it back: no cluster file is needed. */
export const heldByRun = z.strictObject({
  clusterName: name,
  /** The mode of its file, which knows how to give back what it holds. */
  mode: name.optional(),
  /** The process that takes the lock: the step that gives it back speaks for it, and for no other of its job. */
  process: z
    .string()
    .regex(/^[\w.-]{1,128}$/)
    .optional(),
  /** How the state is reached, if the run takes the cluster's lock. */
  state: z
    .strictObject({
      branch: z.string(),
      repository: z.string().optional(),
      recipients: z.array(z.string()),
      signers: z.array(z.string()),
      encrypt: z.enum(['secrets', 'all']),
    })
    .optional(),
  /** The cluster's uid, if the run opens the firewall for its own address. */
  uid: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .optional(),
})

export type HeldByRun = z.infer<typeof heldByRun>
