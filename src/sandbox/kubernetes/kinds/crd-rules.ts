import type { FieldProblem } from '../model/api-error.ts'
import { withSpec, withStatus } from '../model/kube-object.ts'
import { objectAt, objectsAt, textAt } from '../model/read-json.ts'
import type { KindRules } from './kind-rules.ts'

/** CustomResourceDefinitions; serving what they define is a controller's work. */
export const crdRules: KindRules = {
  generations: true,
  defaults: (crd) => {
    const spec = objectAt(crd, 'spec')
    const names = objectAt(spec, 'names')
    const kind = textAt(names, 'kind')
    return withSpec(crd, {
      conversion: { strategy: 'None' },
      ...spec,
      names: { listKind: `${kind}List`, singular: kind.toLowerCase(), ...names },
    })
  },
  onCreate: (_, crd) =>
    withStatus(crd, {
      conditions: [],
      acceptedNames: { kind: '', plural: '' },
      storedVersions: [],
    }),
  validate: (crd) => {
    const spec = objectAt(crd, 'spec')
    const expected = `${textAt(spec, 'names', 'plural')}.${textAt(spec, 'group')}`
    const problems: FieldProblem[] = []
    if (crd.metadata.name !== expected) {
      problems.push({
        field: 'metadata.name',
        reason: 'FieldValueInvalid',
        message: `Invalid value: "${crd.metadata.name}": must be spec.names.plural+"."+spec.group`,
      })
    }
    const stored = objectsAt(spec, 'versions').filter((version) => version['storage'] === true)
    if (stored.length !== 1) {
      problems.push({
        field: 'spec.versions',
        reason: 'FieldValueInvalid',
        message: 'Invalid value: must have exactly one version marked as storage version',
      })
    }
    return problems
  },
}
