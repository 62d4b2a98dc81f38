import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts'
import { listAt, textAt } from '../../lib/kubernetes-object.ts'
import type { Taint } from '../../spec/cluster-spec.ts'
import { type ConfigDocument, documentIdentity } from './config-document.ts'
import { parseConfigDocuments } from './config-documents.ts'
import { oldView } from './reshape/old-view.ts'

/** The taints with which the kubelet of a worker's machine config registers its node. */
export function registeredTaints(config: string): Taint[] {
  return registeredTaintsOf(parseConfigDocuments(config).filter(isJsonObject))
}

/** The same of a config in its documents. */
export function registeredTaintsOf(documents: readonly ConfigDocument[]): Taint[] {
  const view = oldView(documents)
  const ofKubelet = listAt(view, 'machine', 'kubelet', 'extraConfig', 'registerWithTaints')
  // With the documents of 1.14 a kubelet registers with the taints of its node too, also a worker's.
  const node = documents.find((document) => documentIdentity(document).kind === 'KubeNodeConfig')
  return [...readTaints(ofKubelet), ...(node ? taintsOfMap(node['taints']) : [])]
}

/** Taints as a mapping: `key: [value:]Effect`. */
export function taintsOfMap(taints: unknown): Taint[] {
  if (!isJsonObject(taints)) return []
  const listed = Object.entries(taints).map(([key, text]): JsonObject => {
    const [effect = '', value] = String(text).split(':').toReversed()
    return { key, effect, ...(value !== undefined && { value }) }
  })
  return readTaints(listed)
}

function readTaints(listed: readonly Json[]): Taint[] {
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
