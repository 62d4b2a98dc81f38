import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { layTree } from './lay-tree.ts'
import { runTethered } from './run-tethered.ts'
import { type TreeEntry, treeInputs } from './tree-entry.ts'
import type { Workshop } from './workshop.ts'

/** A package of Debian that we make of programs of the bed. */
export interface DebPackage {
  readonly name: string
  /** With its revision: `1.35.4-1.1`. */
  readonly version: string
  readonly depends?: readonly string[]
  readonly tree: readonly TreeEntry[]
  /** Files that belong to whoever runs the host as soon as they are changed. */
  readonly configFiles?: readonly string[]
  /** Runs on the host when it is installed. */
  readonly afterInstallation?: string
}

/** What a package follows from. */
export function debInputs(deb: DebPackage, cache: string) {
  const { name, version, depends = [], configFiles = [], afterInstallation = '' } = deb
  const tree = treeInputs(deb.tree, cache)
  return {
    name,
    version,
    depends: [...depends],
    configFiles: [...configFiles],
    afterInstallation,
    tree,
  }
}

/** Writes a package into a folder; uncompressed, since it never leaves the machine. Returns the name of its file. */
export async function writeDeb(
  workshop: Workshop,
  folder: string,
  deb: DebPackage,
): Promise<string> {
  const { name, version, depends = [], configFiles = [], afterInstallation, tree } = deb
  const draft = join(folder, `${name}.tree`)
  await mkdir(draft, { recursive: true })
  await layTree(draft, tree)
  const control = join(draft, 'DEBIAN')
  await mkdir(control)
  const fields = [
    `Package: ${name}`,
    `Version: ${version}`,
    'Architecture: amd64',
    'Maintainer: the rig <rig@hcloud-talos.invalid>',
    ...(depends.length === 0 ? [] : [`Depends: ${depends.join(', ')}`]),
    `Description: ${name}, made for tests`,
  ]
  await writeFile(join(control, 'control'), `${fields.join('\n')}\n`)
  if (configFiles.length > 0) {
    const lines = configFiles.map((path) => `/${path}\n`)
    await writeFile(join(control, 'conffiles'), lines.join(''))
  }
  if (afterInstallation !== undefined) {
    await writeFile(join(control, 'postinst'), `#!/bin/sh\nset -e\n${afterInstallation}\n`, {
      mode: 0o755,
    })
  }
  const file = `${name}_${version}_amd64.deb`
  await runTethered({
    command: ['dpkg-deb', '-Znone', '--root-owner-group', '--build', draft, join(folder, file)],
    path: workshop.path,
    signal: workshop.signal,
  })
  await rm(draft, { recursive: true })
  return file
}

/** A paragraph of a repository's `Packages`: what the package says of itself, and where its file is. */
export async function packageParagraph(
  workshop: Workshop,
  base: string,
  path: string,
): Promise<string> {
  const file = join(base, path)
  const fields = await runTethered({
    command: ['dpkg-deb', '--field', file],
    path: workshop.path,
    signal: workshop.signal,
  })
  const digest = createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
  const { size } = await stat(file)
  return `${fields.trim()}\nFilename: ${path}\nSize: ${size}\nSHA256: ${digest}\n`
}
