import { z } from 'zod'

/**
 * A text of a given form. A text of another form gives a finding `<path> <must>`, as in
 * `talos.version must be a version such as v1.9.0`, with the hint where there is one.
 */
export function formatted(
  pattern: RegExp,
  must: string,
  hint?: string | ((written: string) => string | undefined),
) {
  return z.string().regex(pattern, {
    error: ({ input }) => {
      const advice = typeof hint === 'function' ? hint(String(input)) : hint
      return packMessage(must, advice)
    },
  })
}

/** zod's messages are one text each: what must hold stands on its first line, the hint on its second. */
function packMessage(must: string, hint: string | undefined): string {
  return hint === undefined ? must : `${must}\n${hint}`
}

export function unpackMessage(message: string): { must: string; hint: string | undefined } {
  const [must = '', hint] = message.split('\n', 2)
  return { must, hint }
}

/** A DNS label (RFC 1123): what names of clusters, pools and nodes are made of. */
export function dnsLabel() {
  return formatted(
    /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/,
    'must be made of lower-case letters, digits and hyphens, with a letter or digit at both ends, and have 63 characters at most',
    (written) => {
      const better = written
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-')
        .replaceAll(/^-+|-+$/g, '')
      return better === '' || better === written || better.length > 63
        ? undefined
        : `Write ${better}.`
    },
  )
}

/** A text that is not empty. */
export function filled() {
  return formatted(/\S/, 'must not be empty')
}

/** An IPv4 range by its looks; whether it is a true one is checked together with the others. */
export function ipv4Range() {
  return formatted(
    /^\d{1,3}(\.\d{1,3}){3}\/\d{1,2}$/,
    'must be an IPv4 range such as 10.0.0.0/16',
    (written) =>
      /^\d{1,3}(\.\d{1,3}){3}$/.test(written) ? `Add a prefix length: ${written}/16.` : undefined,
  )
}
