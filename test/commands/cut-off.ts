import { rmSync, writeFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunContext } from '../../src/run/run-context.ts'
import type { Bench } from './harness.ts'

interface Cut {
  /** How many requests go through. */
  readonly after: number
  /** The last of them has its effect, and its answer is lost. */
  readonly loseLast?: boolean
}

/**
 * Runs something that is ended at an exact request, as by a kill: from then on nothing that it does
 * reaches anybody, git included, so that its lock and whatever it opened stay behind. Afterwards all is
 * connected again. Returns whether it came to its end before.
 */
export async function cutOff(
  bench: Bench,
  { after, loseLast = false }: Cut,
  work: (context: RunContext) => Promise<unknown>,
): Promise<boolean> {
  const { world } = bench.sandbox
  const killed = new AbortController()
  const context = bench.run({ signal: killed.signal })
  const git = await breakableGit(context)
  let over = false
  world.log.onCut(() => {
    if (over) return
    git.breakOff()
    killed.abort(new Error('killed'))
  })
  world.cutAfter(after, { loseLast })
  try {
    await work({ ...context, state: { ...context.state, environment: git.environment } })
    // Whoever has done all and is ended then leaves its lock behind.
    return !world.log.isCut
  } catch (error) {
    if (!world.log.isCut) throw error
    return false
  } finally {
    over = true
    world.restore()
    git.repair()
  }
}

/** A git that refuses to start once it is broken off. What it is at then comes to its end, as after a kill. */
async function breakableGit({ state }: RunContext) {
  const folder = join(state.folder, 'breakable-git')
  const broken = join(folder, 'broken')
  const path = state.environment['PATH'] ?? ''
  await mkdir(folder, { recursive: true })
  const script = `#!/bin/sh\n[ -e '${broken}' ] && exit 128\nPATH='${path}'\nexec git "$@"\n`
  await writeFile(join(folder, 'git'), script, { mode: 0o755 })
  return {
    environment: { ...state.environment, PATH: `${folder}:${path}` },
    breakOff: () => writeFileSync(broken, ''),
    repair: () => rmSync(broken, { force: true }),
  }
}
