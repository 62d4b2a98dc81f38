import { forgetSourceScript } from '../../kubeadm/acts/act-scripts.ts'
import { kubeVipFile, markFile, patchesFolder } from '../../kubeadm/config/kubeadm-paths.ts'
import { patchFiles } from '../../kubeadm/config/patch-files.ts'
import { prepareHost } from '../../kubeadm/host/prepare-host.ts'
import {
  filesForHost,
  firewallOfHost,
  hostPathOf,
  stepBeforeUpgrade,
  stepsOfHost,
} from '../../kubeadm/host/steps-of-host.ts'
import type { PhaseProgress } from '../../lib/progress.ts'
import type { HostsView } from '../../planner/kubeadm/hosts-view.ts'
import { versionOfHost } from '../../planner/kubeadm/running-version.ts'
import { scriptOutput } from '../../run/kubeadm/host-script.ts'
import type { HostsSession } from '../../run/kubeadm/hosts-session.ts'
import { type KnownHost, knownHosts } from '../../run/kubeadm/known-hosts.ts'
import { preparedHost } from '../../run/kubeadm/look-at-host.ts'
import { uploadFile } from '../../run/kubeadm/upload-file.ts'
import { writeHostFile } from '../../run/kubeadm/write-host-file.ts'
import type { StateRecorder } from '../../run/state-recorder.ts'
import type { HostSpec } from '../../spec/hosts/hosts-spec.ts'
import type { RemoteHost } from '../../ssh/ssh-pool.ts'

export interface HostsWork {
  readonly session: HostsSession
  readonly view: HostsView
  readonly recorder: StateRecorder
}

const fileMs = 60_000

interface PrepareAs {
  readonly isDrained?: boolean
  readonly version?: string
}

/** The hosts of one run, by name, as procedures use them. */
export class ClusterHosts {
  readonly #work: HostsWork
  readonly #known: ReadonlyMap<string, KnownHost>

  constructor(work: HostsWork) {
    this.#work = work
    const known = knownHosts(work.view.spec, work.recorder.inventory)
    this.#known = new Map(known.map((host) => [host.name, host]))
  }

  /** One that the file or the state knows. */
  known(name: string): KnownHost {
    const host = this.#known.get(name)
    if (!host) throw new Error(`the plan has a host ${name} that nobody knows`)
    return host
  }

  /** One that the file asks for. */
  wanted(name: string): HostSpec {
    const host = this.#work.view.spec.hosts.find((one) => one.name === name)
    if (!host) throw new Error(`the plan makes a node of ${name}, which the file does not have`)
    return host
  }

  remote(name: string): Promise<RemoteHost> {
    return this.#work.session.hosts.to(this.known(name))
  }

  /**
   * Brings a host to where kubeadm can use it. Safe to run again. `version` is that of its Kubernetes, where that is not
   * what it runs; what a node would feel is refused unless it is drained.
   */
  async prepare(
    name: string,
    progress: PhaseProgress,
    { isDrained = false, version = this.#versionOf(name) }: PrepareAs = {},
  ): Promise<void> {
    const { spec } = this.#work.view
    const { arch, withinMs } = await this.#ready(name, progress)
    const steps = stepsOfHost(spec, this.wanted(name), { arch, version })
    progress.step(`${name}: preparing`)
    await prepareHost(preparedHost(await this.remote(name), withinMs), steps, { isDrained })
  }

  /** Gives a host the kubeadm that upgrades it to a version; nothing else of it changes. */
  async prepareUpgrade(name: string, version: string, progress: PhaseProgress): Promise<void> {
    const { arch, withinMs } = await this.#ready(name, progress)
    const step = stepBeforeUpgrade(this.#work.view.spec, { arch, version })
    progress.step(`${name}: kubeadm ${version}`)
    await prepareHost(preparedHost(await this.remote(name), withinMs), [step])
  }

  /** A node lets in all others of the file, also those that are none yet. */
  async openFirewall(name: string): Promise<void> {
    const { spec } = this.#work.view
    const withinMs = spec.kubeadm.timeoutMinutes.prepare * 60_000
    const host = preparedHost(await this.remote(name), withinMs)
    await prepareHost(host, [firewallOfHost(spec, name)])
  }

  /** A node no longer lets in one that has left, unless somebody else wanted that. */
  async closeFirewall(name: string, source: string): Promise<void> {
    await scriptOutput(await this.remote(name), {
      title: `close the firewall to ${source}`,
      text: forgetSourceScript,
      args: [source],
      withinMs: fileMs,
      isRepeatable: true,
    })
  }

  #versionOf(name: string): string {
    return versionOfHost(name, this.#work.view.spec, this.#work.recorder.inventory)
  }

  /** Files that stand beside the cluster file are on the host before its steps name them. */
  async #ready(name: string, progress: PhaseProgress) {
    const { view, session } = this.#work
    const look = view.hosts.get(name)
    const arch = look?.kind === 'seen' ? look.host.traces.arch : 'amd64'
    for (const file of filesForHost(view.spec, arch)) {
      progress.step(`${name}: ${file.name}`)
      await uploadFile(await this.remote(name), session.file.path, file, hostPathOf(file))
    }
    return { arch, withinMs: view.spec.kubeadm.timeoutMinutes.prepare * 60_000 }
  }

  /** Writes down on the host which cluster it is of, before anything of it is made there. */
  async mark(name: string): Promise<void> {
    const { spec, generation } = this.#work.view
    const known = this.#work.session.store.known ?? generation
    const { manifest } = known ?? {}
    const mark = {
      cluster: spec.clusterName,
      uid: this.#work.recorder.inventory.uid,
      generation: manifest?.generation ?? 0,
      keyEpoch: manifest?.keyEpoch ?? 0,
    }
    await writeHostFile(await this.remote(name), markFile, `${JSON.stringify(mark)}\n`, 0o644)
  }

  /** The static pod that may hold the virtual IP; the kubelet takes it up. */
  async writeKubeVip(name: string, manifest: string): Promise<void> {
    await writeHostFile(await this.remote(name), kubeVipFile, manifest, 0o600)
  }

  /** The patches of the file for kubeadm, and no others. */
  async writePatches(name: string): Promise<void> {
    const remote = await this.remote(name)
    const files = patchFiles(this.#work.view.spec)
    for (const { path, text } of files) await writeHostFile(remote, path, text, 0o644)
    await scriptOutput(remote, {
      title: 'remove former patches',
      text: removeOthersScript,
      args: [patchesFolder, ...files.map(({ path }) => path)],
      withinMs: fileMs,
      isRepeatable: true,
    })
  }
}

/** Removes what stands in a folder of ours and is not named. */
const removeOthersScript = `
folder=$1
shift
[ -d "$folder" ] || exit 0
for path in "$folder"/*; do
  [ -f "$path" ] || continue
  for kept in "$@"; do [ "$kept" != "$path" ] || continue 2; done
  rm -f -- "$path"
done
`
