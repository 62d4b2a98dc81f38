/**
 * Makes what real nodes start from ahead of a run that needs it: `node scripts/prepare-bed.ts`, with
 * the versions of Kubernetes that are wanted, or all; with `hosts`, what real hosts start from.
 */
import { resolve } from 'node:path'
import { cacheFolder } from '../rig/bed/cache-folder.ts'
import { prepareBed, prepareHostBed } from '../rig/bed/prepare-bed.ts'

const started = performance.now()
const wanted = process.argv.slice(2)
const options = {
  root: resolve(import.meta.dirname, '..'),
  cache: cacheFolder(process.env),
  path: process.env['PATH'] ?? '',
  report: (line: string) => console.log(`[${seconds()} s] ${line}`),
}
if (wanted.includes('hosts')) {
  const { kubernetes, nextKubernetes, containerd, images } = await prepareHostBed(options)
  console.log(
    `ready after ${seconds()} s: Kubernetes ${kubernetes} and ${nextKubernetes}, containerd ${containerd}, ${images.references.size} images`,
  )
} else {
  const kubernetes = wanted.length > 0 ? wanted : undefined
  const bed = await prepareBed({ ...options, kubernetes })
  console.log(
    `ready after ${seconds()} s: Talos ${[...bed.talosRoots.keys()].join(', ')}, Kubernetes ${bed.kubernetesVersions.join(', ')}, ${bed.images.references.size} images`,
  )
}

function seconds(): string {
  return ((performance.now() - started) / 1_000).toFixed(1)
}
