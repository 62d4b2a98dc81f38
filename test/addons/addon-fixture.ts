import { onTestFinished } from 'vitest'
import { extractHelm } from '../../scripts/extract-helm.ts'
import type { ApplyAddonsOptions } from '../../src/addons/apply.ts'
import { createChartSource } from '../../src/addons/chart-source.ts'
import { createManifestSource } from '../../src/addons/manifest-source.ts'
import {
  type AddonRenderer,
  createAddonRenderer,
  type RenderedAddon,
} from '../../src/addons/render-addon.ts'
import { createAddonCluster } from '../../src/kubernetes/addon-cluster.ts'
import { jsonDigest } from '../../src/lib/canonical-json.ts'
import { seededRandom } from '../../src/lib/random.ts'
import { Redactor } from '../../src/lib/redactor.ts'
import { addonsOf } from '../../src/planner/hetzner-talos/addons-of.ts'
import { serveCharts } from '../../src/sandbox/charts/serve-charts.ts'
import type { ClusterSpec } from '../../src/spec/cluster-spec.ts'
import { registerNode, type SimCluster, startSimCluster } from '../kubernetes/sim-cluster.ts'
import { silentProgress } from '../silent-progress.ts'
import { sampleFacts, samplePool, sampleSpec } from './sample-spec.ts'
import { temporaryDirectory } from './temporary-directory.ts'

export const token = 'hetzner-token-that-nobody-may-see'

export interface AddonFixture extends SimCluster {
  readonly options: ApplyAddonsOptions<ClusterSpec>
}

/** A simulated cluster of two bare nodes, the sandbox's charts, and what `applyAddons` takes of them. */
export async function startAddonFixture(version = '1.32.0'): Promise<AddonFixture> {
  const cluster = await startSimCluster(`v${version}`)
  const { world, sim, client } = cluster
  registerNode(sim, 'demo-control-plane-1', 1, true)
  registerNode(sim, 'demo-workers-1', 2)
  const front = await serveCharts(world)
  onTestFinished(() => front.close())
  const downloads = {
    cacheDirectory: await temporaryDirectory(),
    clock: world.clock,
    random: seededRandom(1),
  }
  const charts = createChartSource({ ...downloads, mirror: front.url, digests: front.digests })
  return {
    ...cluster,
    options: {
      spec: sampleSpec({
        controlPlane: samplePool('control-plane', 'control-plane', 1),
        workers: [samplePool('workers', 'worker', 1)],
        kubernetes: { ...sampleSpec().kubernetes, version },
      }),
      addonsOf,
      uid: sampleFacts.uid,
      nodes: ['demo-control-plane-1', 'demo-workers-1'],
      credentials: { token, network: 'demo' },
      cluster: createAddonCluster(client, world),
      renderer: remembering(
        createAddonRenderer({
          charts,
          manifests: createManifestSource(downloads),
          helm: extractHelm,
          redactor: new Redactor(),
        }),
      ),
      recorded: {},
      progress: silentProgress,
      redactor: new Redactor(),
    },
  }
}

/** What was rendered, by release and cluster: helm takes its time, and these tests are about what comes afterwards. */
const rendered = new Map<string, Promise<RenderedAddon>>()

function remembering(renderer: AddonRenderer): AddonRenderer {
  return {
    render(release, capabilities) {
      if (release.content.type === 'manifests') return renderer.render(release, capabilities)
      const key = jsonDigest({ release: release.digest, ...capabilities })
      const set = rendered.get(key) ?? renderer.render(release, capabilities)
      rendered.set(key, set)
      return set
    },
  }
}
