import { expect, onTestFinished, test } from 'vitest'
import { extractHelm } from '../../scripts/extract-helm.ts'
import { type ApplyAddonsOptions, applyAddons } from '../../src/addons/apply.ts'
import { createChartSource } from '../../src/addons/chart-source.ts'
import { createChartRenderer } from '../../src/addons/render-chart.ts'
import { createAddonCluster } from '../../src/kubernetes/addon-cluster.ts'
import { listNodes } from '../../src/kubernetes/nodes.ts'
import { silentProgress } from '../../src/lib/progress.ts'
import { seededRandom } from '../../src/lib/random.ts'
import { Redactor } from '../../src/lib/redactor.ts'
import { serveCharts } from '../../src/sandbox/charts/serve-charts.ts'
import { registerNode, type SimCluster, startSimCluster } from '../kubernetes/sim-cluster.ts'
import { sampleFacts, samplePool, sampleSpec } from './sample-spec.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const nodes = ['demo-control-plane-1', 'demo-workers-1']
const token = 'hetzner-token-that-nobody-may-see'
const spec = sampleSpec({
  controlPlane: samplePool('control-plane', 'control-plane', 1),
  workers: [samplePool('workers', 'worker', 1)],
})

async function setUp(): Promise<SimCluster & { options: ApplyAddonsOptions }> {
  const cluster = await startSimCluster()
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
      spec,
      uid: sampleFacts.uid,
      nodes,
      credentials: { token, network: 'demo' },
      cluster: createAddonCluster(client, world),
      renderer: createChartRenderer({ charts, helm: extractHelm }),
      recorded: {},
      progress: silentProgress,
      redactor: new Redactor(),
    },
  }
}

test('a cluster of bare nodes becomes usable, and a second run changes nothing', async () => {
  const { client, world, options } = await setUp()
  const first = await applyAddons(options)
  expect(Object.keys(first.addons)).toEqual(['cilium', 'hcloud-ccm', 'csr-approver', 'hcloud-csi'])
  expect(first.changes).toBeGreaterThan(30)
  const usable = await listNodes(client)
  expect(
    usable.map(({ ready, providerId, taints }) => [ready, providerId !== undefined, taints.length]),
  ).toEqual([
    [true, true, 1],
    [true, true, 0],
  ])
  const second = await applyAddons({ ...options, recorded: first.addons })
  expect(second).toEqual({ addons: first.addons, changes: 0 })
  expect(world.contractErrors).toEqual([])
})
