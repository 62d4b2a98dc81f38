import type { Finding } from '../../src/lib/finding.ts'
import { loadSpec } from '../../src/spec/load-spec.ts'

/** A small file without any finding. Its lines are counted on by the tables of mistakes. */
export const sampleFile = `clusterName: demo
hetzner:
  region: hel1
nodes:
  controlPlane:
    count: 3
    type: cx23
  workers:
    count: 2
    type: cx33
talos:
  version: v1.9.0
kubernetes:
  version: 1.32.0
state:
  recipients:
    - age1ktayav25lhrgzxfwyejyluaq6mwg5ruk43elhc9u0927s5xnzqhs2eg575
    - age17fvfhl8maclzvwq8v9e8hwnpl3705980vasjc9m5hnguv8exdpkqule9w7
`

/** A finding as one line: `6:12 error: <message> -> <hint>`. */
export function showFinding({ position, severity, message, hint }: Finding): string {
  const place = `${position?.line}:${position?.column}`
  return `${place} ${severity}: ${message}${hint === undefined ? '' : ` -> ${hint}`}`
}

/** The findings of a text, each as one line. */
export function findingsOf(text: string): string[] {
  return loadSpec(text).findings.map(showFinding)
}

/** The sample with one part exchanged, which must be in it exactly once. */
export function sampleWith(part: string, replacement: string): string {
  const pieces = sampleFile.split(part)
  if (pieces.length !== 2) throw new Error(`the sample has ${pieces.length - 1} times: ${part}`)
  return pieces.join(replacement)
}

/** The sample with lines added at its end. */
export function sampleAnd(lines: string): string {
  return `${sampleFile}${lines}\n`
}

/** The sample with a list of named pools, given as YAML lines, in the place of its workers. */
export function sampleWithPools(lines: string): string {
  return sampleWith('  workers:\n    count: 2\n    type: cx33\n', `  workers:\n${lines}`)
}

/** One kind of mistake: what it is, the text that has it, and all that is found. */
export type Mistake = readonly [name: string, text: string, found: readonly string[]]
