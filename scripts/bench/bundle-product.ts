import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { bundleOptions } from '../bundle-options.ts'
import { buildParts } from '../bundle-parts.ts'

/** Scripts to run with Node. */
export interface Product {
  /** The command, from a bundle that has the bytes of dist's. */
  readonly command: string
  readonly bundle: string
  /** The same product with one apply on a fast clock: see product-run.ts. */
  readonly fastApply: string
}

/** Bundles the product as it is now into a folder, whatever dist holds and whoever builds it meanwhile. */
export async function bundleProduct(root: string, folder: string): Promise<Product> {
  const product = {
    command: join(folder, 'cli.cjs'),
    bundle: join(folder, 'hcloud-talos.cjs'),
    fastApply: join(folder, 'fast-apply.cjs'),
  }
  await buildParts(root, folder)
  await build({
    ...bundleOptions(root, `import './scripts/bench/product-run.ts'`),
    outfile: product.fastApply,
  })
  await writeFile(product.command, `'use strict'\nrequire('./terminal.cjs').runCli()\n`)
  return product
}
