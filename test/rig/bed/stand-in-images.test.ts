import { describe, expect, test } from 'vitest'
import { standInImages } from '../../../rig/bed/stand-in-images.ts'
import { standInCharts } from '../../../src/sandbox/charts/serve-charts.ts'

const parts = {
  standIns: '/cache/standins',
  kubeProxy: '/cache/kube-proxy',
  plugins: (name: string) => `/cache/${name}`,
  nft: [],
  busybox: '/cache/busybox',
}

describe('the images of the stand-in charts', () => {
  const images = standInImages(standInCharts, parts)
  const references = images.flatMap((image) => image.references)

  test('are there for each version of each chart', () => {
    for (const chart of standInCharts) {
      const text = Object.values(chart.templates).join('\n')
      for (const [, image = ''] of text.matchAll(/image: (.+)/g)) {
        for (const version of chart.versions) {
          expect(references).toContain(image.replaceAll('{{ .Chart.Version }}', version))
        }
      }
    }
    expect(references.length).toBe(new Set(references).size)
    expect(references.every((reference) => !reference.includes('{'))).toBe(true)
  })

  test('start the stand-in under the name of the real program', () => {
    const driver = images.find((image) => image.name === 'stand-in-hcloud-csi-driver')
    expect(driver?.entrypoint).toEqual(['/bin/hcloud-csi-driver'])
    expect(driver?.tree).toContainEqual({
      kind: 'link',
      path: 'bin/hcloud-csi-driver',
      to: '/usr/local/bin/standins',
    })
  })

  test('of the network hold what its agent runs and hands on', () => {
    const agent = images.find((image) => image.name === 'stand-in-cilium')
    const paths = agent?.tree.map(({ path }) => path)
    for (const path of ['install-plugin.sh', 'usr/local/bin/kube-proxy', 'opt/cni-plugins/ptp']) {
      expect(paths).toContain(path)
    }
  })

  test('that no program stands for are a mistake, told at once', () => {
    const [chart] = standInCharts
    if (chart === undefined) throw new Error('there are no charts')
    const strange = { ...chart, templates: { 'a.yaml': 'image: docker.io/some/thing:v1' } }
    expect(() => standInImages([strange], parts)).toThrow('nothing stands for docker.io/some/thing')
  })
})
