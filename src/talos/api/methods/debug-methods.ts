import { DebugContainerRunRequestSpec_Profile, DebugService } from '../gen/machine/debug_pb.js'
import type { CallOptions, Requests, TalosCaller } from '../talos-caller.ts'
import { containerdOf } from './image-store.ts'

/** A container to look around in. */
export interface DebugContainer {
  readonly image: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Whether its input and output are a terminal's. */
  readonly tty?: boolean
}

/** What can be sent into it while it runs. */
export type DebugInput =
  | { readonly stdin: Uint8Array }
  /** The number of a signal. */
  | { readonly signal: number }
  | { readonly width: number; readonly height: number }

/** Looking around on a node (Talos 1.13 and later), with all of its rights. For os:admin. */
export function debugMethods(caller: TalosCaller) {
  return {
    /** Runs a container until it ends: its output, and its exit code in the end. */
    containerRun: (
      container: DebugContainer,
      input: Requests<DebugInput> = [],
      options?: CallOptions,
    ) => caller.duplex(DebugService.method.containerRun, requests(container, input), options),
  }
}

async function* requests(
  { image, args = [], env = {}, tty = false }: DebugContainer,
  input: Requests<DebugInput>,
) {
  const spec = {
    containerd: containerdOf('system'),
    imageName: image,
    args: [...args],
    env: { ...env },
    profile: DebugContainerRunRequestSpec_Profile.PRIVILEGED,
    tty,
  }
  yield { request: { case: 'spec' as const, value: spec } }
  for await (const each of input) yield { request: toRequest(each) }
}

function toRequest(input: DebugInput) {
  if ('stdin' in input) return { case: 'stdinData' as const, value: input.stdin }
  if ('signal' in input) return { case: 'signal' as const, value: input.signal }
  return { case: 'termResize' as const, value: input }
}
