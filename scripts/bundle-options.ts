import type { BuildOptions } from 'esbuild'

/**
 * The first lines of each bundle. V8 would rather let the heap grow than collect it: a hundred nodes took
 * 325 MB with 60 alive, and take 160 with this, for no more CPU (docs/performance.md).
 */
const banner = `require('node:v8').setFlagsFromString('--optimize-for-size');
const bundleUrl = require('node:url').pathToFileURL(__filename).href;`

/**
 * How the product is bundled, whatever its entry is. CommonJS on purpose: ssh2 does not start from an
 * ESM bundle. Each import() is evaluated when it is reached.
 */
export function bundleOptions(root: string, entry: string) {
  return {
    stdin: { contents: entry, resolveDir: root, sourcefile: 'entry.ts', loader: 'ts' },
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    charset: 'utf8',
    legalComments: 'none',
    // ssh2's optional native parts: it works without them. Named as external, they are missing at run time on
    // every machine alike, whether or not `npm ci` was able to compile them on the one that bundled.
    external: ['cpu-features', '*.node'],
    // import.meta has no meaning in CommonJS; what needs a place on disk gets the bundle's own.
    define: { 'import.meta.url': 'bundleUrl', 'import.meta.dirname': '__dirname' },
    banner: { js: banner },
    logLevel: 'warning',
  } as const satisfies BuildOptions
}
