import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  defaultHostsWorkflow,
  defaultWorkflow,
} from '../../src/cli/commands/cluster/default-workflow.ts'
import { readClusterFile } from '../../src/commands/modes/cluster-modes.ts'
import { errorCodes } from '../../src/lib/error-codes.ts'
import { publishedAction } from '../../src/lib/published-action.ts'
import { workflowProblems } from './check-workflow.ts'
import { anchorsOf, fencedBlocks, markdownFiles, withoutCode } from './markdown-files.ts'

const root = resolve(import.meta.dirname, '../..')
const files = markdownFiles()
const blocks = files.flatMap(fencedBlocks).filter(({ language }) => language === 'yaml')
const name = ({ file, line }: { file: string; line: number }) => `${file}:${line}`

describe('YAML in the documents', () => {
  test('says what it is: a cluster file or a workflow', () => {
    const unmarked = blocks.filter(({ mark }) => mark !== 'cluster' && mark !== 'workflow')
    expect(unmarked.map(name)).toEqual([])
  })

  const clusters = blocks.filter(({ mark }) => mark === 'cluster')
  test.each(clusters.map((block) => [name(block), block] as const))(
    'the cluster file at %s has no mistake',
    (_, { text }) => {
      const { findings } = readClusterFile({ path: 'cluster.yaml', text })
      expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
    },
  )

  const workflows = blocks.filter(({ mark }) => mark === 'workflow')
  test.each(workflows.map((block) => [name(block), block] as const))(
    'the workflow at %s names what there is',
    (_, { text }) => {
      expect(workflowProblems(text)).toEqual([])
    },
  )
})

describe('example workflows', () => {
  test.each(readdirSync(join(root, 'examples', 'workflows')))('%s names what there is', (file) => {
    const text = readFileSync(join(root, 'examples', 'workflows', file), 'utf8')
    expect(workflowProblems(text)).toEqual([])
  })

  test.each([defaultWorkflow, defaultHostsWorkflow])('so does what init writes: %o', (write) => {
    expect(workflowProblems(write('demo', 'cluster.yaml', publishedAction))).toEqual([])
  })
})

describe('links', () => {
  test.each(files.map((file) => [file.path, file] as const))(
    'of %s lead somewhere',
    (path, { text }) => {
      const targets = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, target = '']) => target)
        .filter((target) => !/^[a-z]+:/.test(target))
      const broken = targets.filter((target) => {
        const [file = '', anchor] = target.split('#')
        const full = file === '' ? join(root, path) : join(root, dirname(path), file)
        if (!existsSync(full)) return true
        return anchor !== undefined && !anchorsOf(readFileSync(full, 'utf8')).has(anchor)
      })
      expect(broken).toEqual([])
    },
  )
})

describe('troubleshooting', () => {
  const text = readFileSync(join(root, 'docs', 'troubleshooting.md'), 'utf8')

  test('names commands of ours as remedies, and no other program of Talos', () => {
    const remedies = text.split('\n').filter((line) => line.startsWith('What to do:'))
    expect(remedies.length).toBeGreaterThan(50)
    expect(remedies.filter((line) => line.includes('talosctl '))).toEqual([])
  })

  test('has a section for each code with its exit code, and for no other', () => {
    const sections = [...text.matchAll(/^## `([\w-]+)` \(exit (\d+)\)$/gm)].map(
      ([, code, exit]) => `${code} ${exit}`,
    )
    const codes = Object.entries(errorCodes).map(([code, exit]) => `${code} ${exit}`)
    expect(sections.sort()).toEqual(codes.sort())
  })

  test('says in each section what to do', () => {
    const sections = text.split(/^## /m).slice(1)
    expect(sections.filter((section) => !/^What to do: \S/m.test(section))).toEqual([])
  })
})
