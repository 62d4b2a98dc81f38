import { X509Certificate } from 'node:crypto'
import { renewCertificatesScript } from '../../kubeadm/acts/act-scripts.ts'
import { kubernetesFolder } from '../../kubeadm/config/kubeadm-paths.ts'
import { servedFingerprint } from '../../kubernetes/served-fingerprint.ts'
import { ClusterError } from '../../lib/cluster-error.ts'
import type { PhaseProgress } from '../../lib/progress.ts'
import { apiServerPort } from '../../spec/hosts/api-server-port.ts'
import { dialFrom } from '../../ssh/dial-from.ts'
import { readFile } from '../../ssh/read-file.ts'
import type { ConfigurationOptions } from './change-configuration.ts'
import { runJob } from './run-job.ts'
import { controlPlanePods, whileRestarting } from './static-pods.ts'
import { waitForControlPlane } from './wait-for-control-plane.ts'

const [dialMs, readMs] = [10_000, 60_000]
const mostCertificate = 64 * 1024

/**
 * Renews the certificates of one control plane, restarts its components one after the other, and sees that what it serves
 * now is what was renewed. Pods run on meanwhile. Throws `wait-timeout`, `script-failed`.
 */
export async function renewCertificates(
  name: string,
  { hosts, reach, view, context }: ConfigurationOptions,
  progress: PhaseProgress,
): Promise<void> {
  const wait = { context, reach, progress }
  await waitForControlPlane(name, wait)
  progress.step(`${name}: renewing its certificates`)
  const work = async () =>
    runJob(await hosts.remote(name), {
      name: 'kubeadm-certs',
      title: 'renew its certificates',
      script: renewCertificatesScript,
      minutes: view.spec.kubeadm.timeoutMinutes.join,
    })
  const hasKubeVip = view.spec.kubeadm.endpoint.type === 'virtualIp'
  const restarted = [...controlPlanePods, ...(hasKubeVip ? ['kube-vip'] : [])]
  const former = await whileRestarting(name, { hosts, reach }, work, restarted)
  await waitForControlPlane(name, wait, { former })
  await requireServed(name, hosts)
}

/** Throws `script-failed` where the API server shows another certificate than that of its file. */
async function requireServed(name: string, hosts: ConfigurationOptions['hosts']): Promise<void> {
  const remote = await hosts.remote(name)
  const path = `${kubernetesFolder}/pki/apiserver.crt`
  const pem = await readFile(remote, path, { mostBytes: mostCertificate, withinMs: readMs })
  const wanted = pem && new X509Certificate(pem).fingerprint256
  const to = { address: hosts.wanted(name).nodeIp, port: apiServerPort }
  const served = await servedFingerprint(await dialFrom(remote, to, dialMs), dialMs)
  if (wanted !== undefined && served === wanted) return
  throw new ClusterError(
    'script-failed',
    `the API server of ${name} still serves its former certificate`,
    {
      operation: 'renew its certificates',
      target: name,
      hint: `Look at the log of its container on ${name} (crictl logs), and end it there (crictl stop).`,
    },
  )
}
