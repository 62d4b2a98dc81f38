import { readFile } from 'node:fs/promises'
import { parseAllDocuments } from 'yaml'
import type { CertifiedKey } from '../../pki.ts'

/** What a node's own machine config says of who it is. */
export interface NodeIdentity {
  readonly controlPlane: boolean
  /** The Talos CA; its key is known to control planes alone. */
  readonly machineCa: { readonly crt: string; readonly key: string | undefined }
  readonly acceptedCas: readonly string[]
  readonly certSans: readonly string[]
}

/** Reads the config that a node keeps; undefined while it has none, and so is in maintenance. */
export async function readNodeIdentity(configFile: string): Promise<NodeIdentity | undefined> {
  let text: string
  try {
    text = await readFile(configFile, 'utf8')
  } catch {
    return undefined
  }
  for (const document of parseAllDocuments(text)) {
    const config: unknown = document.toJS()
    const machine = recordAt(config, 'machine')
    if (machine === undefined) continue
    const { type } = machine
    const { crt, key } = recordAt(machine, 'ca') ?? {}
    return {
      controlPlane: type === 'controlplane',
      machineCa: { crt: decoded(crt) ?? '', key: decoded(key) },
      acceptedCas: listAt(machine, 'acceptedCAs').flatMap((entry) => {
        const { crt: accepted } = recordOf(entry) ?? {}
        return decoded(accepted) ?? []
      }),
      certSans: listAt(machine, 'certSANs').filter((san) => typeof san === 'string'),
    }
  }
  return undefined
}

/** The Talos CA with its key, from whichever of these nodes has it: a worker has its certificate alone. */
export function findIssuer(
  identity: NodeIdentity,
  others: readonly NodeIdentity[],
): CertifiedKey | undefined {
  for (const { machineCa } of [identity, ...others]) {
    const { crt, key } = machineCa
    if (key !== undefined && crt === identity.machineCa.crt) return { crt, key }
  }
  return undefined
}

function decoded(value: unknown): string | undefined {
  return typeof value === 'string' && value !== ''
    ? Buffer.from(value, 'base64').toString('utf8')
    : undefined
}

function recordAt(value: unknown, key: string): Record<string, unknown> | undefined {
  return recordOf(recordOf(value)?.[key])
}

function recordOf(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : undefined
}

function listAt(value: Record<string, unknown>, key: string): unknown[] {
  const list = value[key]
  return Array.isArray(list) ? list : []
}
