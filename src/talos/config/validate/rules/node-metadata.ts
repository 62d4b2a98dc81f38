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
  Object.keys(mappingAt(machine, 'nodeLabels')).flatMap((key) => {
    const at = ['machine', 'nodeLabels', key]
    return [
      ...(isQualifiedName(key) ? [] : [{ at, says: notQualified }]),
      ...(isLabelValue(textAt(machine, 'nodeLabels', key)) ? [] : [{ at, says: notLabelValue }]),
    ]
  })

export const nodeAnnotationsAreAnnotations: Rule = ({ machine }) => {
  const at = ['machine', 'nodeAnnotations']
  const keys = Object.keys(mappingAt(machine, 'nodeAnnotations'))
  const bytes = keys
    .map((key) => new TextEncoder().encode(key + textAt(machine, 'nodeAnnotations', key)).length)
    .reduce((sum, each) => sum + each, 0)
  return [
    ...keys
      .filter((key) => !isQualifiedName(key))
      .map((key) => ({ at: [...at, key], says: notQualified })),
    ...keys
      .filter((key) => reserved.includes(key))
      .map((key) => ({ at: [...at, key], says: 'belongs to Talos itself' })),
    ...(bytes > mostBytesOfAnnotations
      ? [{ at, says: 'must be 256 KiB at most, all together' }]
      : []),
  ]
}

export const nodeTaintsAreTaints: Rule = ({ machine }) =>
  Object.keys(mappingAt(machine, 'nodeTaints')).flatMap((key) => {
    const at = ['machine', 'nodeTaints', key]
    if (!isQualifiedName(key)) return [{ at, says: notQualified }]
    const text = textAt(machine, 'nodeTaints', key)
    const [value, effect] = text.includes(':') ? cut(text) : ['', text]
    if (!effects.includes(effect)) {
      const says = `must be value:effect or an effect, which is one of ${effects.join(', ')}`
      return [{ at, says }]
    }
    return isLabelValue(value) ? [] : [{ at, says: notLabelValue }]
  })

function cut(text: string): [value: string, effect: string] {
  const colon = text.indexOf(':')
  return [text.slice(0, colon), text.slice(colon + 1)]
}

function isQualifiedName(text: string): boolean {
  const parts = text.split('/')
  const last = parts.at(-1) ?? ''
  if (parts.length > 2 || last.length > 63 || !name.test(last)) return false
  const [prefix = ''] = parts
  return parts.length === 1 || (prefix.length <= 253 && domain.test(prefix))
}

function isLabelValue(text: string): boolean {
  return text === '' || (text.length <= 63 && name.test(text))
}
