/**
 * Makes what real nodes start from ahead of a run that needs it: `node scripts/prepare-bed.ts`, with
 * the versions of Kubernetes that are wanted, or all.
 */
import { resolve } from 'node:path'
import { cacheFolder } from '../rig/bed/cache-folder.ts'
import { prepareBed } from '../rig/bed/prepare-bed.ts'

const started = performance.now()
const kubernetes = process.argv.slice(2)
const bed = await prepareBed({
  root: resolve(import.meta.dirname, '..'),
  cache: cacheFolder(process.env),
  path: process.env['PATH'] ?? '',
  kubernetes: kubernetes.length > 0 ? kubernetes : undefined,
  report: (line) => console.log(`[${seconds()} s] ${line}`),
})
console.log(
  `ready after ${seconds()} s: Talos ${[...bed.talosRoots.keys()].join(', ')}, Kubernetes ${bed.kubernetesVersions.join(', ')}, ${bed.images.references.size} images`,
)

function seconds(): string {
  return ((performance.now() - started) / 1_000).toFixed(1)
}
