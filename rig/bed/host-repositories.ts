import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeAptRepository } from './apt-repository.ts'
import { type DebPackage, debInputs, writeDeb } from './deb-package.ts'
import { downloadPackages } from './download-packages.ts'
import { makeArtefact } from './make-artefact.ts'
import type { Workshop } from './workshop.ts'

/** What a node needs and an installed host lacks, by its name in Debian; `debian-archive` has what these depend on. */
const packages = [
  'ca-certificates',
  'conntrack',
  'curl',
  'ebtables',
  'ethtool',
  'gpg',
  'iptables',
  'socat',
]

/** A folder of a web server: a mirror of Debian with what hosts lack of it, as a flat repository in `debian`. */
export async function makeDebianMirror(workshop: Workshop, hostRoot: string): Promise<string> {
  return makeArtefact(workshop, {
    name: 'debian-mirror',
    inputs: { format: 1, packages, hostRoot: hostRoot.split('/').at(-1) ?? '' },
    make: async (draft) => {
      const state = await mkdtemp(join(tmpdir(), 'rig-mirror-'))
      try {
        const { archives, files } = await downloadPackages(workshop, {
          state,
          status: join(hostRoot, 'var/lib/dpkg/status'),
          packages,
          name: 'debian mirror',
        })
        const base = join(draft, 'debian')
        await mkdir(base)
        for (const file of files) await copyFile(join(archives, file), join(base, file))
        await writeAptRepository(workshop, {
          base,
          release: '',
          list: 'Packages',
          files,
          fields: ['Origin: Debian', 'Suite: stable', 'Codename: bookworm'],
          key: 'Release.key',
        })
      } finally {
        await rm(state, { recursive: true, force: true })
      }
    },
  })
}

/** A folder of a web server as Docker's, with its repository for this Debian in `linux/debian`. */
export function makeDockerMirror(workshop: Workshop, containerd: DebPackage): Promise<string> {
  return makeArtefact(workshop, {
    name: 'docker-mirror',
    inputs: { format: 1, containerd: debInputs(containerd, workshop.cache) },
    make: async (draft) => {
      const base = join(draft, 'linux/debian')
      const pool = 'dists/bookworm/pool/stable/amd64'
      await mkdir(join(base, pool), { recursive: true })
      const file = await writeDeb(workshop, join(base, pool), containerd)
      await writeAptRepository(workshop, {
        base,
        release: 'dists/bookworm',
        list: 'stable/binary-amd64/Packages',
        files: [`${pool}/${file}`],
        fields: [
          'Origin: Docker',
          'Suite: bookworm',
          'Codename: bookworm',
          'Architectures: amd64',
          'Components: stable',
        ],
        key: 'gpg',
      })
    },
  })
}

/** A folder of a web server as that of Kubernetes, with the repository of the minor that a version is of. */
export function makeKubernetesMirror(
  workshop: Workshop,
  version: string,
  debs: readonly DebPackage[],
): Promise<string> {
  const minor = version.split('.').slice(0, 2).join('.')
  return makeArtefact(workshop, {
    name: `kubernetes-mirror-${minor}`,
    inputs: { format: 1, debs: debs.map((deb) => debInputs(deb, workshop.cache)) },
    make: async (draft) => {
      const base = join(draft, `core:/stable:/v${minor}/deb`)
      await mkdir(base, { recursive: true })
      const files: string[] = []
      for (const deb of debs) files.push(await writeDeb(workshop, base, deb))
      await writeAptRepository(workshop, {
        base,
        release: '',
        list: 'Packages',
        files,
        fields: [`Origin: isv:kubernetes:core:stable:v${minor}`],
        key: 'Release.key',
      })
    },
  })
}
