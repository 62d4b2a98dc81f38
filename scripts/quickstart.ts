/**
 * The main job on the embedded sandbox, from a pull request to a destroy: servers at Hetzner with Talos, or with `--hosts`
 * hosts that exist with kubeadm. What there is to look at afterwards stays in quickstart/.
 */
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { hetznerGround } from './quickstart/hetzner-ground.ts'
import { hostsGround, missingForHosts } from './quickstart/hosts-ground.ts'
import { showLife } from './quickstart/show-life.ts'

const folder = join(resolve(import.meta.dirname, '..'), 'quickstart')
const args = process.argv.slice(2)
const isOfHosts = args.includes('--hosts')
const unknown = args.filter((arg) => arg !== '--hosts')
if (unknown.length > 0) refuse(`it takes --hosts or nothing, not ${unknown.join(' ')}`)
const missing = isOfHosts ? missingForHosts() : undefined
if (missing !== undefined) refuse(missing)

const started = Date.now()
await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
const log = createWriteStream(join(folder, 'log.txt'))
const print = (text: string) => {
  process.stdout.write(`${text}\n`)
  log.write(`${text}\n`)
}

await showLife(isOfHosts ? hostsGround() : hetznerGround, { folder, print })

print(`\n=== Done in ${Math.round((Date.now() - started) / 1000)} s. Look at quickstart/:
  git/clusters.git  the bare repository: git -C quickstart/git/clusters.git log --stat hcloud-talos
  plan-comment.md   the plan as the pull request shows it
  summary.md        the job summaries
  log.txt           everything that was printed`)
log.end()

function refuse(why: string): never {
  process.stderr.write(`quickstart: ${why}\n`)
  process.exit(2)
}
