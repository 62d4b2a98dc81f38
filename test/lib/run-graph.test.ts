import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runGraph, sortTasks, type Task } from '../../src/lib/run-graph.ts'

/** Tasks named 0…n-1, each needing only lower ones: every such graph is free of cycles. */
const graphs = fc
  .integer({ min: 1, max: 12 })
  .chain((size) =>
    fc.tuple(
      ...Array.from({ length: size }, (_, index) =>
        fc.uniqueArray(fc.nat({ max: Math.max(0, index - 1) }), { maxLength: index }),
      ),
    ),
  )

function toTasks(
  needs: readonly (readonly number[])[],
  run: (id: string) => Promise<void>,
): Task[] {
  return needs.map((list, index) => ({
    id: String(index),
    needs: list.map(String),
    run: () => run(String(index)),
  }))
}

describe('runGraph', () => {
  test('runs every task once, and only after all that it needs', async () => {
    await fc.assert(
      fc.asyncProperty(graphs, fc.integer({ min: 1, max: 4 }), async (needs, concurrency) => {
        const finished: string[] = []
        const tasks = toTasks(needs, async (id) => {
          expect(finished).toEqual(expect.arrayContaining(tasks[Number(id)]?.needs.slice() ?? []))
          await Promise.resolve()
          finished.push(id)
        })
        await runGraph(tasks, concurrency)
        expect(finished.toSorted()).toEqual(tasks.map((task) => task.id).toSorted())
      }),
    )
  })

  test('never runs more at once than allowed', async () => {
    let running = 0
    let most = 0
    const tasks = Array.from({ length: 20 }, (_, index) => ({
      id: String(index),
      needs: [],
      run: async () => {
        most = Math.max(most, ++running)
        await new Promise((resolve) => setImmediate(resolve))
        running--
      },
    }))
    await runGraph(tasks, 3)
    expect(most).toBe(3)
  })

  test('what waits for another takes no place from it', async () => {
    let opened = false
    const waiting = (id: string): Task => ({
      id,
      needs: [],
      waits: true,
      run: async () => {
        while (!opened) await new Promise((resolve) => setImmediate(resolve))
      },
    })
    const open: Task = {
      id: 'z',
      needs: [],
      run: async () => {
        opened = true
      },
    }
    await runGraph([waiting('a'), waiting('b'), open], 1)
    expect(opened).toBe(true)
  })

  test('starts nothing after a failure, although its turn has come and its needs are met', async () => {
    const ran: string[] = []
    const pass = () => new Promise<void>((resolve) => setImmediate(resolve))
    const task = (id: string, needs: string[], run = pass): Task => ({
      id,
      needs,
      run: () => {
        ran.push(id)
        return run()
      },
    })
    const fail = async () => {
      throw new Error('it fails')
    }
    // The second waits for a free place, the fourth for the third, which was started before.
    await expect(runGraph([task('a', [], fail), task('b', [])], 1)).rejects.toThrow('it fails')
    expect(ran).toEqual(['a'])
    const graph = [task('c', []), task('d', [], fail), task('e', ['c'])]
    await expect(runGraph(graph, 5)).rejects.toThrow('it fails')
    expect(ran).toEqual(['a', 'c', 'd'])
  })

  test('starts nothing that needs a failed task, and throws the first failure', async () => {
    const ran: string[] = []
    const task = (id: string, needs: string[], fails = false): Task => ({
      id,
      needs,
      run: async () => {
        ran.push(id)
        if (fails) throw new Error(`${id} failed`)
      },
    })
    const tasks = [task('a', [], true), task('b', ['a']), task('c', ['b'])]
    await expect(runGraph(tasks, 5)).rejects.toThrow('a failed')
    expect(ran).toEqual(['a'])
  })

  test('a cycle is refused before anything runs', async () => {
    let ran = false
    const run = async () => {
      ran = true
    }
    const tasks = [
      { id: 'a', needs: ['b'], run },
      { id: 'b', needs: ['a'], run },
    ]
    await expect(runGraph(tasks, 1)).rejects.toThrow('cycle')
    expect(ran).toBe(false)
  })

  test('sorting keeps the order of what does not depend on each other', () => {
    const tasks = [
      { id: 'c', needs: ['a'] },
      { id: 'b', needs: [] },
      { id: 'a', needs: [] },
    ]
    expect(sortTasks(tasks).map((task) => task.id)).toEqual(['a', 'c', 'b'])
  })
})
