import type { JsonObject } from '../../../../lib/json.ts'
import type { Fault } from '../config-problem.ts'
import type { Rule } from '../config-view.ts'
import { mappingAt, textAt } from '../read-config.ts'

const name = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/
const domain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']
const reserved = ['talos.dev/owned-labels', 'talos.dev/owned-annotations', 'talos.dev/owned-taints']
const mostBytesOfAnnotations = 256 * 1024

const notQualified =
  'is no name of Kubernetes: letters, digits, -, _ and . (63 at most), after a domain and a slash or alone'
const notLabelValue = 'must be a value of a label: letters, digits, -, _ and ., 63 at most'

export const nodeLabelsAreLabels: Rule = ({ machine }) =>
  labelFaults(['machine', 'nodeLabels'], mappingAt(machine, 'nodeLabels'))

export const nodeAnnotationsAreAnnotations: Rule = ({ machine }) =>
  annotationFaults(['machine', 'nodeAnnotations'], mappingAt(machine, 'nodeAnnotations'))

export const nodeTaintsAreTaints: Rule = ({ machine }) =>
  taintFaults(['machine', 'nodeTaints'], mappingAt(machine, 'nodeTaints'))

/** KubeNodeConfig has them all, since 1.14. */
export const nodeIsDescribed: Rule = (document) => [
  ...labelFaults(['labels'], mappingAt(document, 'labels')),
  ...annotationFaults(['annotations'], mappingAt(document, 'annotations')),
  ...taintFaults(['taints'], mappingAt(document, 'taints')),
]

function labelFaults(at: readonly string[], labels: JsonObject): Fault[] {
  return Object.keys(labels).flatMap((key) => [
    ...(isQualifiedName(key) ? [] : [{ at: [...at, key], message: notQualified }]),
    ...(isLabelValue(textAt(labels, key)) ? [] : [{ at: [...at, key], message: notLabelValue }]),
  ])
}

function annotationFaults(at: readonly string[], annotations: JsonObject): Fault[] {
  const keys = Object.keys(annotations)
  const bytes = keys
    .map((key) => new TextEncoder().encode(key + textAt(annotations, key)).length)
    .reduce((sum, each) => sum + each, 0)
  return [
    ...keys
      .filter((key) => !isQualifiedName(key))
      .map((key) => ({ at: [...at, key], message: notQualified })),
    ...keys
      .filter((key) => reserved.includes(key))
      .map((key) => ({ at: [...at, key], message: 'belongs to Talos itself' })),
    ...(bytes > mostBytesOfAnnotations
      ? [{ at, message: 'must be 256 KiB at most, all together' }]
      : []),
  ]
}

function taintFaults(at: readonly string[], taints: JsonObject): Fault[] {
  return Object.keys(taints).flatMap((key) => {
    const here = [...at, key]
    if (!isQualifiedName(key)) return [{ at: here, message: notQualified }]
    const text = textAt(taints, key)
    const [value, effect] = text.includes(':') ? cut(text) : ['', text]
    if (!effects.includes(effect)) {
      const message = `must be value:effect or an effect, which is one of ${effects.join(', ')}`
      return [{ at: here, message }]
    }
    return isLabelValue(value) ? [] : [{ at: here, message: notLabelValue }]
  })
}

function cut(text: string): [value: string, effect: string] {
  const colon = text.indexOf(':')
  return [text.slice(0, colon), text.slice(colon + 1)]
}

export function isQualifiedName(text: string): boolean {
  const parts = text.split('/')
  const last = parts.at(-1) ?? ''
  if (parts.length > 2 || last.length > 63 || !name.test(last)) return false
  const [prefix = ''] = parts
  return parts.length === 1 || (prefix.length <= 253 && domain.test(prefix))
}

function isLabelValue(text: string): boolean {
  return text === '' || (text.length <= 63 && name.test(text))
}
