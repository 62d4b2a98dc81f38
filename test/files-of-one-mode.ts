/**
 * The files that are of no mode and import one all the same, its domains or its folder of a room (ADR 40): what stands
 * between the code and a second mode. A file leaves this list when it needs neither any more; one that comes in says why. The verbs
 * of `commands/talos` are Talos's own and are not counted.
 */
export const filesOfOneMode: readonly {
  readonly why: string
  readonly files: readonly string[]
}[] = [
  {
    why: 'chooses the mode of a file',
    files: ['commands/modes/cluster-modes.ts'],
  },
  {
    why: 'build the images that Talos nodes start from, which no other mode has',
    files: ['actions/build-image.ts', 'cli/commands/cluster/build-image.ts'],
  },
]
