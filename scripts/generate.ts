/**
 * Writes everything that is committed and made from something else, in the order in which one needs the
 * other: wire messages, schema, reference pages, dist. Twice gives the same bytes; CI holds it to that.
 */
const generators = [
  () => import('./generate-talos-api.ts'),
  () => import('./generate-schema.ts'),
  () => import('./generate-spec-reference.ts'),
  () => import('./generate-action-docs.ts'),
  () => import('./generate-uses.ts'),
  () => import('./generate-cli-docs.ts'),
  () => import('./build.ts'),
]

for (const generate of generators) await generate()
