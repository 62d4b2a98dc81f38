import { z } from 'zod'
import { filled, formatted } from './field-format.ts'
import { plainVersion } from './plain-version.ts'
import { patchSchema } from './schema-nodes.ts'

const patches = (whom: string) =>
  z
    .array(patchSchema)
    .default([])
    .describe(
      `Machine config patches (strategic merge, or a list of JSON patch operations; YAML text or written in place) for ${whom}. \${secret:name} stands for a secret.`,
    )

export const talosSchema = z.strictObject({
  version: formatted(
    /^v(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?$/,
    'must be a version such as v1.9.0',
    (written) => {
      if (/^v?\d+\.\d+\.\d+$/.test(written)) return `Write v${plainVersion(written)}.`
      return /^v?\d+\.\d+$/.test(written)
        ? `Name the patch too: v${plainVersion(written)}.0.`
        : undefined
    },
  ).describe('Version of Talos Linux, with its v and its patch: v1.9.0. From v1.9 to v1.14.'),
  contract: formatted(/^v1\.\d{1,2}$/, 'must be a minor of Talos such as v1.13', (written) =>
    /^v?1\.\d+\.\d+$/.test(written) ? 'Name the minor alone: v1.13.' : undefined,
  )
    .optional()
    .describe(
      'Of which shape the machine configs are, by the minor of Talos that introduced it (`talosctl` calls it the contract): v1.9 to v1.14. Nodes read those of older minors, never of newer ones. With v1.14 Kubernetes and most of the machine are documents of their own. Left out, a new cluster gets that of talos.version, up to v1.13, and one that runs keeps what it has, also through upgrades. Another one changes the config of every node: the plan shows how, and an apply does it once all nodes run a Talos that reads it.',
    ),
  factory: formatted(
    /^https?:\/\/[^\s/@?#]+$/,
    'must be the address of an image factory, without a path: https://factory.talos.dev',
    (written) => {
      const address = written.replace(/\/+$/, '')
      return /^https?:/.test(written) ? `Write ${address}.` : `Write https://${address}.`
    },
  )
    .default('https://factory.talos.dev')
    .describe(
      'The image factory that images and installers come from: Talos’s own, or one that you run yourself (without access to the internet, or with extensions of your own). Nodes, the rescue system and whoever runs hcloud-talos must reach it.',
    ),
  schematic: formatted(/^[0-9a-f]{64}$/, 'must be the id of a schematic: 64 lower-case hex digits')
    .optional()
    .describe(
      'Id of an image schematic of the factory. Left out, it is made from extensions and kernelArgs; the two ways exclude each other.',
    ),
  extensions: z
    .array(
      formatted(
        /^[a-z0-9][a-z0-9.-]*\/[a-z0-9][a-z0-9.-]*$/,
        'must be the name of a system extension such as siderolabs/iscsi-tools',
        (written) => (/^[a-z0-9.-]+$/.test(written) ? `Write siderolabs/${written}.` : undefined),
      ),
    )
    .default([])
    .describe('Official system extensions to build into the image. None is needed on Hetzner.'),
  kernelArgs: z
    .array(formatted(/^\S+$/, 'must be one kernel argument without spaces'))
    .default([])
    .describe('Further kernel arguments to build into the image.'),
  patches: patches('all nodes'),
  controlPlanePatches: patches('control planes, after those for all nodes'),
  workerPatches: patches('workers, after those for all nodes'),
  diskEncryption: z
    .boolean()
    .default(false)
    .describe(
      'Whether the disks are encrypted (LUKS2, with a key bound to the node). Decide before the first apply: a node must be recreated to change it.',
    ),
  registryMirrors: z
    .record(z.string(), z.array(filled()).min(1))
    .default({})
    .describe('Mirrors of container registries: for each registry, URLs that are asked in turn.'),
  nameservers: z
    .array(filled())
    .min(1)
    .default(['185.12.64.1', '185.12.64.2', '2a01:4ff:ff00::add:1'])
    .describe(
      'Addresses of the name servers that nodes ask. Hetzner’s own by default; three at most help.',
    ),
  timeServers: z
    .array(filled())
    .min(1)
    .default(['ntp1.hetzner.de', 'ntp2.hetzner.com', 'ntp3.hetzner.net'])
    .describe('Time servers (NTP) of the nodes. Hetzner’s own by default.'),
})
