import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'

const inputSchema = z.strictObject({
  description: z.string().min(1),
  required: z.boolean(),
  default: z.string().optional(),
})

/** What an action.yml of ours may hold, and must: anything else is refused. */
const actionFileSchema = z.strictObject({
  name: z.string().min(1),
  description: z.string().min(1),
  author: z.string(),
  branding: z.strictObject({ icon: z.string(), color: z.string() }),
  inputs: z.record(z.string(), inputSchema),
  outputs: z.record(z.string(), z.strictObject({ description: z.string().min(1) })),
  runs: z.strictObject({
    using: z.literal('node24'),
    main: z.string(),
    post: z.string().optional(),
  }),
})

export type ActionFile = z.infer<typeof actionFileSchema>

/** Where an action's files are, from the repository's root. `reconcile` is also the root action. */
export function actionFolder(name: string): string {
  return name === 'reconcile' ? name : join('actions', name)
}

/** Reads `<folder>/action.yml`; throws when it holds what it may not. */
export function readActionFile(root: string, folder: string): ActionFile {
  return actionFileSchema.parse(parse(readFileSync(join(root, folder, 'action.yml'), 'utf8')))
}
