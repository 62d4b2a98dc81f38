import type { Path } from './merge-rules.ts'
import { type NodeComponent, nodeComponents } from './node-component.ts'
import { documentTakeUps, type TakeUp, takeUpTable } from './take-up-table.ts'

/**
 * What it takes for a changed field of a machine config to take effect on a node that runs, from the least:
 * nothing (it matters when Talos or Kubernetes is next installed or upgraded), applied as it runs, a restart of
 * components of Kubernetes on the node, a reboot, a node that is recreated.
 */
export const changeEffects = ['nothing', 'live', 'restart', 'reboot', 'reinstall'] as const
export type ChangeEffect = (typeof changeEffects)[number]

/** What Talos has that we do not know is refused by a running node, or reboots it. */
const unknown: TakeUp = { effect: 'reboot', restarts: [] }
const live: TakeUp = { effect: 'live', restarts: [] }

/** What takes up a change at a path of a document of a kind (`''` is the v1alpha1 one). */
export function takeUpOf(kind: string, path: Path): TakeUp {
  if (kind !== '') {
    return documentTakeUps[`${kind}.${path[0] ?? ''}`] ?? documentTakeUps[kind] ?? live
  }
  for (let length = path.length; length > 0; length--) {
    const found = takeUpTable[path.slice(0, length).join('.')]
    if (found) return found
  }
  return unknown
}

/** The worst of several; nothing where there are none. */
export function worstEffect(effects: Iterable<ChangeEffect>): ChangeEffect {
  const all = new Set(effects)
  return changeEffects.findLast((effect) => all.has(effect)) ?? 'nothing'
}

/** Changes as a node of this role takes them up: on a worker there is nothing of a control plane to restart. */
export function takenUpBy<
  Change extends { readonly effect: ChangeEffect; readonly restarts: readonly NodeComponent[] },
>(role: 'control-plane' | 'worker', changes: readonly Change[]): Change[] {
  if (role === 'control-plane') return [...changes]
  return changes.map((change) => {
    const restarts = change.restarts.filter((component) => component === 'kubelet')
    const isTakenUp = change.effect !== 'restart' || restarts.length > 0
    return { ...change, restarts, effect: isTakenUp ? change.effect : 'live' }
  })
}

/** The components that several changes restart, each once. */
export function restartedComponents(
  changes: Iterable<{ readonly restarts: readonly NodeComponent[] }>,
): NodeComponent[] {
  const all = new Set([...changes].flatMap(({ restarts }) => restarts))
  return nodeComponents.filter((component) => all.has(component))
}
