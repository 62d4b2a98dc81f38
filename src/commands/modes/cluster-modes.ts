import type { KnownCluster } from '../../planner/known-cluster.ts'
import type { ClusterFile } from '../../run/cluster-file.ts'
import {
  hetznerTalosName,
  readClusterFile as readHetznerTalosFile,
} from '../../run/hetzner-talos/cluster-session.ts'
import { kubeadmName, readHostsFile } from '../../run/kubeadm/read-hosts-file.ts'
import type { ClusterMode, ReadFile } from '../../run/mode/cluster-mode.ts'
import type { StateSession } from '../../run/state-session.ts'
import type { CommonSpec } from '../../spec/common-spec.ts'
import { keysOfModes } from '../../spec/mode-of-file.ts'
import { chooseByKeys } from '../../spec/yaml/choose-by-keys.ts'

/** What can be done with a mode, whichever it is: it is given the types of that mode, and knows none of them. */
type ModeWork<Result> = <S extends StateSession, V extends KnownCluster>(
  mode: ClusterMode<S, V>,
) => Promise<Result>

interface ModeOfFiles {
  /** As a run notes it for the step that closes it. */
  readonly name: string
  /** Keys at the top of a cluster file that only this mode has: a file with one of them is of it. */
  readonly keys: readonly string[]
  readonly read: (file: ClusterFile) => ReadFile<CommonSpec>
  /** Loads the mode when it is first needed: what only reads a file does without. */
  readonly use: <Result>(work: ModeWork<Result>) => Promise<Result>
}

/** All modes. A file with the keys of none is of the first, which reports what is missing. */
const clusterModes: readonly [ModeOfFiles, ...ModeOfFiles[]] = [
  {
    name: hetznerTalosName,
    keys: keysOfModes.hetznerTalos,
    read: readHetznerTalosFile,
    use: async (work) => {
      const { hetznerTalos } = await import('./hetzner-talos/hetzner-talos.ts')
      return work(hetznerTalos)
    },
  },
  {
    name: kubeadmName,
    keys: keysOfModes.hostsKubeadm,
    read: readHostsFile,
    use: async (work) => {
      const { hostsMode } = await import('./kubeadm/hosts-mode.ts')
      return work(hostsMode)
    },
  },
]

/** Does something in the mode of a cluster file. The one place that chooses it. */
export async function inModeOf<Result>(
  { text }: ClusterFile,
  work: ModeWork<Result>,
): Promise<Result> {
  return await chooseByKeys(text, clusterModes).use(work)
}

/** Does something in a mode by its name, for what has no cluster file; in the first where none is noted. */
export async function inModeNamed<Result>(
  name: string | undefined,
  work: ModeWork<Result>,
): Promise<Result> {
  const [first] = clusterModes
  const mode = name === undefined ? first : clusterModes.find((one) => one.name === name)
  if (!mode) throw new Error(`${name} is no mode`)
  return await mode.use(work)
}

/** A cluster file, understood by its mode. Throws a `FindingsError` (`spec-…`) with all that is wrong with it. */
export function readClusterFile(file: ClusterFile): ReadFile<CommonSpec> {
  return chooseByKeys(file.text, clusterModes).read(file)
}
