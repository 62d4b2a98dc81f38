import { readFile } from 'node:fs/promises'
import { parseAllDocuments } from 'yaml'
import type { CertifiedKey } from '../../src/sandbox/pki.ts'
import {
  isRecord,
  listAt,
  textAt,
  textsAt,
  valueAt,
} from '../../src/sandbox/talos/config/config-value.ts'

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
    if (!isRecord(valueAt(config, 'machine'))) continue
    return {
      controlPlane: textAt(config, 'machine.type') === 'controlplane',
      machineCa: {
        crt: pemAt(config, 'machine.ca.crt') ?? '',
        key: pemAt(config, 'machine.ca.key'),
      },
      acceptedCas: listAt(config, 'machine.acceptedCAs').flatMap((ca) => pemAt(ca, 'crt') ?? []),
      certSans: textsAt(config, 'machine.certSANs'),
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

function pemAt(config: unknown, path: string): string | undefined {
  const text = textAt(config, path)
  return text === '' ? undefined : Buffer.from(text, 'base64').toString('utf8')
}
