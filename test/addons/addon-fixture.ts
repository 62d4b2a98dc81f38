import { onTestFinished } from 'vitest'
import { extractHelm } from '../../scripts/extract-helm.ts'
import type { ApplyAddonsOptions } from '../../src/addons/apply.ts'
import { createChartSource } from '../../src/addons/chart-source.ts'
import { type ChartRenderer, createChartRenderer } from '../../src/addons/render-chart.ts'
import { createAddonCluster } from '../../src/kubernetes/addon-cluster.ts'
import type { ObjectSet } from '../../src/lib/object-set.ts'
import { silentProgress } from '../../src/lib/progress.ts'
import { seededRandom } from '../../src/lib/random.ts'
import { Redactor } from '../../src/lib/redactor.ts'
import { serveCharts } from '../../src/sandbox/charts/serve-charts.ts'
import { registerNode, type SimCluster, startSimCluster } from '../kubernetes/sim-cluster.ts'
import { sampleFacts, samplePool, sampleSpec } from './sample-spec.ts'
import { temporaryDirectory } from './temporary-directory.ts'

export const token = 'hetzner-token-that-nobody-may-see'

export interface AddonFixture extends SimCluster {
  readonly options: ApplyAddonsOptions
}

/** A simulated cluster of two bare nodes, the sandbox's charts, and what `applyAddons` takes of them. */
export async function startAddonFixture(version = '1.32.0'): Promise<AddonFixture> {
  const cluster = await startSimCluster(`v${version}`)
  const { world, sim, client } = cluster
  registerNode(sim, 'demo-control-plane-1', 1, true)
  registerNode(sim, 'demo-workers-1', 2)
  const front = await serveCharts(world)
  onTestFinished(() => front.close())
  const charts = createChartSource({
    cacheDirectory: await temporaryDirectory(),
    mirror: front.url,
    digests: front.digests,
    clock: world.clock,
    random: seededRandom(1),
  })
  return {
    ...cluster,
    options: {
      spec: sampleSpec({
        controlPlane: samplePool('control-plane', 'control-plane', 1),
        workers: [samplePool('workers', 'worker', 1)],
        kubernetes: { ...sampleSpec().kubernetes, version },
      }),
      uid: sampleFacts.uid,
      nodes: ['demo-control-plane-1', 'demo-workers-1'],
      credentials: { token, network: 'demo' },
      cluster: createAddonCluster(client, world),
      renderer: remembering(
        createChartRenderer({ charts, helm: extractHelm, redactor: new Redactor() }),
      ),
      recorded: {},
      progress: silentProgress,
      redactor: new Redactor(),
    },
  }
}

/** What was rendered, by release: helm takes its time, and these tests are about what comes afterwards. */
const rendered = new Map<string, Promise<ObjectSet>>()

function remembering(renderer: ChartRenderer): ChartRenderer {
  return {
    render(release, capabilities) {
      const set = rendered.get(release.digest) ?? renderer.render(release, capabilities)
      rendered.set(release.digest, set)
      return set
    },
  }
}
