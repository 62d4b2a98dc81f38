import { userInfo } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compareAddonsInMode } from '../../src/commands/modes/addons-in-mode.ts'
import { exportInMode } from '../../src/commands/modes/export-in-mode.ts'
import { hostsMode } from '../../src/commands/modes/kubeadm/hosts-mode.ts'
import { planInMode } from '../../src/commands/modes/plan-in-mode.ts'
import { recoverInMode } from '../../src/commands/modes/recover-in-mode.ts'
import { verifyInMode } from '../../src/commands/modes/verify-in-mode.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { fieldAt, textAt } from '../../src/lib/kubernetes-object.ts'
import { updateObject } from '../../src/sandbox/kubernetes/api/update-object.ts'
import { git } from '../store/state-fixture.ts'
import { type HostsCluster, startHostsCluster } from './hosts-run.ts'

const names = ['cp-1', 'worker-1']
const greeting = (text: string): JsonObject => ({
  name: 'greeting',
  type: 'manifest',
  namespace: 'greetings',
  inline: [
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: greeting}\ndata: {text: "${text}"}\n`,
  ],
})
const more = { custom: [greeting('hello')] }
const mark = 'var/lib/hcloud-talos/cluster.json'

describe.skipIf(userInfo().uid !== 0)('the addons and the state of a cluster on hosts', () => {
  let rack: HostsCluster
  beforeAll(async () => {
    rack = await startHostsCluster({ hosts: names })
    await rack.apply(names, more)
  })
  afterAll(() => rack[Symbol.asyncDispose]())

  const file = () => rack.file(names, more)
  const host = (name: string) => rack.hosts.host(name).host
  const api = () => {
    const [cluster] = rack.hosts.clusters.all
    if (!cluster) throw new Error('there is a cluster')
    return cluster.kubernetes.context
  }
  const greetingText = () =>
    textAt(api().store.get('configmaps', 'greetings/greeting') ?? {}, 'data', 'text')
  const change = (text: string) =>
    updateObject(
      api(),
      api().resources.builtin('configmaps'),
      'greetings/greeting',
      (live) => ({ ...live, data: { text } }),
      { manager: 'kubectl-edit' },
    )

  test('an object of an addon that was changed by hand is in the plan, and an apply puts it back', async () => {
    expect(greetingText()).toBe('hello')
    expect(await rack.plan(names, more)).toEqual([])
    change('goodbye')
    const { plan, drifted } = await planInMode(hostsMode, await rack.run(), {
      file: file(),
      verb: 'apply',
    })
    expect(drifted).toEqual(['the addon greeting'])
    expect(plan.changes.map(({ action, key }) => `${action} ${key}`)).toEqual([
      'update addon/greeting',
    ])
    const compared = await compareAddonsInMode(hostsMode, await rack.run(), {
      file: rack.file(names, { custom: [greeting('good evening')] }),
      names: [],
    })
    expect(fieldAt(JSON.parse(JSON.stringify(compared)), 0, 'drifts', 0)).toMatchObject({
      type: 'changed',
      ref: { kind: 'ConfigMap', name: 'greeting' },
    })
    await rack.apply(names, more)
    expect(greetingText()).toBe('hello')
    expect(await rack.plan(names, more)).toEqual([])
  })

  test('the hosts are asked how far the state has come, and remember what a run that was killed wrote', async () => {
    const context = await rack.run()
    const verified = await verifyInMode(hostsMode, context, file())
    expect(verified.problems).toEqual([])
    const { generation: newest } = verified.newest?.manifest ?? {}
    expect(verified.answer).toMatchObject({ kind: 'answered', anchor: { generation: newest } })
    await using session = await hostsMode.open(context, file())
    const before = await session.store.read()
    if (!before) throw new Error('there is a state')
    await session.store.lock({ waitMs: 0 })
    await session.store.record({ fact: 'state-recovered' })
    const generation = await session.store.read()
    if (!generation) throw new Error('there is a state')
    await hostsMode.machines.anchorGeneration(context, generation)
    const remembered = JSON.parse(await host('worker-1').folder.read(mark))
    expect(remembered.generation).toBe(generation.manifest.generation)
    // Never back, and no failure where this run has no key.
    await hostsMode.machines.anchorGeneration(context, before)
    expect(JSON.parse(await host('worker-1').folder.read(mark))).toEqual(remembered)
    const keyless = { ...context, state: { ...context.state, environment: process.env } }
    await hostsMode.machines.anchorGeneration(keyless, generation)
    const asked = await hostsMode.machines.askAnchor(
      keyless,
      { file: file(), spec: session.spec },
      generation,
    )
    expect(asked).toEqual({ kind: 'not asked' })
  })

  test('a state that is lost is found by the hosts, and recreated from them and their cluster', async () => {
    await git(rack.remote, 'update-ref', '-d', 'refs/heads/hcloud-talos')
    await expect(exportInMode(hostsMode, await rack.run(), file())).rejects.toMatchObject({
      code: 'state-missing',
    })
    await expect(rack.plan(names, more)).rejects.toMatchObject({ code: 'state-missing' })
    const own = await host('worker-1').folder.read(mark)
    await host('worker-1').folder.put(mark, own.replace(/"uid":"\w{4}/, '"uid":"0000'))
    await expect(
      recoverInMode(hostsMode, await rack.run(), { file: file() }),
    ).rejects.toMatchObject({
      code: 'recovery-impossible',
      message: expect.stringMatching(/cp-1 is of rack \(uid \w+\), worker-1 is of rack \(uid 0000/),
    })
    await host('worker-1').folder.put(mark, own)
    const before = JSON.parse(own)
    const { nodes, plan, generation } = await recoverInMode(hostsMode, await rack.run(), {
      file: file(),
    })
    expect([...nodes].toSorted()).toEqual(names)
    expect(plan.changes).toEqual([])
    expect(generation).toBeGreaterThan(before.generation)
    await using session = await hostsMode.open(await rack.run(), file())
    const state = await session.store.read()
    expect(state?.inventory).toMatchObject({
      uid: before.uid,
      bootstrapped: true,
      authority: expect.stringMatching(/^sha256:/),
    })
    expect(state?.hasSecrets).toBe(false)
    expect(Object.keys(state?.inventory.addons ?? {})).toEqual(['greeting'])
    expect(await rack.plan(names, more)).toEqual([])
    expect(rack.hosts.world.contractErrors).toEqual([])
  })
})
