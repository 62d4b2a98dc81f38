import { status } from '@grpc/grpc-js'
import { beforeAll, describe, expect, test } from 'vitest'
import { createClock } from '../../src/lib/clock.ts'
import { State } from '../../src/talos/api/gen/cosi/state_pb.js'
import {
  ApplyConfigurationRequest_Mode,
  MachineService,
} from '../../src/talos/api/gen/machine/machine_pb.js'
import type { SecretsBundle } from '../../src/talos/config/secrets-bundle.ts'
import type { TalosCredentials } from '../../src/talos/config/talosconfig.ts'
import { type ConfigureNodeOptions, configureNode } from '../../src/talos/configure-node.ts'
import { testCluster } from './test-cluster.ts'
import {
  type Answer,
  answer,
  answerBootId,
  answerStage,
  answerVersion,
  Refusal,
  startTestNode,
  type TestNode,
} from './test-node.ts'

const config = 'machine: {}\n'
const { AUTO, NO_REBOOT, REBOOT, STAGED } = ApplyConfigurationRequest_Mode
let secrets: SecretsBundle
let credentials: TalosCredentials
beforeAll(async () => {
  ;({ secrets, credentials } = await testCluster())
})

/** A machine that goes from one state to the next, on one port, as a server does when it boots. */
class Machine implements AsyncDisposable {
  readonly applied: { text: string; mode: number; in: 'maintenance' | 'configured' }[] = []
  bootId = 'boot-1'
  #node: TestNode | undefined

  get port(): number {
    return this.#node?.port ?? 0
  }

  async enter(state: 'maintenance' | 'configured', answers: readonly Answer[] = []): Promise<void> {
    const port = this.port
    await this.#node?.[Symbol.asyncDispose]()
    this.#node = await startTestNode({
      port,
      ...(state === 'configured' && { secrets }),
      answers:
        answers.length > 0
          ? answers
          : state === 'maintenance'
            ? [answerStage(() => 'maintenance'), this.takesConfig(state, AUTO)]
            : [
                answerVersion(() => 'v1.13.0'),
                answerBootId(() => this.bootId),
                this.takesConfig(state, NO_REBOOT),
              ],
    })
  }

  takesConfig(
    state: 'maintenance' | 'configured',
    answered: ApplyConfigurationRequest_Mode,
    afterwards?: () => void,
  ): Answer {
    return answer(MachineService.method.applyConfiguration, ({ data, mode }) => {
      this.applied.push({ text: Buffer.from(data).toString(), mode, in: state })
      if (state === 'maintenance') setTimeout(() => void this.enter('configured'), 5)
      if (afterwards) setTimeout(afterwards, 5)
      return { messages: [{ mode: answered, warnings: ['a warning'] }] }
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#node?.[Symbol.asyncDispose]()
  }
}

function options(machine: Machine, changes: Partial<ConfigureNodeOptions> = {}) {
  return {
    name: 'demo-control-plane-1',
    address: '127.0.0.1',
    port: machine.port,
    config,
    credentials,
    clock: createClock(50),
    ...changes,
  }
}

test('a node in maintenance gets its config once, and then answers as one of the cluster', async () => {
  await using machine = new Machine()
  await machine.enter('maintenance')
  const reasons: string[] = []
  const outcome = await configureNode(
    options(machine, { onPending: (reason) => reasons.push(reason) }),
  )
  expect(outcome).toMatchObject({ fresh: true, rebooted: false })
  expect(outcome.fingerprint).toMatch(/^[A-Za-z0-9+/]{43}=$/)
  expect(machine.applied).toEqual([{ text: config, mode: AUTO, in: 'maintenance' }])
  expect(reasons[0]).toBe(`it took its config; the key that it showed is ${outcome.fingerprint}`)
})

test('a run that was killed after the config was taken continues from there', async () => {
  await using machine = new Machine()
  await machine.enter('configured')
  const outcome = await configureNode(options(machine))
  expect(outcome).toMatchObject({ fresh: false, rebooted: false, warnings: ['a warning'] })
  expect(machine.applied).toEqual([{ text: config, mode: AUTO, in: 'configured' }])
})

test('a configured node that must reboot is awaited until it has', async () => {
  await using machine = new Machine()
  await machine.enter('configured', [
    answerVersion(() => 'v1.13.0'),
    answerBootId(() => machine.bootId),
    machine.takesConfig('configured', REBOOT, () => {
      machine.bootId = 'boot-2'
      void machine.enter('configured')
    }),
  ])
  expect(await configureNode(options(machine))).toMatchObject({ fresh: false, rebooted: true })
  expect(machine.applied).toHaveLength(1)
})

describe('a configured node that shows what it runs', () => {
  const live = 'machine: {sysctls: {a: b}}\n'
  const rebooting = 'machine: {udev: {rules: [a]}}\n'

  /** Answers with these configs, and reboots when it is told to. */
  function answersOf(machine: Machine, active: () => string, persistent = active): Answer[] {
    return [
      answerVersion(() => 'v1.13.0'),
      answerBootId(() => machine.bootId),
      machine.takesConfig('configured', NO_REBOOT),
      answer(State.method.get, ({ type, id }) => ({
        resource: {
          metadata: { type, id },
          spec: { yamlSpec: JSON.stringify(id === 'persistent' ? persistent() : active()) },
        },
      })),
      answer(MachineService.method.reboot, () => {
        machine.bootId = 'boot-2'
        setTimeout(
          () =>
            void machine.enter(
              'configured',
              answersOf(machine, () => rebooting),
            ),
          5,
        )
        return { messages: [{}] }
      }),
    ]
  }

  test('is left alone when it runs the config already', async () => {
    await using machine = new Machine()
    await machine.enter(
      'configured',
      answersOf(machine, () => 'machine:\n  pods: []\n'),
    )
    expect(await configureNode(options(machine))).toMatchObject({ fresh: false, rebooted: false })
    expect(machine.applied).toEqual([])
  })

  test('gets a live change without leave to reboot', async () => {
    await using machine = new Machine()
    await machine.enter(
      'configured',
      answersOf(machine, () => config),
    )
    const outcome = await configureNode(options(machine, { config: live }))
    expect(outcome).toMatchObject({ rebooted: false, warnings: ['a warning'] })
    expect(machine.applied).toEqual([{ text: live, mode: NO_REBOOT, in: 'configured' }])
  })

  test('gets ours back although only its disk has another', async () => {
    await using machine = new Machine()
    const answers = answersOf(
      machine,
      () => config,
      () => rebooting,
    )
    await machine.enter('configured', answers)
    await configureNode(options(machine))
    expect(machine.applied).toEqual([{ text: config, mode: NO_REBOOT, in: 'configured' }])
  })

  test('gets what needs a reboot staged, and is rebooted once', async () => {
    await using machine = new Machine()
    await machine.enter(
      'configured',
      answersOf(machine, () => config),
    )
    const outcome = await configureNode(options(machine, { config: rebooting }))
    expect(outcome).toMatchObject({ rebooted: true, warnings: ['a warning'] })
    expect(machine.applied).toEqual([{ text: rebooting, mode: STAGED, in: 'configured' }])
  })

  test.each([
    ['v1.13.9', AUTO, false],
    ['v1.14.1', STAGED, true],
  ])(
    'that it does not show, a node of %s takes by itself, or with a reboot since 1.14',
    async (version, mode, rebooted) => {
      await using machine = new Machine()
      const [, boot, , , reboots] = answersOf(machine, () => config)
      if (!boot || !reboots) throw new Error('all of them are there')
      const answers = [
        answerVersion(() => version),
        boot,
        machine.takesConfig('configured', mode),
        reboots,
      ]
      await machine.enter('configured', answers)
      await configureNode(options(machine, { config: rebooting }))
      expect(machine.applied).toEqual([{ text: rebooting, mode, in: 'configured' }])
      expect(machine.bootId === 'boot-2').toBe(rebooted)
    },
  )
})

test('without leave to reboot, a config that needs it is refused in words', async () => {
  await using machine = new Machine()
  await machine.enter('configured', [
    answerBootId(() => 'boot-1'),
    answer(MachineService.method.applyConfiguration, ({ mode }) => {
      expect(mode).toBe(NO_REBOOT)
      throw new Refusal(
        status.INVALID_ARGUMENT,
        "this config change can't be applied in immediate mode",
      )
    }),
  ])
  const failure = configureNode(options(machine, { mode: 'no-reboot' }))
  await expect(failure).rejects.toMatchObject({ code: 'talos-refused' })
  await expect(failure).rejects.toThrow('without a reboot')
})

describe('nothing is handed over', () => {
  test('to a configured node of another cluster', async () => {
    const other = await testCluster()
    await using machine = new Machine()
    await machine.enter('configured')
    const failure = configureNode(options(machine, { credentials: other.credentials }))
    await expect(failure).rejects.toMatchObject({ code: 'talos-identity' })
    expect(machine.applied).toEqual([])
  })

  test('to a node that shows no certificate but is past maintenance', async () => {
    await using machine = new Machine()
    let stage = 'booting'
    await machine.enter('maintenance', [
      answerStage(() => stage),
      machine.takesConfig('maintenance', AUTO),
    ])
    const reasons: string[] = []
    const outcome = await configureNode(
      options(machine, {
        onPending: (reason) => {
          reasons.push(reason)
          if (reason.includes('booting')) {
            expect(machine.applied).toEqual([])
            stage = 'maintenance'
          }
        },
      }),
    )
    expect(outcome.fresh).toBe(true)
    expect(reasons).toContain('it is booting, not in maintenance')
  })
})

test('a config that the node does not like ends the wait with its reason', async () => {
  await using machine = new Machine()
  await machine.enter('maintenance', [
    answerStage(() => 'maintenance'),
    answer(MachineService.method.applyConfiguration, () => {
      throw new Refusal(status.INVALID_ARGUMENT, 'unknown keys found')
    }),
  ])
  await expect(configureNode(options(machine))).rejects.toThrow('unknown keys found')
})

test('a server that never comes is told with the last reason', async () => {
  await using machine = new Machine()
  await machine.enter('maintenance')
  const { port } = machine
  await machine[Symbol.asyncDispose]()
  const failure = configureNode({ ...options(machine, { withinMs: 4_000 }), port })
  await expect(failure).rejects.toMatchObject({ code: 'wait-timeout' })
  await expect(failure).rejects.toThrow('it does not answer yet (ECONNREFUSED)')
})
