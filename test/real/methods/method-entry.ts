import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { status } from '@grpc/grpc-js'
import { expect } from 'vitest'
import type { TalosApi } from '../../../src/talos/api/talos-api.ts'
import { statusCode } from '../../../src/talos/api/talos-status.ts'
import type { TalosCredentials } from '../../../src/talos/config/talosconfig.ts'
import type { RealCluster } from '../real-cluster.ts'

/** A real node, and its API as an administrator has it. */
export interface RealNode {
  readonly name: string
  readonly address: string
  readonly privateIp: string
  readonly api: TalosApi
}

/** The nodes that methods are called on. */
export interface RealNodes {
  readonly cluster: RealCluster
  readonly credentials: TalosCredentials
  /** The only control plane. */
  readonly controlPlane: RealNode
  /** A worker that runs workloads. */
  readonly worker: RealNode
  /** A worker that goes afterwards: what takes a node down is asked of this one. */
  readonly spare: RealNode
}

/** Calls one method on a real node and asserts what is true of its answer. */
export type MethodEntry = (nodes: RealNodes) => Promise<void>

/** An entry for each method of a service, and for nothing else. */
export type EntriesOf<Service> = { readonly [Method in keyof Service]: MethodEntry }

/** For a method that a node refuses here: called all the same. Why it does belongs beside it. */
export function refused<Nodes extends readonly RealNodes[]>(
  code: status,
  words: RegExp,
  call: (...nodes: Nodes) => Promise<unknown> | AsyncIterable<unknown>,
): (...nodes: Nodes) => Promise<void> {
  return async (...nodes) => {
    const failure = await ended(call(...nodes)).catch((error: unknown) => error)
    expect(status[statusCode(failure) ?? status.OK]).toBe(status[code])
    expect(String(failure)).toMatch(words)
  }
}

/** For a method that would end this life: the test of this title calls it, on real nodes too. */
export function elsewhere(file: string, title: string): MethodEntry {
  return async () => {
    const text = await readFile(join(import.meta.dirname, '../../..', file), 'utf8')
    expect(text).toContain(title)
  }
}

/** No more than so many answers of a stream. */
export async function take<T>(stream: AsyncIterable<T>, count: number): Promise<T[]> {
  const taken: T[] = []
  for await (const each of stream) {
    taken.push(each)
    if (taken.length === count) break
  }
  return taken
}

/** Every answer of a stream, to its end. */
export function allOf<T>(stream: AsyncIterable<T>): Promise<T[]> {
  return take(stream, Number.POSITIVE_INFINITY)
}

/** All bytes of a stream of them. */
export async function bytesOf(stream: AsyncIterable<{ bytes: Uint8Array }>): Promise<Buffer> {
  return Buffer.concat((await allOf(stream)).map(({ bytes }) => bytes))
}

/** Calls something that takes a node down, and returns when it is another boot that answers. */
export async function rebootsBy({ api }: RealNode, call: () => Promise<unknown>): Promise<void> {
  const bootId = () => bytesOf(api.machine.read('/proc/sys/kernel/random/boot_id')).then(String)
  const before = await bootId()
  await call()
  await expect.poll(() => bootId().catch(() => before), patience).not.toBe(before)
  const isReady = async () => {
    const type = { namespace: 'runtime', type: 'MachineStatuses.runtime.talos.dev' }
    const { resource } = await api.resources.get(type, 'machine')
    return resource?.spec?.yamlSpec ?? ''
  }
  await expect.poll(() => isReady().catch(() => ''), patience).toContain('ready: true')
}

/** How long what is asked for may take, and how often it is looked for, in milliseconds. */
export const patience = { timeout: 120_000, interval: 500 } as const

async function ended(call: Promise<unknown> | AsyncIterable<unknown>): Promise<unknown> {
  return call instanceof Promise ? call : allOf(call)
}
