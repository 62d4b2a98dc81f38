/** A version without v and without zeros in front of its numbers: `1.13.9` for `v1.13.09`. */
export function plainVersion(written: string): string {
  return written
    .replace(/^v/, '')
    .split('.')
    .map((part) => part.replace(/^0+(?=\d)/, ''))
    .join('.')
}
