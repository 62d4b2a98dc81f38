import { status } from '@grpc/grpc-js'
import { LifecycleService } from '../../../talos/api/gen/machine/lifecycle_pb.js'
import { digestOf, findInstaller, install, pulledImages, taggedName } from '../installer.ts'
import { judgeAct } from '../judge-acts.ts'
import { pause } from '../pause.ts'
import type { TalosNode } from '../talos-node.ts'
import { type Rpc, RpcError, serverStream } from './rpc.ts'

/** Nodes that an installer runs on now. */
const installing = new WeakSet<TalosNode>()

/**
 * Upgrades since Talos 1.13: the installer runs and its exit code is the answer. Nothing checks
 * etcd, and the node goes on as it is until it is rebooted.
 */
export const lifecycleRpcs: readonly Rpc[] = [
  serverStream(LifecycleService.method.upgrade, async function* ({ source }, call) {
    const { node } = call
    const reference = source?.imageName ?? ''
    if (installing.has(node)) {
      const problem = 'another installation/upgrade is already in progress'
      throw new RpcError(status.FAILED_PRECONDITION, problem)
    }
    if (reference === '') {
      throw new RpcError(status.INVALID_ARGUMENT, 'installer image name is required')
    }
    const pulled = pulledImages(node, 'CONTAINERD/NS_SYSTEM')
    const images = [...pulled].map((name) => ({ name, digest: digestOf(name) }))
    const installer = findInstaller(taggedName(reference, images))
    if (installer === undefined || !pulled.has(reference)) {
      const problem = `upgrade failed: image "${reference}": not found`
      throw new RpcError(status.INTERNAL, problem)
    }
    await judgeAct(call, 'upgrade')
    installing.add(node)
    try {
      const { tag } = installer.version
      yield message(`running Talos installer ${tag}`)
      await pause(node, 'install')
      const failure = install(node, installer)
      yield message(failure?.problem ?? `installation of ${tag} complete`)
      const value = failure?.exitCode ?? 0
      yield { progress: { response: { case: 'exitCode' as const, value } } }
    } finally {
      installing.delete(node)
    }
  }),
  serverStream(LifecycleService.method.install, async function* (_request, { node }) {
    if (node.machine.disk.image.kind === 'talos') {
      throw new RpcError(status.ALREADY_EXISTS, 'machine is already installed')
    }
    yield message('')
  }),
]

function message(value: string) {
  return { progress: { response: { case: 'message' as const, value } } }
}
