import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bare, clusterFile } from '../commands/cluster-files.ts'
import { closedEndpoint, type StrangeEndpoint, silentEndpoint } from '../strange-endpoint.ts'
import { type CommandBench, startCommandBench } from './command-bench.ts'
import { type MeasuredBench, measuredBench } from './measured-bench.ts'

let bench: CommandBench
let at: MeasuredBench
const anywhere = ['127.0.0.0/8']

beforeAll(async () => {
  bench = await startCommandBench()
  at = measuredBench(bench)
  const firewall = { talosApi: anywhere, kubernetesApi: anywhere }
  await bench.write('cluster.yaml', clusterFile({ workers: 0 }, { ...bare, firewall }).text)
  expect((await at.run(['apply', '--yes'])).code).toBe(0)
})
afterAll(() => bench[Symbol.asyncDispose]())

it('commands end where nobody is at the address of Hetzner, or somebody who never answers', async () => {
  await using never = await silentEndpoint()
  await using nobody = await closedEndpoint()
  const ask = ({ host }: StrangeEndpoint, ...args: string[]) =>
    at.run(args, { HCLOUD_ENDPOINT: `http://${host}/v1` })
  const endings = await Promise.all([
    ask(never, 'plan'),
    ask(nobody, 'apply', '--yes'),
    ask(nobody, 'destroy', '--confirm', 'demo'),
    ask(nobody, 'kubeconfig'),
  ])
  for (const { code, signal, stderr } of endings) {
    expect([signal, code === null || code === 0], stderr).toEqual([null, false])
  }
})

it('a command whose push is refused ends', async () => {
  const hooks = join(bench.sandbox.endpoints.git.folder, 'hooks')
  await mkdir(hooks, { recursive: true })
  await writeFile(join(hooks, 'pre-receive'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  const refused = await at.run(['secret', 'set', 'extra', '--from-file', 'cluster.yaml'])
  await rm(join(hooks, 'pre-receive'))
  expect(refused.code, refused.stderr).not.toBe(0)
  expect(refused.signal).toBe(null)
})

it('none of them had to be ended with something still open', async () => {
  expect(await at.forcedEnds()).toEqual([])
})

it('a command ends although a node takes no packets: its connection cannot be taken back', async () => {
  const machine = [...bench.sandbox.world.machines.values()].find(({ name }) => name !== undefined)
  const address = machine?.publicIp ?? ''
  await machine?.powerOff()
  // Listens, and accepts nobody: where two are waiting, the kernel drops the packets of all others.
  const deaf = `require('net').createServer().listen({ host: '${address}', port: 50000, backlog: 1 }, () => {
    require('fs').writeSync(1, 'listens')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  })`
  const child = spawn(process.execPath, ['-e', deaf], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  const waiting = [1, 2, 3].map(() => connect(50_000, address).on('error', () => undefined))
  await Promise.all(waiting.slice(0, 2).map((socket) => once(socket, 'connect')))
  const { code, signal, stderr } = await at.run(['talos', 'version'])
  for (const socket of waiting) socket.destroy()
  child.kill('SIGKILL')
  expect([signal, code === null || code === 0], stderr).toEqual([null, false])
  // gRPC's client cannot take a connection back that is being made, so the process is ended with it.
  expect(await at.forcedEnds()).toEqual([
    expect.stringMatching(/^hcloud-talos\.ts talos version: .*TCP/),
  ])
})
