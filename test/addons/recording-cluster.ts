import type { ChartRenderer } from '../../src/addons/render-chart.ts'
import type { AddonCluster } from '../../src/lib/addon-cluster.ts'
import type { ObjectSet, SetDrift, SetResult } from '../../src/lib/object-set.ts'

const nothing: SetResult = { created: [], changed: [], removed: [], kept: [], unchanged: 0 }

/** A cluster that does as it is told, at once, and writes down in which order. */
export class RecordingCluster implements AddonCluster {
  readonly steps: string[] = []
  readonly sets: ObjectSet[] = []
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

  async waitForSet(set: ObjectSet, { excusedPods = 0 }: { excusedPods?: number }): Promise<void> {
    this.steps.push(`wait for ${set.name}${excusedPods > 0 ? ` without ${excusedPods}` : ''}`)
  }

  async waitForGate(): Promise<void> {
    this.steps.push('gate')
  }

  async waitForCsiDriver(driver: string): Promise<void> {
    this.steps.push(`wait for ${driver}`)
  }
}

/** Renders every addon as one ConfigMap of its name. */
export const namingRenderer: ChartRenderer = {
  render: async ({ addon }) => ({
    name: addon.name,
    namespace: addon.namespace,
    objects: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: addon.name } }],
    hooks: { before: [], after: [] },
  }),
}
