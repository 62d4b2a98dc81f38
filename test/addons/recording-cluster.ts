import type { AddonRenderer } from '../../src/addons/render-addon.ts'
import type { AddonCluster, AddonWait } from '../../src/lib/addon-cluster.ts'
import type { ObjectRef } from '../../src/lib/kubernetes-object.ts'
import type { ObjectSet, SetDrift, SetResult } from '../../src/lib/object-set.ts'

const nothing: SetResult = { created: [], changed: [], removed: [], kept: [], unchanged: 0 }

/** A cluster that does as it is told, at once, and writes down in which order. */
export class RecordingCluster implements AddonCluster {
  readonly steps: string[] = []
  readonly sets: ObjectSet[] = []
  /** How long each was waited for at most, in milliseconds. */
  readonly patience: Record<string, number> = {}
  drift: readonly SetDrift[] = []
  foreign: readonly string[] = []

  async capabilities() {
    return { version: 'v1.32.0', apiVersions: ['v1'] }
  }

  async applySet(set: ObjectSet): Promise<SetResult> {
    this.steps.push(`apply ${set.name}`)
    this.sets.push(set)
    const created = set.objects.map(({ apiVersion, kind, metadata: { name } }) => ({
      apiVersion,
      kind,
      name,
    }))
    return { ...nothing, created }
  }

  async applyDefinitions(set: ObjectSet): Promise<SetResult> {
    if (set.objects.some(({ kind }) => kind === 'CustomResourceDefinition'))
      this.steps.push(`define ${set.name}`)
    return nothing
  }

  async setDrift(): Promise<readonly SetDrift[]> {
    return this.drift
  }

  async removeSet(name: string): Promise<SetResult> {
    this.steps.push(`remove ${name}`)
    return nothing
  }

  async foreignUnready(): Promise<readonly string[]> {
    return this.foreign
  }

  async waitForSet(
    set: ObjectSet,
    { excusedPods = 0, withinMs }: AddonWait & { excusedPods?: number },
  ): Promise<void> {
    this.patience[set.name] = withinMs
    this.steps.push(`wait for ${set.name}${excusedPods > 0 ? ` without ${excusedPods}` : ''}`)
  }

  async waitForGate(): Promise<void> {
    this.steps.push('gate')
  }

  async waitForConditions(of: string, _: readonly ObjectRef[], wait: AddonWait): Promise<void> {
    this.patience[`the conditions of ${of}`] = wait.withinMs
    this.steps.push(`wait for the conditions of ${of}`)
  }

  async waitForCsiDriver(driver: string): Promise<void> {
    this.steps.push(`wait for ${driver}`)
  }
}

/** Renders every addon as one ConfigMap of its name. */
export const namingRenderer: AddonRenderer = {
  render: async ({ addon }) => ({
    name: addon.name,
    namespace: addon.namespace,
    objects: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: addon.name } }],
    hooks: { before: [], after: [] },
    leftOut: [],
  }),
}
