import type { Rule } from '../config-view.ts'
import { hasElements, isSetAt, listAt, textAt } from '../read-config.ts'

/** A config without one of its halves starts nothing. */
export const needsBothSections: Rule = (legacy) =>
  ['machine', 'cluster']
    .filter((section) => !isSetAt(legacy, section))
    .map((section) => ({ at: [section], message: 'is needed' }))

export const machineTypeIsKnown: Rule = (_, { role }) => {
  if (role !== undefined) return []
  return [{ at: ['machine', 'type'], message: 'must be controlplane or worker' }]
}

/** Old names of the types still work, and Talos says what they are called now. */
export const machineTypeIsModern: Rule = (legacy, { role }) => {
  const type = textAt(legacy, 'machine', 'type')
  if (role !== 'worker' || type === 'worker') return []
  return [{ at: ['machine', 'type'], message: 'should be worker', isWarning: true }]
}

/** Control planes sign for the others, so they need the key; nobody else may have it. */
export const talosAuthorityFitsRole: Rule = ({ machine }, { role }) => {
  if (role === undefined) return []
  const at = ['machine', 'ca']
  const hasAccepted = hasElements(listAt(machine, 'acceptedCAs'))
  if (!isSetAt(machine, 'ca') && (role === 'control-plane' || !hasAccepted)) {
    return [{ at, message: 'is needed' }]
  }
  const hasKey = textAt(machine, 'ca', 'key') !== ''
  if (role === 'control-plane') return hasKey ? [] : [{ at: [...at, 'key'], message: 'is needed' }]
  if (hasKey) return [{ at: [...at, 'key'], message: 'is for control planes alone' }]
  const hasCertificate = textAt(machine, 'ca', 'crt') !== ''
  if (!isSetAt(machine, 'ca') || hasCertificate || hasAccepted) return []
  return [{ at: [...at, 'crt'], message: 'is needed where machine.acceptedCAs is empty' }]
}

export const kubernetesAuthorityFitsRole: Rule = ({ cluster }, { role }) => {
  if (role !== 'worker' || textAt(cluster, 'ca', 'key') === '') return []
  return [{ at: ['cluster', 'ca', 'key'], message: 'is for control planes alone' }]
}

export const configIsKept: Rule = ({ persist }) =>
  persist === false ? [{ at: ['persist'], message: 'must be true' }] : []
