import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Decrypter } from 'age-encryption'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deleteNode } from '../../src/kubernetes/nodes.ts'
import { talosState } from '../../src/sandbox/talos/talos-state.ts'
import { usableNodes } from '../commands/simulated-kubernetes.ts'
import { runShop } from '../commands/workloads.ts'
import { newestCluster } from '../commands/world-facts.ts'
import { drillBlock } from '../docs/command-blocks.ts'
import { hangLimitMs } from '../hang-limit.ts'
import { commitOnBranch, deleteBranch } from './branch-hands.ts'
import { type DrillBench, startDrillBench } from './drill-bench.ts'
import { type DrillName, drills, type Loss } from './drill-table.ts'
import { identityIn, readStateFacts } from './state-facts.ts'
import { transcript } from './transcript.ts'
import { type Shell, type Sitting, type Typed, typeCommands } from './type-commands.ts'

/** Every name under which a drill leaves an identity. */
const identityFiles = [
  'age-identity.txt',
  'age-identity.epoch-1.txt',
  'age-identity.epoch-2.txt',
  'offline.txt',
]

interface Drill {
  /** Where it is not the first time that its block is typed. */
  readonly again?: string
  /** Done while all is healthy: takes the snapshot that the block restores. */
  readonly before?: () => Promise<unknown>
  /** What has happened when somebody opens the page. */
  readonly loss?: () => Promise<unknown>
  readonly environment?: Readonly<Record<string, string>>
  /** Where the identity of the test opens nothing any more. */
  readonly writesNoNotes?: true
  readonly answers?: Sitting['answers']
  /** What is true of the world afterwards, beside what is always true. */
  readonly afterwards?: (typed: Typed) => Promise<unknown>
}

const controlPlanes = [1, 2, 3].map((slot) => `demo-control-plane-${slot}`)
const nodes = [...controlPlanes, 'demo-workers-1']
const nightly = 's3://my-bucket/demo/demo-20261128T020000Z.etcd.age'
const named = [['Type the name of the cluster to restore it: ', 'demo']] as const
const yes = 'Only "yes" does: '
/** The identity of the runs as the page on keys has it, and with nothing beside it. */
const kept = { HCLOUD_TALOS_AGE_IDENTITY_FILE: 'age-identity.txt' }
const keptAlone = { ...kept, HCLOUD_TALOS_AGE_IDENTITY: undefined }

/** Every drill of the pages, one after the other at one cluster, as somebody types them into this shell. */
export function drillsIn(shell: Shell): void {
  let at: DrillBench
  const report: string[] = []
  const done = new Set<DrillName>()
  beforeAll(async () => {
    at = await startDrillBench()
  }, hangLimitMs)
  afterAll(async () => {
    await at[Symbol.asyncDispose]()
    process.stdout.write(`drills in ${shell}:\n${report.join('')}`)
  })

  const world = () => at.bench.sandbox.world
  const etcd = () => {
    const [found] = newestCluster(world()).etcds.values()
    if (!found) throw new Error('there is no etcd')
    return found
  }
  const takeNightly = async () => {
    world().storage.buckets.get('my-bucket')?.clear()
    await succeed('snapshot', nightly)
  }
  const succeed = async (...args: string[]) =>
    expect(await at.bench.run(args)).toMatchObject({ code: 0 })

  /** After every drill: the branch verifies for whoever has no key, and nobody holds the lock. */
  async function expectNothingHeld(): Promise<void> {
    const env = { HCLOUD_TALOS_AGE_IDENTITY: undefined }
    const verified = await at.bench.run(['verify'], { env })
    expect(verified.code, verified.stdout + verified.stderr).toBe(0)
    const { refs } = await at.bench.outside()
    expect(refs.filter((ref) => ref.includes('-lock/'))).toEqual([])
  }

  const state = () => readStateFacts(at.bench)
  const secretsFile = 'demo/secrets.sops.yaml'
  /** What the state keeps secret, as this identity opens it. */
  const secretsOf = (identity: string) => state().secrets(identity)
  const inFolder = (file: string) => join(at.folder, file)
  /** Who reads the state now: these and nobody else of those that are known. */
  async function expectReaders(...files: readonly string[]): Promise<void> {
    const { sealed, openedBy } = state()
    for (const file of identityFiles) {
      const identity = await identityIn(inFolder(file)).catch(() => undefined)
      if (identity === undefined) continue
      const opened = await openedBy(identity)
      expect([file, opened]).toEqual([file, files.includes(file) ? sealed : []])
    }
  }

  /** Types the commands of the drill's block as they are printed, and holds what its page says is lost. */
  async function run(name: DrillName, drill: Drill): Promise<void> {
    const block = drillBlock(name)
    const [before, later] = [`${name}-before`, `${name}-later`]
    const isNoted = drill.loss && !drill.writesNoNotes
    if (isNoted) await at.writeNote(before)
    await drill.before?.()
    if (isNoted) await at.writeNote(later)
    await drill.loss?.()
    const { commands, printed } = transcript(block.text, block.language)
    const typed = await typeCommands(commands, {
      shell,
      folder: at.folder,
      environment: { ...at.environment, ...drill.environment },
      answers: drill.answers ?? [],
    })
    expect(typed.code, typed.shown).toBe(0)
    for (const line of printed) expect(typed.shown).toMatch(line)
    expect(typed.shown).not.toContain(at.bench.identity)
    await expectNothingHeld()
    const found: Loss = !isNoted || at.hasNote(later) ? 'nothing' : 'after-the-snapshot'
    if (isNoted) {
      expect(at.hasNote(before)).toBe(true)
      expect(usableNodes(world())).toEqual(nodes)
      const plan = await at.bench.run(['plan', '--detailed-exitcode'])
      expect(plan.code, plan.stdout + plan.stderr).toBe(0)
    }
    expect(found).toBe(drills[name])
    await drill.afterwards?.(typed)
    done.add(name)
    report.push(`  ${name}${drill.again ?? ''}: ${typed.seconds.toFixed(1)} s; lost: ${found}\n`)
  }

  const drill = (name: DrillName, title: string, parts: () => Drill) =>
    it(`${name}: ${title}`, { timeout: hangLimitMs }, () => run(name, parts()))

  describe(`the drills of the pages, typed into ${shell}`, () => {
    drill('fresh-machine', 'a clone and a key give a kubeconfig', () => {
      const { commit } = state()
      return {
        environment: { HCLOUD_TOKEN: '', HCLOUD_TALOS_REMOTE: '' },
        async afterwards({ shown }) {
          expect(shown).toContain('no token for Hetzner')
          expect(await at.nodesBy(inFolder('infrastructure/kubeconfig'))).toEqual(nodes)
          expect(state().commit).toBe(commit)
          await rm(inFolder('infrastructure'), { recursive: true })
        },
      }
    })

    drill('offline-key', 'the key from the safe gives a kubeconfig', () => {
      const { commit } = state()
      return {
        before: () => rm(inFolder('kubeconfig'), { force: true }),
        environment: { HCLOUD_TOKEN: '' },
        async afterwards() {
          expect(await at.nodesBy(inFolder('kubeconfig'))).toEqual(nodes)
          expect(state().commit).toBe(commit)
        },
      }
    })

    drill('switched-off', 'an apply starts the server of a control plane', () => {
      const members = [...etcd().members.keys()]
      const { serverId } = at.machine('demo-control-plane-1')
      return {
        loss: () => at.machine('demo-control-plane-1').powerOff(),
        answers: [[yes, 'yes']],
        async afterwards() {
          const { power, serverId: now } = at.machine('demo-control-plane-1')
          expect([power, now]).toEqual(['on', serverId])
          // The same members of the same etcd.
          expect([...etcd().members.keys()]).toEqual(members)
        },
      }
    })

    drill('silent-control-plane', 'a control plane that is named gets a new server', () => {
      const { serverId } = at.machine('demo-control-plane-2')
      return {
        loss: () => at.machine('demo-control-plane-2').powerOff(),
        answers: [[yes, 'yes']],
        async afterwards() {
          expect(at.machine('demo-control-plane-2').serverId).not.toBe(serverId)
          expect(etcd().members.size).toBe(3)
          expect(world().hetzner.servers.has(serverId)).toBe(false)
        },
      }
    })

    drill('node-object-deleted', 'an apply brings Nodes back without a reboot', () => {
      const boots = nodes.map((name) => at.machine(name).bootId)
      return {
        loss: () => at.withKubernetes((client) => deleteNode(client, 'demo-workers-1')),
        answers: [[yes, 'yes']],
        afterwards: async () => expect(nodes.map((name) => at.machine(name).bootId)).toEqual(boots),
      }
    })

    drill('etcd-full', 'the alarm is lowered, and writes go through again', () => ({
      loss: async () => {
        etcd().outOfSpace = etcd().leader
      },
      answers: [
        [yes, 'yes'],
        [yes, 'yes'],
      ],
      afterwards: async ({ shown }) => {
        expect(etcd().outOfSpace).toBeUndefined()
        expect(shown).toContain('nothing to do')
      },
    }))

    drill('quorum-lost', 'the survivor of three has everything', () => ({
      loss: async () => {
        for (const name of controlPlanes.slice(0, 2)) await at.deleteServer(name)
      },
      answers: named,
      async afterwards({ shown }) {
        expect(shown).toContain(
          'etcd has lost its quorum: this snapshot is of demo-control-plane-3',
        )
        expect(shown).toContain('nothing that they have is lost')
        const copies = (await readdir(at.folder)).filter((file) =>
          file.startsWith('demo-replaced-'),
        )
        expect(copies).toEqual([expect.stringMatching(/^demo-replaced-demo-control-plane-3-/)])
      },
    }))

    drill('etcd-lost', 'the disks of all control planes lost it', () => ({
      before: takeNightly,
      async loss() {
        await at.withKubernetes((client) => runShop(client, world()))
        const lost = [...talosState(world()).nodes].filter(({ config }) => config?.controlPlane)
        for (const one of lost) one.etcd.wipe()
        for (const name of controlPlanes) {
          await at.machine(name).powerCycle()
          await at.machine(name).settled()
        }
      },
      answers: named,
      async afterwards({ shown }) {
        expect(shown).toMatch(/after the snapshot is lost: since .*Z, \d+ min ago/)
        expect(shown).toMatch(/! the volume \S+ \(10 GB\) was created after the snapshot/)
        expect(shown).toMatch(/! the load balancer \S+ was created after the snapshot/)
      },
    }))

    drill('etcd-lost', 'every server is deleted', () => ({
      again: ' (all servers)',
      before: takeNightly,
      async loss() {
        for (const name of nodes) await at.deleteServer(name)
      },
      answers: named,
    }))

    drill('snapshots-there-are', 'the list of a bucket', () => ({
      async afterwards({ shown }) {
        expect(shown).toMatch(/Z +demo-control-plane-\d +1\.36\.3 .* yes +s3:\/\/my-bucket\/demo\//)
      },
    }))

    drill('authorities-ended', 'servers of yesterday are deleted, and a restore renews', () => ({
      before: takeNightly,
      async loss() {
        await at.endAuthorities()
        expect(await at.bench.run(['apply', '--yes'])).toMatchObject({ code: 45 })
        for (const name of nodes) await at.deleteServer(name)
      },
      answers: named,
      afterwards: async ({ shown }) =>
        expect(shown).toContain('issued once more over the same keys'),
    }))

    drill('plain-snapshot', 'a plain file, over an etcd that is alive', () => ({
      before: () => succeed('talos', 'etcd', 'snapshot', 'etcd.snapshot'),
      loss: async () => undefined,
      answers: named,
    }))

    drill('branch-lost', 'a talosconfig brings the state back', () => {
      let secrets: unknown
      return {
        async loss() {
          secrets = await secretsOf(at.bench.identity)
          await succeed('talosconfig')
          deleteBranch(at.bench)
        },
        answers: [[yes, 'yes']],
        async afterwards({ shown }) {
          expect(shown).toContain('nothing to do')
          // The cluster's own, for each of the recipients.
          expect(await secretsOf(at.bench.identity)).toEqual(secrets)
          expect(await secretsOf(await identityIn(inFolder('offline.txt')))).toEqual(secrets)
        },
      }
    })

    drill('repair', 'a file that somebody pushed to the branch is taken off', () => ({
      async loss() {
        await commitOnBranch(at.bench, 'demo/notes.txt', 'Notes')
      },
      answers: [
        ['Why, in one sentence that others will read: ', 'Anna put notes there'],
        ['Type demo to sign for exactly this: ', 'demo'],
      ],
      afterwards: async ({ shown }) => {
        expect(shown).toMatch(/generation \d+ accepts it: Anna put notes there/)
        expect(state().paths).not.toContain('demo/notes.txt')
        expect(state().paths).toContain(secretsFile)
      },
    }))

    drill('export', 'the state is in one file', () => {
      const { commit, sealed } = state()
      return {
        async afterwards() {
          const bundle = await readFile(inFolder('demo-recovery.tar.age'))
          for (const identity of [at.bench.identity, await identityIn(inFolder('offline.txt'))]) {
            const decrypter = new Decrypter()
            decrypter.addIdentity(identity)
            const archive = Buffer.from(await decrypter.decrypt(bundle)).toString('latin1')
            expect(sealed.filter((path) => !archive.includes(basename(path)))).toEqual([])
          }
          expect(state().commit).toBe(commit)
        },
      }
    })

    drill('import', 'that file brings the state back', () => {
      let secrets: unknown
      return {
        async loss() {
          secrets = await secretsOf(at.bench.identity)
          deleteBranch(at.bench)
        },
        answers: [[yes, 'yes']],
        async afterwards({ shown }) {
          expect(shown).toContain('nothing to do')
          expect(await secretsOf(at.bench.identity)).toEqual(secrets)
        },
      }
    })

    drill('compact', 'the history becomes one commit', () => {
      const { paths } = state()
      return {
        answers: [[yes, 'yes']],
        async afterwards({ shown }) {
          expect(shown).toMatch(/hcloud-talos: 1 commits, generations/)
          expect(state().commits).toBe(1)
          expect(state().paths).toEqual(paths)
          await secretsOf(at.bench.identity)
        },
      }
    })

    drill('unlock', 'the lock of a run that was killed is broken, and an apply goes on', () => ({
      async loss() {
        await at.killApply()
        const { refs } = await at.bench.outside()
        expect(
          refs.filter((ref) => ref.endsWith('refs/heads/hcloud-talos-lock/demo')),
        ).toHaveLength(1)
      },
      answers: [[yes, 'yes']],
      afterwards: async ({ shown }) => {
        expect(shown).toContain('The lock of demo is broken: its holder has ended')
        expect(shown).toContain('nothing to do')
      },
    }))

    drill('rotation-prepared', 'a new identity is made, and nothing else', () => ({
      environment: kept,
      async loss() {
        await at.bench.write('age-identity.txt', `${at.bench.identity}\n`)
      },
      async afterwards() {
        const path = inFolder('age-identity.new.txt')
        expect((await stat(path)).mode & 0o777).toBe(0o600)
        // Nobody opens anything with it before the state is handed over.
        expect(await state().openedBy(await identityIn(path))).toEqual([])
        await expectReaders('age-identity.txt', 'offline.txt')
        await at.mergePrepared(keptAlone)
      },
    }))

    drill('rotate', 'the state is handed over, and the former identity is kept', () => ({
      environment: kept,
      loss: async () => undefined,
      answers: [[yes, 'yes']],
      async afterwards({ shown }) {
        expect(shown).toContain('1 former identity was tried and opened none')
        const former = await readFile(join(at.folder, 'age-identity.epoch-1.txt'), 'utf8')
        expect(former).toBe(`${at.bench.identity}\n`)
        await expectReaders('age-identity.txt', 'offline.txt')
      },
    }))

    drill('revoke', 'every node gets another CA of the Talos API', () => {
      let thiefs: unknown
      return {
        environment: kept,
        async loss() {
          thiefs = await secretsOf(await identityIn(inFolder('age-identity.txt')))
          await succeed('talos', 'version', '--talosconfig', 'talosconfig')
          const prepared = await at.bench.run(['rotate', '--prepare'], { env: keptAlone })
          expect(prepared).toMatchObject({ code: 0 })
          await at.mergePrepared(keptAlone)
        },
        writesNoNotes: true,
        answers: [[yes, 'yes']],
        async afterwards({ shown }) {
          expect(shown).toContain('4 nodes have another CA of the Talos API')
          expect(shown).toContain('nothing to do')
          expect(usableNodes(world())).toEqual(nodes)
          await expectReaders('age-identity.txt', 'offline.txt')
          const now = await secretsOf(await identityIn(inFolder('age-identity.txt')))
          expect(now).not.toEqual(thiefs)
          // What was minted before is void, and what is minted now opens every node.
          const next = { env: keptAlone }
          const former = await at.bench.run(
            ['talos', 'version', '--talosconfig', 'talosconfig'],
            next,
          )
          expect(former.code).not.toBe(0)
          expect(await at.bench.run(['talos', 'version'], next)).toMatchObject({ code: 0 })
        },
      }
    })

    it('are all of the table, so that no page has one that is not run', () => {
      expect([...done].sort()).toEqual(Object.keys(drills).sort())
    })

    it('nothing of them is left lying about', async () => {
      expect(await readdir(at.bench.temporaryFolder)).toEqual([])
      expect(world().contractErrors).toEqual([])
    })
  })
}
