import { createHash } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { catalogue } from '../../../src/addons/catalogue.ts'
import { listAt, textAt } from '../../../src/lib/kubernetes-object.ts'
import { hcloudCcmChart, hcloudCcmChartAt } from '../../../src/sandbox/charts/hcloud-ccm-chart.ts'
import { packageChart } from '../../../src/sandbox/charts/package-chart.ts'
import { serveCharts, standInCharts } from '../../../src/sandbox/charts/serve-charts.ts'
import { World } from '../../../src/sandbox/world.ts'

test('there is a stand-in for every chart and version of the catalogue', () => {
  const offered = standInCharts.flatMap(({ name, versions }) =>
    versions.map((version) => `${name}-${version}`),
  )
  const wanted = Object.values(catalogue).flatMap(({ chart, versions }) =>
    versions.map(({ version }) => `${chart}-${version}`),
  )
  expect(offered).toEqual(expect.arrayContaining(wanted))
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

test('pods are sent to another Hetzner only where the world asks for it', async () => {
  const usual = await serveCharts(new World())
  const real = await serveCharts(new World(), { hcloudEndpoint: 'http://10.99.0.1:8080/v1' })
  onTestFinished(async () => {
    await Promise.all([usual.close(), real.close()])
  })
  const differing = Object.keys(usual.digests).filter(
    (chart) => usual.digests[chart] !== real.digests[chart],
  )
  expect(differing).toEqual(
    expect.arrayContaining([expect.stringMatching(/^hcloud-cloud-controller-manager-/)]),
  )
  expect(differing).toHaveLength(hcloudCcmChart.versions.length)

  const env = { HCLOUD_TOKEN: expect.anything() }
  expect(hcloudCcmChart.values).toMatchObject({ env })
  expect(textAt(hcloudCcmChart.values, 'env', 'HCLOUD_ENDPOINT', 'value')).toBeUndefined()
  const { values } = hcloudCcmChartAt('http://10.99.0.1:8080/v1')
  expect(values).toMatchObject({
    env: { ...env, HCLOUD_ENDPOINT: { value: 'http://10.99.0.1:8080/v1' } },
  })
})
