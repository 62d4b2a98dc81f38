import { isJsonObject, type Json } from '../../lib/json.ts'
import { listAt, textAt } from '../../lib/kubernetes-object.ts'
import type { Taint } from '../../spec/cluster-spec.ts'
import { parseConfigDocuments } from './config-documents.ts'

/** The taints with which the kubelet of a worker's machine config registers its node. */
export function registeredTaints(config: string): Taint[] {
  return parseConfigDocuments(config).flatMap(registeredTaintsOf)
}

/** The same of one of its documents. */
export function registeredTaintsOf(document: Json): Taint[] {
  return readTaints(listAt(document, 'machine', 'kubelet', 'extraConfig', 'registerWithTaints'))
}

/** The taints among what is listed. */
export function readTaints(listed: readonly Json[]): Taint[] {
  return listed.flatMap((taint) => readTaint(taint) ?? [])
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
