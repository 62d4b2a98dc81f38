import { runProgram } from '../run-program.ts'

/** Throws in a network namespace that has wires: it may be that of the machine. */
export async function requireEmptyNamespace(): Promise<void> {
  const shown = await runProgram('ip', ['-json', 'addr', 'show', 'scope', 'global'])
  const links: { ifname: string; addr_info: unknown[] }[] = JSON.parse(shown)
  const wired = links.find(({ addr_info: addresses }) => addresses.length > 0)
  if (wired === undefined) return
  throw new Error(
    `real nodes need a network namespace of their own, and this one has ${wired.ifname}`,
  )
}
