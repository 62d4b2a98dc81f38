import type { Minors } from './known-fields.ts'

/** `since 1.12`, `1.10 to 1.12`, `up to 1.12`: the versions of Talos that know of something. */
export function describeMinors({ since, until }: Minors): string {
  if (until === undefined) return since === undefined ? 'of every version' : `since 1.${since}`
  if (since === undefined) return `up to 1.${until}`
  return since === until ? `1.${since} alone` : `1.${since} to 1.${until}`
}
