import { ClusterError } from '../../lib/cluster-error.ts'
import type { BpfInstruction } from '../../talos/api/methods/network-methods.ts'

/** A filter as `tcpdump -dd` prints it: `{ 0x28, 0, 0, 0x0000000c }, ...`. Throws `usage`. */
export function parseBpf(text: string): BpfInstruction[] {
  const whole = text.replace(/\s+/g, '')
  const parts = [...whole.matchAll(/\{(\w+),(\w+),(\w+),(\w+)\},?/g)]
  const numbers = parts.map(([, ...fields]) => fields.map(Number))
  const isComplete = parts.map(([part]) => part).join('') === whole
  if (!isComplete || numbers.flat().some((value) => !Number.isInteger(value))) {
    throw new ClusterError('usage', 'this is no packet filter', {
      hint: "Give what `tcpdump -dd 'port 53'` prints.",
    })
  }
  return numbers.map(([op = 0, jt = 0, jf = 0, k = 0]) => ({ op, jt, jf, k }))
}
