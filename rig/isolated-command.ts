/**
 * The command that runs another in namespaces of its own: processes, mounts and network. Whatever that one
 * starts, mounts and wires ends with it, by the kernel's hand, however it ends; and it ends with us.
 */
export function isolatedCommand(
  command: readonly string[],
): readonly [program: string, ...args: string[]] {
  return [
    'setpriv',
    '--pdeathsig',
    'KILL',
    'unshare',
    '--mount',
    '--net',
    '--pid',
    '--fork',
    '--kill-child=KILL',
    '--mount-proc',
    '--',
    ...command,
  ]
}
