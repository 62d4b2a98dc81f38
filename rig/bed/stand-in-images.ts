import type { StandInChart } from '../../src/sandbox/charts/stand-in-chart.ts'
import type { Programs } from './go-module.ts'
import { accounts, base } from './image-base.ts'
import type { ImageRecipe } from './make-image.ts'
import { link, program, type TreeEntry, text } from './tree-entry.ts'

/** Of what the images are made that the stand-in charts name. */
export interface StandInParts {
  /** The one program that plays all: it is who it is called. */
  readonly standIns: string
  readonly kubeProxy: string
  readonly plugins: Programs<(typeof plugins)[number]>
  /** nft, with what it needs. */
  readonly nft: readonly TreeEntry[]
  readonly busybox: string
}

const plugins = ['bridge', 'host-local', 'loopback', 'portmap', 'ptp'] as const

/** Where the stand-in lies in each image. */
const place = 'usr/local/bin/standins'

/** The names of the program in each image, the first of which it starts by itself. */
const names: Readonly<Record<string, readonly string[]>> = {
  'docker.io/hetznercloud/hcloud-cloud-controller-manager': ['bin/hcloud-cloud-controller-manager'],
  'docker.io/hetznercloud/hcloud-csi-driver': ['bin/hcloud-csi-driver'],
  'ghcr.io/postfinance/kubelet-csr-approver': ['bin/kubelet-csr-approver'],
  'quay.io/cilium/certgen': ['usr/bin/cilium-certgen'],
  'quay.io/cilium/cilium': ['usr/bin/cilium-agent', 'install-plugin.sh'],
  'quay.io/cilium/operator-generic': ['usr/bin/cilium-operator-generic'],
  'registry.k8s.io/e2e-test-images/agnhost': ['agnhost'],
  'registry.k8s.io/sig-storage/csi-attacher': ['csi-attacher'],
  'registry.k8s.io/sig-storage/csi-node-driver-registrar': ['csi-node-driver-registrar'],
  'registry.k8s.io/sig-storage/csi-provisioner': ['csi-provisioner'],
}

const agent = 'quay.io/cilium/cilium'

/** An image for each that any version of the charts names, under all tags that they give it. */
export function standInImages(
  charts: readonly StandInChart[],
  parts: StandInParts,
): readonly ImageRecipe[] {
  return Object.entries(Object.groupBy(charts.flatMap(imagesOf), repositoryOf)).map(
    ([repository, references = []]) => {
      const [first, ...others] = names[repository] ?? []
      if (first === undefined) throw new Error(`nothing stands for ${repository}`)
      return {
        name: `stand-in-${repository.split('/').at(-1)}`,
        references: [...new Set(references)],
        tree: [
          ...base,
          ...accounts,
          program(place, parts.standIns),
          ...[first, ...others].map((name) => link(name, `/${place}`)),
          ...(repository === agent ? agentTree(parts) : []),
        ],
        entrypoint: [`/${first}`],
      }
    },
  )
}

/** What the network's agent runs beside itself, and what it brings to the node. */
function agentTree({ nft, kubeProxy, plugins: from, busybox }: StandInParts): readonly TreeEntry[] {
  return [
    link('lib64', 'usr/lib64'),
    ...nft,
    program('usr/local/bin/kube-proxy', kubeProxy),
    ...plugins.map((name) => program(`opt/cni-plugins/${name}`, from(name))),
    program('bin/busybox', busybox),
    link('bin/sh', 'busybox'),
    text(
      'usr/bin/cilium-mount',
      '#!/bin/sh\n# The cgroups of the machine are mounted already.\n',
      0o755,
    ),
  ]
}

/** Every `image:` of a chart's templates, for each of its versions. */
function imagesOf({ templates, versions }: StandInChart): readonly string[] {
  const named = Object.values(templates).flatMap((template) =>
    [...template.matchAll(/image: (.+)/g)].map(([, image = '']) => image),
  )
  return versions.flatMap((version) =>
    named.map((image) => image.replaceAll('{{ .Chart.Version }}', version)),
  )
}

function repositoryOf(image: string): string {
  return image.slice(0, image.lastIndexOf(':'))
}
