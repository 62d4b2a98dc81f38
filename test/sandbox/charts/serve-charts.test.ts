import { createHash } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { catalogue } from '../../../src/addons/catalogue.ts'
import { listAt, textAt } from '../../../src/lib/kubernetes-object.ts'
import { packageChart } from '../../../src/sandbox/charts/package-chart.ts'
import { serveCharts, standInCharts } from '../../../src/sandbox/charts/serve-charts.ts'
import { World } from '../../../src/sandbox/world.ts'

test('there is a stand-in for every chart and version of the catalogue', () => {
  const offered = standInCharts.flatMap(({ name, versions }) =>
    versions.map((version) => `${name}-${version}`),
  )
  const wanted = catalogue.flatMap(({ chart, versions }) =>
    versions.map(({ version }) => `${chart}-${version}`),
  )
  expect(offered.sort()).toEqual(wanted.sort())
})

test('a chart is packed into the same bytes each time', () => {
  for (const chart of standInCharts) {
    const [version = ''] = chart.versions
    expect(packageChart(chart, version).equals(packageChart(chart, version))).toBe(true)
  }
})

test('the index leads to every chart, and its digests are those of the files', async () => {
  const front = await serveCharts(new World())
  onTestFinished(() => front.close())
  const index = parse(await (await fetch(`${front.url}/index.yaml`)).text())
  const entries = standInCharts.flatMap(({ name }) => listAt(index, 'entries', name))
  expect(entries.length).toBe(Object.keys(front.digests).length)
  for (const entry of entries) {
    const response = await fetch(`${front.url}/${textAt(entry, 'urls', 0)}`)
    const digest = createHash('sha256').update(new Uint8Array(await response.arrayBuffer()))
    expect(digest.digest('hex')).toBe(textAt(entry, 'digest'))
  }
  expect((await fetch(`${front.url}/nothing.tgz`)).status).toBe(404)
})
