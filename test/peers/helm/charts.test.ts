import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { extractHelm } from '../../../scripts/extract-helm.ts'
import type { CatalogueAddon } from '../../../src/addons/addon.ts'
import { catalogue } from '../../../src/addons/catalogue.ts'
import { hetznerTalosSurroundings } from '../../../src/planner/hetzner-talos/hetzner-talos-surroundings.ts'
import { type ChartsFront, serveCharts } from '../../../src/sandbox/charts/serve-charts.ts'
import { World } from '../../../src/sandbox/world.ts'
import { sampleFacts, sampleSpec } from '../../addons/sample-spec.ts'

const run = promisify(execFile)

let home: string
let front: ChartsFront

async function helm(...args: string[]): Promise<string> {
  const env = {
    HOME: home,
    HELM_CACHE_HOME: join(home, 'cache'),
    HELM_CONFIG_HOME: join(home, 'config'),
    HELM_DATA_HOME: join(home, 'data'),
  }
  const { stdout } = await run(await extractHelm(), args, { cwd: home, env })
  return stdout
}

/** Ours, of a cluster as most people have it. */
function valuesOf(addon: CatalogueAddon) {
  const spec = sampleSpec()
  return addon.values(spec, { ...sampleFacts, surroundings: hetznerTalosSurroundings(spec) })
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'hcloud-talos-helm-peer-'))
  front = await serveCharts(new World())
  await helm('repo', 'add', 'sandbox', front.url)
})

afterAll(async () => {
  await front.close()
  await rm(home, { recursive: true, force: true })
})

test('helm finds every chart in the repository', async () => {
  const found: unknown = JSON.parse(
    await helm('search', 'repo', 'sandbox', '--versions', '--output', 'json'),
  )
  expect(found).toHaveLength(Object.keys(front.digests).length)
})

describe.each(
  Object.values(catalogue).flatMap((addon) =>
    addon.versions.map(({ version }) => ({ addon, version })),
  ),
)('$addon.chart $version', ({ addon, version }) => {
  test('is pulled, passes lint and renders with our values', async () => {
    const values = join(home, `${addon.chart}-${version}.json`)
    await writeFile(values, JSON.stringify(valuesOf(addon)))
    const folder = join(home, `${addon.chart}-${version}`)
    await helm('pull', `sandbox/${addon.chart}`, '--version', version, '--untar', '-d', folder)
    expect(await readdir(join(folder, addon.chart))).toContain('Chart.yaml')

    const lint = await helm('lint', '--strict', join(folder, addon.chart), '--values', values)
    expect(lint).toContain('0 chart(s) failed')

    const chart = parse(await helm('show', 'chart', join(folder, addon.chart)))
    expect(chart).toMatchObject({ name: addon.chart, version })

    const rendered = await helm(
      'template',
      addon.chart,
      join(folder, addon.chart),
      '--namespace',
      addon.namespace,
      '--values',
      values,
    )
    expect(rendered).toContain('kind: ServiceAccount')
  })
})
