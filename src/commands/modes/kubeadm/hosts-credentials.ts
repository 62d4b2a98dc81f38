import { userKubeconfigScript } from '../../../kubeadm/acts/act-scripts.ts'
import { userFile } from '../../../kubeadm/config/user-file.ts'
import { readUserKubeconfig } from '../../../kubeadm/config/user-kubeconfig.ts'
import { ClusterError, isClusterError } from '../../../lib/cluster-error.ts'
import { dateOf } from '../../../lib/ending.ts'
import type { HostsView } from '../../../planner/kubeadm/hosts-view.ts'
import { versionOfHost } from '../../../planner/kubeadm/running-version.ts'
import { type SigningControlPlane, signersIn } from '../../../planner/kubeadm/signers-in.ts'
import type { HostsSession } from '../../../run/kubeadm/hosts-session.ts'
import { type KnownHost, knownHosts } from '../../../run/kubeadm/known-hosts.ts'
import type {
  AdminCredentials,
  CredentialMint,
  MintedUntil,
} from '../../../run/mode/credential-mint.ts'
import type { RunContext } from '../../../run/run-context.ts'
import { runPhase } from '../../../run/run-phase.ts'
import { AllOutput } from '../../../ssh/all-output.ts'
import { lastLines, runInto } from '../../../ssh/run-script.ts'
import { describeHost } from '../../../ssh/ssh-host.ts'
import type { RemoteHost } from '../../../ssh/ssh-pool.ts'

/**
 * kubeadm binds this group to `cluster-admin`. Not `system:masters`, which no binding gives its rights and nobody can take
 * them from: where a kubeconfig was lost, deleting the binding `kubeadm:cluster-admins` ends the rights of all of them.
 */
const adminGroup = 'kubeadm:cluster-admins'
const adminName = 'hcloud-talos-admin'

const hourMs = 3_600_000
const mintMs = 60_000
const mostKubeconfig = 256 * 1024

/**
 * A kubeconfig that is signed where the key of the CA is, on a control plane: the key never leaves it, and that of the
 * kubeconfig is made there, printed to this run alone and written nowhere.
 */
export const hostsCredentials: CredentialMint<HostsSession, HostsView, AdminCredentials> = {
  what: 'kubeconfig',
  async mint(context, { session, view }, hours) {
    if (!session || !view) throw new Error('hosts can always be asked, and so there is a view')
    const now = context.calendar.now()
    const signers = signersIn(view)
    const [first] = signers
    if (!first) throw nobodySigns(view)
    if (first.authoritiesEnd <= now) throw caEnded(first.authoritiesEnd)
    if (first.authoritiesEnd < now + hours * hourMs) {
      context.progress.warn(
        `what is minted is good until ${dateOf(first.authoritiesEnd)} only, when an authority of the cluster ends, which kubeadm does not renew`,
      )
    }
    const seconds = Math.floor(Math.min(hours * hourMs, first.authoritiesEnd - now) / 1_000)
    return await runPhase(context.progress, 'Mint a kubeconfig on a control plane', async (phase) =>
      mintOnAny({ context, session, view, seconds }, signers, (name) => phase.step(name)),
    )
  },
}

interface Minting {
  readonly context: RunContext
  readonly session: HostsSession
  readonly view: HostsView
  readonly seconds: number
}

/** On the first that does it: none of them is special, and one that was seen may be off by now. */
async function mintOnAny(
  minting: Minting,
  signers: readonly SigningControlPlane[],
  onTurn: (name: string) => void,
): Promise<MintedUntil<AdminCredentials>> {
  const { session, view } = minting
  const known = knownHosts(view.spec, view.generation?.inventory)
  let failure: unknown
  for (const { name, authoritiesEnd } of signers) {
    const host = known.find((one) => one.name === name)
    if (!host) continue
    onTurn(name)
    try {
      const { kubeconfig, notAfter } = await mintOn(await session.hosts.to(host), host, minting)
      return { minted: { kubeconfig }, until: Math.min(notAfter, authoritiesEnd) }
    } catch (error) {
      session.signal.throwIfAborted()
      if (!isClusterError(error)) throw error
      failure = error
    }
  }
  throw failure
}

async function mintOn(
  remote: RemoteHost,
  host: KnownHost,
  { context, view, seconds }: Minting,
): Promise<{ readonly kubeconfig: string; readonly notAfter: number }> {
  const { spec, generation } = view
  const title = 'mint a kubeconfig'
  const file = userFile(spec, host, versionOfHost(host.name, spec, generation?.inventory))
  const { code, stdout, stderr } = await runInto(
    remote,
    {
      title,
      text: userKubeconfigScript,
      args: [file, adminName, adminGroup, `${seconds}s`],
      withinMs: mintMs,
      isRepeatable: true,
    },
    () => new AllOutput(mostKubeconfig),
  )
  const kubeconfig = stdout.bytes().toString('utf8')
  const read = code === 0 ? readUserKubeconfig(kubeconfig) : undefined
  if (!read) {
    throw new ClusterError('script-failed', `${host.name}: kubeadm printed no kubeconfig`, {
      operation: title,
      target: describeHost(remote.host),
      evidence: [`exit code ${code}`, ...lastLines(stderr.text())],
      hint: 'Look at the reason above on the host, then run again.',
    })
  }
  context.redactor.add(read.key)
  return { kubeconfig, notAfter: read.notAfter }
}

function nobodySigns({ spec, generation }: HostsView): ClusterError {
  const isRunning = generation?.inventory.bootstrapped ?? false
  return new ClusterError(
    'kubernetes-unreachable',
    isRunning
      ? 'no control plane is reached that has the key of the CA of this cluster'
      : `${spec.clusterName} has no control plane yet`,
    {
      operation: 'mint a kubeconfig',
      target: spec.clusterName,
      hint: isRunning
        ? 'Bring a control plane back that answers by SSH, and run again: `hcloud-talos doctor` shows what is wrong with each.'
        : 'Apply the file first: `hcloud-talos apply`.',
    },
  )
}

function caEnded(authoritiesEnd: number): ClusterError {
  return new ClusterError(
    'certificate-ended',
    `an authority of the cluster ended on ${dateOf(authoritiesEnd)}: no certificate of it is accepted any more`,
    {
      operation: 'mint a kubeconfig',
      hint: 'Take a snapshot first, which goes by SSH and needs no certificate of it (`hcloud-talos snapshot <folder>`); then replace the cluster, since kubeadm does not renew a CA.',
    },
  )
}
