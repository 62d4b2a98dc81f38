import { isJsonObject, type Json } from '../../lib/json.ts'
import { listAt, textAt } from '../../lib/kubernetes-object.ts'
import type { Taint } from '../../spec/cluster-spec.ts'
import { parseConfigDocuments } from './config-documents.ts'

/** The taints with which the kubelet of a worker's machine config registers its node. */
export function registeredTaints(config: string): Taint[] {
  return parseConfigDocuments(config)
    .flatMap((document) =>
      listAt(document, 'machine', 'kubelet', 'extraConfig', 'registerWithTaints'),
    )
    .flatMap((taint) => readTaint(taint) ?? [])
}

function readTaint(taint: Json): Taint | undefined {
  if (!isJsonObject(taint)) return undefined
  const key = textAt(taint, 'key')
  const value = textAt(taint, 'value')
  const effect = effects.find((known) => known === taint['effect'])
  if (key === undefined || effect === undefined) return undefined
  return { key, ...(value === undefined ? {} : { value }), effect }
}

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const
