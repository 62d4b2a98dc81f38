/**
 * Builds dist/: the CommonJS bundle that all actions share, those of the terminal and the sandbox beside it, a stub of
 * two lines for each action and the command, and the licences of what is in them. Deterministic: CI builds again and
 * compares.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { actionNames } from '../src/actions/action-table.ts'
import { errorCodes } from '../src/lib/error-codes.ts'
import { actionFolder, readActionFile } from './action-file.ts'
import { buildParts, type Inputs } from './bundle-parts.ts'

const root = resolve(import.meta.dirname, '..')
const dist = join(root, 'dist')

rmSync(dist, { recursive: true, force: true })
mkdirSync(dist)
const inputs = await buildParts(root, dist)

for (const name of actionNames) {
  const source = `src/actions/${name}.ts`
  writeStub(`${name}.cjs`, ['hcloud-talos', `runAction('${name}', 'main')`], source)
  const { post } = readActionFile(root, actionFolder(name)).runs
  if (post !== undefined)
    writeStub(`${name}-post.cjs`, ['hcloud-talos', `runAction('${name}', 'post')`], source)
}
writeStub(
  'cli.cjs',
  ['terminal', 'runCli()'],
  'src/cli/main.ts',
  `#!/usr/bin/env node\n${nodeGuard()}`,
)
writeFileSync(join(dist, 'licenses.txt'), renderLicenses(inputs))

/** In words that any Node reads: the bundle itself may not even load in an old one. */
function nodeGuard(): string {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const oldest = Number(/^>=(\d+)$/.exec(engines.node)?.[1])
  return `if (parseInt(process.versions.node, 10) < ${oldest}) {
  console.error('error node-too-old: this is Node ' + process.versions.node + ', and hcloud-talos needs ${oldest} or newer');
  process.exit(${errorCodes['node-too-old']});
}
`
}

/** Two lines, and the way on for a reader: the source that the call runs. */
function writeStub(
  file: string,
  [bundle, call]: readonly [bundle: string, call: string],
  source: string,
  shebang = '',
): void {
  const text = `${shebang}// ${source}\nrequire('./${bundle}.cjs').${call}\n`
  writeFileSync(join(dist, file), text, { mode: shebang ? 0o755 : 0o644 })
}

/** The licence text of every package that has a file in the bundle, by name. */
function renderLicenses(inputs: Inputs): string {
  const folders = new Set(
    Object.keys(inputs).flatMap((path) => {
      const match = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)
      return match?.[1] ? [match[1]] : []
    }),
  )
  return [...folders]
    .map((folder) => describePackage(join(root, folder)))
    .sort()
    .join(`\n${'-'.repeat(80)}\n\n`)
}

function describePackage(folder: string): string {
  const manifestPath = join(folder, 'package.json')
  if (!existsSync(manifestPath)) throw new Error(`no package.json in ${folder}`)
  const { name, version, license } = JSON.parse(readFileSync(manifestPath, 'utf8'))
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)(\.|$)/i.test(entry))
  const text = file
    ? readFileSync(join(folder, file), 'utf8').trim()
    : '(no licence file in the package)'
  return `${name} ${version} (${license})\n\n${text}\n`
}
