import { readFile } from 'node:fs/promises'
import { ClusterError } from '../lib/cluster-error.ts'
import { isJsonObject, type JsonObject } from '../lib/json.ts'
import type { ApprovedPlan } from '../plan/verdict.ts'

/** A plan that `plan --out` has kept; undefined where none was named. Throws `usage` for anything else. */
export async function readApprovedPlan(
  path: string | undefined,
): Promise<ApprovedPlan | undefined> {
  if (path === undefined) return undefined
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw refuse(path, 'the plan cannot be read', cause)
  })
  const plan = parsePlan(text)
  if (!plan) throw refuse(path, 'this is not a plan')
  return plan
}

function parsePlan(text: string): ApprovedPlan | undefined {
  const value = parseObject(text)
  if (!value) return undefined
  const { digest, changes } = value
  if (typeof digest !== 'string' || !/^[0-9a-f]{64}$/.test(digest)) return undefined
  if (!Array.isArray(changes) || !changes.every(isJsonObject)) return undefined
  return { digest, changes }
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function refuse(path: string, message: string, cause?: unknown): ClusterError {
  return new ClusterError('usage', message, {
    operation: 'read the approved plan',
    target: path,
    hint: 'Make one with `hcloud-talos plan --out <file>`.',
    ...(cause === undefined ? {} : { cause }),
  })
}
