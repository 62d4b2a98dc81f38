import { isAbsolute, join } from 'node:path'
import type { JsonObject } from '../../../lib/json.ts'
import { objectsAt, textAt } from '../../kubernetes/model/read-json.ts'
import type { KubeadmPhase, NodeRun } from './host-clusters.ts'
import { KubeadmRefused, readKubeadmFile } from './kubeadm-file.ts'

/** The process was killed, or died by itself. */
export class KubeadmDied extends Error {
  override readonly name = 'KubeadmDied'
}

/** What may stand beside a file; kubeadm mixes no other arguments with one. */
const besideFile = [
  '--config',
  '--dry-run',
  '--force',
  '--ignore-preflight-errors',
  '--kubeconfig',
  '--skip-phases',
  '--upload-certs',
  '--v',
  '--yes',
  '-f',
  '-v',
  '-y',
]

/** How long one phase takes, on the world's clock. */
const phaseMs = 1_000

/** One run of kubeadm on one host. */
export class KubeadmRun {
  readonly clusters: NodeRun['clusters']
  readonly node: NodeRun['node']
  readonly run: NodeRun['run']

  constructor({ clusters, node, run }: NodeRun) {
    this.clusters = clusters
    this.node = node
    this.run = run
  }

  get folder() {
    return this.node.host.folder
  }

  /** Of certificates: by the wall's time. */
  get now(): number {
    return Math.min(this.clusters.world.calendar.now(), Date.now())
  }

  /** The value of a flag, in either of its forms. */
  flag(name: string): string | undefined {
    const { args } = this.run
    const at = args.indexOf(name)
    if (at >= 0) return args[at + 1]
    return args.find((arg) => arg.startsWith(`${name}=`))?.slice(name.length + 1)
  }

  has(...names: readonly string[]): boolean {
    return this.run.args.some(
      (arg) => names.includes(arg) || names.includes(arg.split('=')[0] ?? ''),
    )
  }

  /**
   * The documents of `--config`; throws where there is none, and where an argument stands beside it that may not. `more`
   * are arguments that this verb takes beside one.
   */
  async file(more: readonly string[] = []): Promise<ReadonlyMap<string, JsonObject>> {
    const path = this.flag('--config')
    if (path === undefined)
      throw new KubeadmRefused('the stand-in of kubeadm takes a --config only')
    const mixed = this.run.args
      .filter((arg) => arg.startsWith('-'))
      .map((arg) => arg.split('=')[0] ?? '')
      .filter((arg) => !besideFile.includes(arg) && !more.includes(arg))
    if (mixed.length > 0) {
      throw new KubeadmRefused(`can not mix '--config' with arguments [${mixed.join(' ')}]`)
    }
    const place = isAbsolute(path) ? path : join(this.run.cwd, path)
    const text = await this.folder.find(place.slice(1))
    if (text === undefined) throw new KubeadmRefused(`unable to read config from "${path}"`)
    return readKubeadmFile(text)
  }

  /** The version of kubeadm itself. */
  version(): Promise<string> {
    return this.node.installedVersion('kubeadm')
  }

  /** Takes a moment; throws where the process was killed meanwhile, and where it is to die after this phase. */
  async phase(name: KubeadmPhase | 'preflight' | 'addons' | 'reset'): Promise<void> {
    const { host } = this.node
    await this.clusters.world.clock.sleep(phaseMs, this.clusters.world.signal)
    if (this.run.signal.aborted || !host.isOn()) throw new KubeadmDied()
    if (host.faults.isDiskFull) throw new KubeadmRefused(`[${name}] no space left on device`)
    if (this.clusters.deaths.get(host.name) !== name) return
    this.clusters.deaths.delete(host.name)
    throw new KubeadmDied()
  }

  print(...lines: readonly string[]): void {
    for (const line of lines) this.run.out(line)
  }

  /** What must be true before anything is done; all that is not is printed at once. */
  async preflight(isControlPlane: boolean, isJoin: boolean): Promise<void> {
    const { folder } = this
    const { host } = this.node
    const errors: string[] = []
    const free = (path: string, name: string) => {
      if (folder.has(path)) errors.push(`[ERROR FileAvailable-${name}]: /${path} already exists`)
    }
    if (!host.runs('containerd')) errors.push('[ERROR CRI]: container runtime is not running')
    const forward = await folder.find('proc/sys/net/ipv4/ip_forward')
    if (forward?.trim() !== '1') {
      errors.push(
        '[ERROR FileContent--proc-sys-net-ipv4-ip_forward]: /proc/sys/net/ipv4/ip_forward contents are not set to 1',
      )
    }
    if ((await this.version()) === '') errors.push('[ERROR Kubeadm]: it is not installed')
    if (isControlPlane) {
      for (const name of ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'etcd']) {
        free(`etc/kubernetes/manifests/${name}.yaml`, `-etc-kubernetes-manifests-${name}.yaml`)
      }
      if (folder.has('var/lib/etcd/member')) {
        errors.push('[ERROR DirAvailable--var-lib-etcd]: /var/lib/etcd is not empty')
      }
    }
    if (isJoin) {
      free('etc/kubernetes/kubelet.conf', '-etc-kubernetes-kubelet.conf')
      free('etc/kubernetes/pki/ca.crt', '-etc-kubernetes-pki-ca.crt')
    }
    if (errors.length > 0) {
      throw new KubeadmRefused(
        ['[preflight] Some fatal errors occurred:', ...errors.map((one) => `\t${one}`)].join('\n'),
      )
    }
  }

  /** Gives the kubelet its config and starts it; waiting for one that swap keeps from running times out. */
  async startKubelet(registration: JsonObject, config: JsonObject, isControlPlane: boolean) {
    const { folder } = this
    const { host } = this.node
    const taints = objectsAt(registration, 'taints')
    // Those of a control plane are given to its node afterwards.
    const registered = isControlPlane ? [] : taints
    const flags = [
      '--container-runtime-endpoint=unix:///var/run/containerd/containerd.sock',
      ...objectsAt(registration, 'kubeletExtraArgs').map(
        (arg) => `--${textAt(arg, 'name')}=${textAt(arg, 'value')}`,
      ),
      ...(registered.length > 0
        ? [`--register-with-taints=${registered.map(taintText).join(',')}`]
        : []),
    ]
    await folder.put('var/lib/kubelet/config.yaml', `${JSON.stringify(config)}\n`)
    await folder.put(
      'var/lib/kubelet/kubeadm-flags.env',
      `KUBELET_KUBEADM_ARGS="${flags.join(' ')}"\n`,
    )
    await folder.put('state/started/kubelet', `${Math.floor(Date.now() / 1_000)}\n`)
    await host.changeUnit('restart', 'kubelet')
    const swaps = await folder.read('swaps')
    if (swaps.trim().split('\n').length > 1) {
      throw new KubeadmRefused(
        '[kubelet-check] The kubelet is not healthy after 4m0s\nerror: running with swap on is not supported',
      )
    }
  }
}

function taintText(taint: JsonObject): string {
  const value = textAt(taint, 'value')
  return `${textAt(taint, 'key')}${value === '' ? '' : `=${value}`}:${textAt(taint, 'effect')}`
}
