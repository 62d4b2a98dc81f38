import { textAt } from '../../kubernetes/model/read-json.ts'
import { clusterOf } from './admin-cluster.ts'
import { secretField } from './bootstrap-tokens.ts'
import { writeCertificates, writeManifests } from './control-plane-files.ts'
import type { NodeRun } from './host-clusters.ts'
import { checkExpiration, renewCertificates, userKubeconfig } from './kubeadm-certs.ts'
import { KubeadmRefused } from './kubeadm-file.ts'
import {
  asObject,
  kubeadmInit,
  minutesOf,
  randomToken,
  readInitFile,
  uploadCerts,
  uploadConfig,
  uploadKubeletConfig,
} from './kubeadm-init.ts'
import { kubeadmJoin } from './kubeadm-join.ts'
import { kubeadmReset } from './kubeadm-reset.ts'
import { KubeadmDied, KubeadmRun } from './kubeadm-run.ts'
import { upgradeApply, upgradeNode, upgradePlan } from './kubeadm-upgrade.ts'
import { imagesOf } from './static-pod.ts'

type Verb = (kubeadm: KubeadmRun) => Promise<void>

/** What kubeadm does, by the words that ask for it. */
const verbs: Readonly<Record<string, Verb>> = {
  version: async (kubeadm) => {
    const version = await kubeadm.version()
    const isShort = (kubeadm.flag('-o') ?? kubeadm.flag('--output')) === 'short'
    kubeadm.print(isShort ? version : `kubeadm version: &version.Info{GitVersion:"${version}"}`)
  },
  'config validate': async (kubeadm) => {
    await kubeadm.file()
    kubeadm.print('ok')
  },
  'config images list': async (kubeadm) => {
    const asked = kubeadm.has('--config')
      ? textAt((await kubeadm.file()).get('ClusterConfiguration'), 'kubernetesVersion')
      : kubeadm.flag('--kubernetes-version')
    kubeadm.print(...Object.values(imagesOf(asked ?? (await kubeadm.version()))))
  },
  init: kubeadmInit,
  'init phase upload-certs': async (kubeadm) => {
    const { init } = await readInitFile(kubeadm)
    if (!kubeadm.has('--upload-certs')) {
      kubeadm.print('[upload-certs] Skipping phase. Please see --upload-certs')
      return
    }
    await uploadCerts(kubeadm, clusterOf(kubeadm), textAt(init, 'certificateKey'))
    kubeadm.print('[upload-certs] Storing the certificates in Secret "kubeadm-certs"')
  },
  'init phase upload-config kubeadm': async (kubeadm) => {
    const { configuration } = await readInitFile(kubeadm)
    uploadConfig(clusterOf(kubeadm), configuration, undefined)
  },
  'init phase upload-config all': async (kubeadm) => {
    const { configuration, kubelet } = await readInitFile(kubeadm)
    uploadConfig(clusterOf(kubeadm), configuration, kubelet)
  },
  'init phase upload-config kubelet': async (kubeadm) => {
    const { kubelet } = await readInitFile(kubeadm)
    uploadKubeletConfig(clusterOf(kubeadm), kubelet)
  },
  'init phase kubelet-start': async (kubeadm) => {
    const { init, kubelet } = await readInitFile(kubeadm)
    await kubeadm.startKubelet(asObject(init['nodeRegistration']), kubelet, true)
  },
  'init phase certs apiserver': async (kubeadm) => {
    const { place } = await readInitFile(kubeadm)
    await writeCertificates(place)
  },
  'init phase control-plane all': async (kubeadm) => {
    const { place, version, patches } = await readInitFile(kubeadm)
    const only = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler']
    await writeManifests(place, { version, patches, only })
    await kubeadm.node.sync()
  },
  join: kubeadmJoin,
  reset: kubeadmReset,
  'token create': async (kubeadm) => {
    const [given] = kubeadm.run.args
      .slice(2)
      .filter((arg) => /^[a-z0-9]{6}\.[a-z0-9]{16}$/.test(arg))
    const token = given ?? randomToken()
    const description = kubeadm.flag('--description') ?? ''
    clusterOf(kubeadm).tokens.create(token, minutesOf(kubeadm.flag('--ttl') ?? ''), description)
    kubeadm.print(token)
  },
  'token list': async (kubeadm) => {
    const tokens = clusterOf(kubeadm).tokens.list()
    kubeadm.print('TOKEN EXPIRES DESCRIPTION')
    for (const one of tokens) {
      const [id, secret, end, description] = [
        'token-id',
        'token-secret',
        'expiration',
        'description',
      ].map((field) => secretField(one, field))
      kubeadm.print(`${id}.${secret} ${end} ${description}`)
    }
  },
  'token delete': async (kubeadm) => {
    for (const arg of kubeadm.run.args.slice(2)) {
      const [id = ''] = arg.split('.')
      if (!clusterOf(kubeadm).tokens.delete(id)) {
        throw new KubeadmRefused(`failed to delete bootstrap token "${id}": not found`)
      }
      kubeadm.print(`bootstrap token "${id}" deleted`)
    }
  },
  'certs check-expiration': checkExpiration,
  'certs renew all': renewCertificates,
  'kubeconfig user': userKubeconfig,
  'upgrade plan': upgradePlan,
  'upgrade apply': upgradeApply,
  'upgrade node': upgradeNode,
}

/** `kubeadm`, as its own words and exit codes have it: 1 where it refuses, 137 where it was killed. */
export async function runKubeadm(nodeRun: NodeRun): Promise<number> {
  const kubeadm = new KubeadmRun(nodeRun)
  const words: string[] = []
  for (const arg of nodeRun.run.args) {
    if (arg.startsWith('-')) break
    words.push(arg)
  }
  const verb = [4, 3, 2, 1]
    .map((count) => words.slice(0, count).join(' '))
    .find((known) => known in verbs)
  const act = verb === undefined ? undefined : verbs[verb]
  if (act === undefined) {
    nodeRun.run.err(`unknown command ${JSON.stringify(words.join(' '))} for "kubeadm"`)
    return 1
  }
  const { world } = nodeRun.clusters
  const pass = world.enter('kubeadm', 'RUN', `/${nodeRun.node.host.name}/${verb}`, isChange(verb))
  if (pass.dropped) return 137
  if (isChange(verb) && verb !== 'reset') {
    await nodeRun.clusters.acts.usesSuperAdmin(nodeRun.clusters.nodes)
  }
  try {
    await act(kubeadm)
    await nodeRun.node.sync()
    await pass.leave()
    return 0
  } catch (error) {
    if (error instanceof KubeadmDied) return 137
    if (!(error instanceof KubeadmRefused)) throw error
    nodeRun.run.err(error.message)
    nodeRun.run.err('To see the stack trace of this error execute with --v=5 or higher')
    return 1
  }
}

function isChange(verb = ''): boolean {
  return !/^(version|config|token list|certs check-expiration|kubeconfig|upgrade plan)/.test(verb)
}
