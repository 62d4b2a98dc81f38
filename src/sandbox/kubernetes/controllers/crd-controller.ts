import type { JsonObject } from '../../../lib/json.ts'
import { timestamp } from '../api/api-context.ts'
import { type KubeObject, objectKey } from '../model/kube-object.ts'
import { numberAt, objectAt, objectsAt, textAt, textsAt, valueAt } from '../model/read-json.ts'
import type { PrinterColumn, ResourceType } from '../model/resource-type.ts'
import { crdSchema } from '../schema/crd-schema.ts'
import { type ClusterContext, putStatus } from './cluster-context.ts'
import { withCondition } from './conditions.ts'
import type { Controller } from './controller.ts'

const resource = 'customresourcedefinitions.apiextensions.k8s.io'

/** Serves what CustomResourceDefinitions define, as long as they are there. */
export function crdController(context: ClusterContext): Controller {
  const { store, resources } = context.api
  return {
    name: 'crd',
    concerns: (event) => (event.resource === resource ? [event.object.metadata.name] : []),
    reconcile: (name) => {
      const crd = store.get(resource, name)
      if (!crd) {
        for (const object of store.list(name)) store.remove(name, objectKey(object))
        resources.remove(name)
        return undefined
      }
      const [first, ...others] = typesOf(crd)
      if (first) resources.add([first, ...others])
      writeStatus(context, crd)
      return undefined
    },
  }
}

/** The served versions, the stored one first. */
function typesOf(crd: KubeObject): ResourceType[] {
  const spec = objectAt(crd, 'spec')
  const names = objectAt(spec, 'names')
  const versions = objectsAt(spec, 'versions').filter((version) => version['served'] !== false)
  const sorted = [...versions].sort(
    (a, b) => Number(b['storage'] === true) - Number(a['storage'] === true),
  )
  return sorted.map((version) => ({
    group: textAt(spec, 'group'),
    version: textAt(version, 'name'),
    kind: textAt(names, 'kind'),
    plural: textAt(names, 'plural'),
    singular: textAt(names, 'singular'),
    namespaced: textAt(spec, 'scope') === 'Namespaced',
    shortNames: textsAt(names, 'shortNames'),
    categories: textsAt(names, 'categories'),
    subresources: valueAt(version, 'subresources', 'status') === undefined ? [] : ['status'],
    schema: crdSchema(valueAt(version, 'schema', 'openAPIV3Schema')),
    columns: objectsAt(version, 'additionalPrinterColumns').map(toColumn),
  }))
}

function toColumn(column: JsonObject): PrinterColumn {
  return {
    name: textAt(column, 'name'),
    type: textAt(column, 'type'),
    description: textAt(column, 'description'),
    priority: numberAt(column, 'priority') ?? 0,
    jsonPath: textAt(column, 'jsonPath'),
  }
}

function writeStatus(context: ClusterContext, crd: KubeObject): void {
  const spec = objectAt(crd, 'spec')
  const now = timestamp(context.api)
  const words = [
    { type: 'NamesAccepted', reason: 'NoConflicts', message: 'no conflicts found' },
    {
      type: 'Established',
      reason: 'InitialNamesAccepted',
      message: 'the initial names have been accepted',
    },
  ]
  const conditions = words.reduce<JsonObject[]>(
    (list, word) => withCondition(list, { ...word, status: 'True' }, now),
    objectsAt(crd, 'status', 'conditions'),
  )
  const stored = objectsAt(spec, 'versions').filter((version) => version['storage'] === true)
  putStatus(context, resource, crd, {
    conditions,
    acceptedNames: objectAt(spec, 'names'),
    storedVersions: stored.map((version) => textAt(version, 'name')),
  })
}
