import type { Action } from './action.ts'

/** Every action by name, each loaded when it runs. The root action is `reconcile` under another path. */
const actions = {
  reconcile: async () => (await import('./reconcile.ts')).reconcile,
  'build-image': async () => (await import('./build-image.ts')).buildImage,
  'reconcile-infra': async () => (await import('./reconcile-infra.ts')).reconcileInfra,
  'talos-bootstrap': async () => (await import('./talos-bootstrap.ts')).talosBootstrap,
  'install-addons': async () => (await import('./install-addons.ts')).installAddons,
  upgrade: async () => (await import('./upgrade.ts')).upgrade,
  snapshot: async () => (await import('./snapshot.ts')).snapshot,
  restore: async () => (await import('./restore.ts')).restore,
  destroy: async () => (await import('./destroy.ts')).destroy,
} as const satisfies Record<string, () => Promise<Action>>

export type ActionName = keyof typeof actions
export const actionNames = Object.keys(actions) as readonly ActionName[]

export function loadAction(name: ActionName): Promise<Action> {
  return actions[name]()
}
