import {
  configureKubeletScript,
  renewControlPlaneScript,
  uploadConfigScript,
  uploadKubeletScript,
} from '../../kubeadm/acts/act-scripts.ts'
import { comparedConfiguration } from '../../kubeadm/cluster/compared-configuration.ts'
import { initFile } from '../../kubeadm/config/init-configuration.ts'
import { mintJoinMaterial } from '../../kubeadm/config/join-material.ts'
import type { PhaseProgress } from '../../lib/progress.ts'
import { foundIn } from '../../planner/kubeadm/found-in-view.ts'
import { runningVersion, versionOfHost } from '../../planner/kubeadm/running-version.ts'
import type { HostsReach } from '../../run/kubeadm/hosts-reach.ts'
import type { RunContext } from '../../run/run-context.ts'
import type { ClusterHosts, HostsWork } from './cluster-hosts.ts'
import { specAsRunning } from './membership.ts'
import { runJob } from './run-job.ts'
import { whileRestarting } from './static-pods.ts'
import { waitForControlPlane } from './wait-for-control-plane.ts'

export interface ConfigurationOptions extends HostsWork {
  readonly context: RunContext
  readonly hosts: ClusterHosts
  readonly reach: HostsReach
}

/**
 * Gives the control plane another configuration: one control plane after the other takes it over, and is seen to work
 * before the next one; only then does the cluster keep it, so that a run which dies on the way is seen by the next plan.
 */
export async function changeConfiguration(
  options: ConfigurationOptions,
  progress: PhaseProgress,
): Promise<void> {
  const { reach } = options
  const names = reach.controlPlanes.map(({ name }) => name)
  for (const name of names) await renewControlPlane(name, options, progress)
  const [first] = names
  if (first === undefined) throw new Error('a cluster without a control plane passed the checks')
  const { hosts, view } = options
  progress.step(`${first}: writing the configuration into the cluster`)
  await runJob(await hosts.remote(first), {
    name: 'kubeadm-upload-config',
    title: 'write the configuration into the cluster',
    script: uploadConfigScript,
    args: [fileOf(first, options, versionInCluster(options))],
    minutes: view.spec.kubeadm.timeoutMinutes.join,
  })
}

/** Gives kubelets that join another config: those that run are given it one by one. */
export async function uploadKubeletConfiguration(
  options: ConfigurationOptions,
  progress: PhaseProgress,
): Promise<void> {
  const { hosts, reach, view } = options
  const [first] = reach.controlPlanes
  if (first === undefined) throw new Error('a cluster without a control plane passed the checks')
  progress.step(`${first.name}: writing the config of kubelets into the cluster`)
  await runJob(await hosts.remote(first.name), {
    name: 'kubeadm-upload-kubelet',
    title: 'write the config of kubelets into the cluster',
    script: uploadKubeletScript,
    args: [fileOf(first.name, options, versionInCluster(options))],
    minutes: view.spec.kubeadm.timeoutMinutes.join,
  })
}

/** Gives the kubelet of a host the settings of the file. Its node is drained. Throws `script-failed` where it does not stay up. */
export async function configureKubelet(
  name: string,
  options: ConfigurationOptions,
  progress: PhaseProgress,
): Promise<void> {
  const { hosts, view, recorder } = options
  const version = versionOfHost(name, view.spec, recorder.inventory)
  await hosts.writePatches(name)
  progress.step(`${name}: restarting its kubelet with other settings`)
  await runJob(await hosts.remote(name), {
    name: 'kubeadm-kubelet',
    title: 'restart its kubelet with other settings',
    script: configureKubeletScript,
    args: [fileOf(name, options, version)],
    minutes: view.spec.kubeadm.timeoutMinutes.join,
  })
}

/** Makes one control plane write its components again; waits until they work. Throws `wait-timeout`. */
export async function renewControlPlane(
  name: string,
  options: ConfigurationOptions,
  progress: PhaseProgress,
): Promise<void> {
  const { hosts, reach, view, context } = options
  const wait = { context, reach, progress }
  await waitForControlPlane(name, wait)
  progress.step(`${name}: writing its control plane again`)
  await hosts.writePatches(name)
  const work = async () =>
    runJob(await hosts.remote(name), {
      name: 'kubeadm-control-plane',
      title: 'write its control plane again',
      script: renewControlPlaneScript,
      args: [fileOf(name, options, versionOfComponents(name, options))],
      minutes: view.spec.kubeadm.timeoutMinutes.join,
    })
  // Its certificate is another one, which it takes up when it starts.
  const former = await whileRestarting(name, { hosts, reach }, work, ['kube-apiserver'])
  await waitForControlPlane(name, wait, { former })
}

/**
 * The phases of `kubeadm init` take the configuration from a file, with a version of Kubernetes: what they write is of it.
 * Where an upgrade ended half way, control planes, kubelets and what the cluster keeps have different ones, and each keeps
 * its own. None of the phases uses what is minted in the file. What the cluster keeps and the cluster file cannot say stays.
 */
function fileOf(
  name: string,
  { hosts, view, recorder, context }: ConfigurationOptions,
  version: string | undefined,
): string {
  const running = version ?? runningVersion(view.spec, recorder.inventory)
  const spec = specAsRunning(view.spec, running)
  return initFile(spec, hosts.wanted(name), mintJoinMaterial(context.random), view.cluster)
}

/** That of the API server of a host. */
function versionOfComponents(name: string, { view }: ConfigurationOptions): string | undefined {
  return foundIn(view).hosts.get(name)?.traces.staticPods['kube-apiserver']
}

/** The one that the cluster keeps, by which kubeadm upgrades further nodes. */
function versionInCluster({ view }: ConfigurationOptions): string | undefined {
  const { configuration } = view.cluster ?? {}
  return configuration && comparedConfiguration(configuration).version
}
