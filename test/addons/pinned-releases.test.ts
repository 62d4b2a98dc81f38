import { expect, test } from 'vitest'
import { releaseOf } from '../../src/addons/addon-release.ts'
import { textDigest } from '../../src/lib/canonical-json.ts'
import { addonsOf } from '../../src/planner/hetzner-talos/addons-of.ts'
import type { ClusterSpec } from '../../src/spec/cluster-spec.ts'
import { sampleFacts, samplePool, sampleSpec } from './sample-spec.ts'

const { network, kubernetes, addons, cni } = sampleSpec()

const infra = { key: 'example.com/infra', value: 'yes', effect: 'NoSchedule' } as const
const reserved = { key: 'example.com/reserved', effect: 'NoExecute' } as const
const patched = { key: 'example.com/patched', effect: 'NoSchedule' } as const
const ratherNot = { key: 'example.com/rather-not', effect: 'PreferNoSchedule' } as const

const specs: Readonly<Record<string, ClusterSpec>> = {
  plain: sampleSpec(),
  tainted: sampleSpec({
    controlPlane: samplePool('control-plane', 'control-plane', 3, {
      taints: [infra, ratherNot],
      patchedTaints: [patched],
    }),
    workers: [samplePool('workers', 'worker', 2, { taints: [reserved, infra] })],
  }),
  'private, with one control plane': sampleSpec({
    controlPlane: samplePool('control-plane', 'control-plane', 1, { publicIpv4: false }),
    workers: [],
  }),
  'of both families, with a domain and pods outside of the network': sampleSpec({
    workers: [samplePool('workers', 'worker', 2, { publicIpv6: true })],
    network: { ...network, podRange: '10.244.0.0/16', dnsDomain: 'cluster.example.com' },
    loadBalancer: { type: 'lb11', location: 'fsn1', privateOnly: true },
  }),
  'with values of its own, on the newest Kubernetes': sampleSpec({
    kubernetes: { ...kubernetes, version: '1.36.1' },
    cni: { ...cni, values: { MTU: 1400, bpf: { masquerade: false } } },
    addons: {
      ...addons,
      hcloudCcm: { enabled: true, values: { env: { HCLOUD_DEBUG: { value: 'true' } } } },
      csrApprover: { enabled: true, values: { loggingLevel: 1 } },
      hcloudCsi: { enabled: true, values: { storageClasses: [] } },
    },
  }),
}

/** The digest of each release, and the beginning of the hash of its values. */
const pinned: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  plain: {
    cilium: '898308ddb2af851adcda2a3c828bcbca4129ce118abb944ac4750de13418f950 66ac490a299e',
    'hcloud-ccm': '38fb4bece5b3bcfd6c611bbec8d783fa450deeccaf96b56a04154c1f6b6d6d32 69842ee33055',
    'csr-approver': '336c3d4106ed1213dcb73cf433fed417b9c5949cb32c1f8ebb999024ccb4d78e 585f7c2687d3',
    'hcloud-csi': '801287cf37c62a6bf0ca2724aad32bf872dd6a4c30a2950fd64b03de3a19c230 8a805810c53d',
  },
  tainted: {
    cilium: 'caf74e8dd59793f3a23f73e3be21b8ebc6fc7895d46b5347550ad17823014103 3c2fd0f533ba',
    'hcloud-ccm': '5b6827d457c4d375c660d22cf18dee11cb9812a597a2362dc2250ba9a5505b80 73631906f363',
    'csr-approver': 'e38f68a9d246331fa0aa6c9ed972f38b746d2ef197496bd0080d026ecea62599 a7fc5fbb6d76',
    'hcloud-csi': 'ade35dea5810b2068db3e377e403d7b6edaed5173bf9c3192be7a74ccafc914d 4d641104b76a',
  },
  'private, with one control plane': {
    cilium: '542181762e09b40e1b7b731554c57c3cd72197d7278dc908206ecdf7a9612650 4248607d02ea',
    'hcloud-ccm': '38fb4bece5b3bcfd6c611bbec8d783fa450deeccaf96b56a04154c1f6b6d6d32 69842ee33055',
    'csr-approver': 'b38ea0832bfcf2f3671f200205ba6b7ff669d78de1b7d3d8b10231616a578c58 3e72f96fa6b0',
    'hcloud-csi': '0401c720ee09a9701565cb2560f0d77d90f200ff588d7b49ff241d41fe4f2b3c d92fa3acc61a',
  },
  'of both families, with a domain and pods outside of the network': {
    cilium: 'c7f5f26cae1c9e5ee89650248ddc0128a102dbd27cb42941bb94b5ffc6646331 a1ceda1b0176',
    'hcloud-ccm': '71d4ae7b3366b7cfea4188622ef71768963168c547116657046acecfb3fb965e 2d64c14375ff',
    'csr-approver': '2114f9dc4598fe549cc3e5c28576b25a704de58237f6c9bd56c63b5a52ef4c41 8886040957b8',
    'hcloud-csi': '801287cf37c62a6bf0ca2724aad32bf872dd6a4c30a2950fd64b03de3a19c230 8a805810c53d',
  },
  'with values of its own, on the newest Kubernetes': {
    cilium: '28328c41682a5506705fad6a7ad6d3cbf61906376693b23161340217636df7af 0a8d213705de',
    'hcloud-ccm': '395bb267ad1624a1f75cdb6e4941f7a3670d4bba5a931e47adc3a18b0b70f6ae 831b85abf21e',
    'csr-approver': 'b18d774ab6988d7adb04001dbdec1d0357255b34d79c7d3d19da2a4f296fd90d 144f03ff2406',
    'hcloud-csi': '84ec05c576293e2a786298d3415d923c21f1c4b0dc5fe2b1d1c52037d5d469cd 6fb035f841d0',
  },
}

/** What is recorded of each addon, and a hash of the very bytes that helm gets as its values. */
function releasesOf(spec: ClusterSpec): Record<string, string> {
  return Object.fromEntries(
    Object.values(addonsOf(spec)).map((addon) => {
      const { digest, values } = releaseOf(addon, spec, sampleFacts)
      return [addon.name, `${digest} ${textDigest(JSON.stringify(values)).slice(0, 12)}`]
    }),
  )
}

/**
 * Clusters exist whose state has these digests: where one differs, every such cluster shows a change. What changes
 * one on purpose (a chart in another version, other values) changes it here, and says so in the changelog.
 */
test('addons of clusters that exist keep their values and digests', () => {
  const found = Object.entries(specs).map(([name, spec]) => [name, releasesOf(spec)])
  expect(Object.fromEntries(found)).toEqual(pinned)
})
