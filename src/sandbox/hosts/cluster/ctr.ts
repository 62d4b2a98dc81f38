import { relayProgram } from '../programs/program-file.ts'
import type { NodeRun } from './host-clusters.ts'

/** As much of `ctr` as mounts images: what is in them is what is looked for in those of etcd. */
export async function runCtr({ node, run }: NodeRun): Promise<number> {
  const { folder } = node.host
  const at = run.args.indexOf('images')
  const [verb = '', ...rest] = run.args.slice(at + 1)
  const words = rest.filter((word, index) => {
    return !word.startsWith('-') && rest[index - 1] !== '--snapshotter'
  })
  if (!node.host.runs('containerd')) {
    run.err('ctr: failed to dial "/run/containerd/containerd.sock"')
    return 1
  }
  if (at >= 0 && verb === 'mount') {
    const [image = '', place = ''] = words
    // That of Kubernetes has no etcdutl in all of its versions; that of the makers of etcd, with a v, has one.
    if (/etcd:v/.test(image)) {
      await folder.put(`${place.slice(1)}/usr/local/bin/etcdutl`, relayProgram('etcdutl'), 0o755)
    }
    run.out(place)
    return 0
  }
  if (at >= 0 && verb === 'unmount') {
    const [place = ''] = words
    await folder.remove(`${place.slice(1)}/usr`)
    return 0
  }
  run.err(`ctr: unknown ${run.args.join(' ')}`)
  return 1
}
