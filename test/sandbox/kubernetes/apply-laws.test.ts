import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyConfig } from '../../../src/sandbox/kubernetes/apply/apply-config.ts'
import {
  decodeSet,
  differenceOf,
  encodeSet,
  type FieldSet,
  fieldSet,
  intersectionOf,
  isEmptySet,
  pathsOf,
  thisField,
  unionOf,
} from '../../../src/sandbox/kubernetes/apply/field-set.ts'
import {
  type Comparison,
  compareValues,
  mergeApplied,
  ownedFields,
} from '../../../src/sandbox/kubernetes/apply/structured-merge.ts'
import { ApiError } from '../../../src/sandbox/kubernetes/model/api-error.ts'
import type { KubeObject } from '../../../src/sandbox/kubernetes/model/kube-object.ts'
import { textAt, textMapAt } from '../../../src/sandbox/kubernetes/model/read-json.ts'
import { ResourceRegistry } from '../../../src/sandbox/kubernetes/model/resource-registry.ts'

const deployments = new ResourceRegistry().builtin('deployments.apps')
const { schema } = deployments

/** What a manager may ask for: some labels, and containers with some fields. */
const wishes = fc.record(
  {
    labels: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('1', '2'), {
      noNullPrototype: true,
    }),
    containers: fc.uniqueArray(
      fc.record(
        {
          name: fc.constantFrom('x', 'y', 'z'),
          image: fc.constantFrom('i:1', 'i:2'),
          env: fc.uniqueArray(
            fc.record({ name: fc.constantFrom('E', 'F'), value: fc.constantFrom('1', '2') }),
            { selector: ({ name }) => name },
          ),
          args: fc.array(fc.constantFrom('p', 'q'), { maxLength: 2 }),
        },
        { requiredKeys: ['name', 'image'] },
      ),
      { selector: ({ name }) => name },
    ),
  },
  { requiredKeys: ['labels', 'containers'] },
)

type Wish = typeof wishes extends fc.Arbitrary<infer T> ? T : never

function config({ labels, containers }: Wish): KubeObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'default', labels },
    spec: { template: { spec: { containers } } },
  }
}

const bare: KubeObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'default' },
}

function apply(live: KubeObject, wish: Wish, manager: string, force = false): KubeObject {
  const by = { manager, force, subresource: undefined, time: '2025-01-01T00:00:00Z' }
  return applyConfig(deployments, live, config(wish), by)
}

describe('laws of server-side apply', () => {
  test('what is applied is there', () => {
    fc.assert(
      fc.property(wishes, wishes, (theirs, ours) => {
        const live = apply(apply(bare, theirs, 'them'), ours, 'us', true)
        expect(isSame(compareValues(schema, live, mergeApplied(schema, live, config(ours))))).toBe(
          true,
        )
      }),
    )
  })

  test('applying twice changes nothing', () => {
    fc.assert(
      fc.property(wishes, wishes, (theirs, ours) => {
        const once = apply(apply(bare, theirs, 'them'), ours, 'us', true)
        expect(apply(once, ours, 'us')).toEqual(once)
      }),
    )
  })

  test('two managers conflict on exactly the fields that both want, with other values', () => {
    fc.assert(
      fc.property(wishes, wishes, (theirs, ours) => {
        const live = apply(bare, theirs, 'them')
        expect(conflicts(() => apply(live, ours, 'us'))).toEqual(clashes(theirs, ours))
      }),
    )
  })

  test('what one asks for no more is gone, and only that', () => {
    fc.assert(
      fc.property(wishes, wishes, wishes, (theirs, before, after) => {
        const shared = apply(apply(bare, theirs, 'them'), before, 'us', true)
        const live = apply(shared, after, 'us', true)
        const labels = textMapAt(live, 'metadata', 'labels')
        const expected = { ...theirs.labels, ...taken(before, theirs), ...after.labels }
        for (const key of Object.keys(before.labels)) {
          const isWanted = after.labels[key] !== undefined || keeps(theirs, before, key)
          expect(labels[key] !== undefined).toBe(isWanted)
        }
        for (const [key, value] of Object.entries(labels)) expect(expected[key]).toBe(value)
      }),
    )
  })

  test('the owners of a forced apply do not overlap with other values', () => {
    fc.assert(
      fc.property(wishes, wishes, (theirs, ours) => {
        const live = apply(apply(bare, theirs, 'them'), ours, 'us', true)
        expect(conflicts(() => apply(live, theirs, 'them')).length === 0).toBe(
          clashes(theirs, ours).length === 0,
        )
      }),
    )
  })
})

/** Whether their label survives our force: they asked for the same value. */
function keeps(theirs: Wish, ours: Wish, key: string): boolean {
  return theirs.labels[key] !== undefined && theirs.labels[key] === ours.labels[key]
}

/** Labels that we took from them. */
function taken(ours: Wish, theirs: Wish): Record<string, string> {
  return Object.fromEntries(Object.entries(ours.labels).filter(([key]) => theirs.labels[key]))
}

function isSame({ added, modified, removed }: Comparison): boolean {
  return [added, modified, removed].every(isEmptySet)
}

function conflicts(run: () => unknown): string[] {
  try {
    run()
    return []
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return (error.details?.causes ?? []).map((cause) => textAt(cause, 'field')).sort()
  }
}

/** The same, worked out without any of the machinery. */
function clashes(theirs: Wish, ours: Wish): string[] {
  const labels = Object.entries(ours.labels)
    .filter(([key, value]) => (theirs.labels[key] ?? value) !== value)
    .map(([key]) => `.metadata.labels.${key}`)
  const inContainers = ours.containers.flatMap((container) => {
    const other = theirs.containers.find(({ name }) => name === container.name)
    const place = `.spec.template.spec.containers[name="${container.name}"]`
    return other ? containerClashes(other, container).map((field) => place + field) : []
  })
  return [...labels, ...inContainers].sort()
}

type WishedContainer = Wish['containers'][number]

function containerClashes(theirs: WishedContainer, ours: WishedContainer): string[] {
  const image = theirs.image === ours.image ? [] : ['.image']
  const bothHaveArgs = theirs.args !== undefined && ours.args !== undefined
  const args = bothHaveArgs && theirs.args?.join() !== ours.args?.join() ? ['.args'] : []
  const env = (ours.env ?? [])
    .filter(({ name, value }) => {
      const other = theirs.env?.find((variable) => variable.name === name)?.value
      return other !== undefined && other !== value
    })
    .map(({ name }) => `.env[name="${name}"].value`)
  return [...image, ...args, ...env]
}

const sets: fc.Arbitrary<FieldSet> = fc.letrec<{ set: FieldSet }>((tie) => ({
  set: fc.oneof(
    { depthSize: 'small' },
    fc.constant(thisField),
    fc
      .tuple(fc.boolean(), fc.dictionary(fc.constantFrom('f:a', 'f:b', 'v:"x"'), tie('set')))
      .map(([member, children]) => fieldSet(member, Object.entries(children))),
  ),
})).set

/** The root itself is never a path. */
const roots = sets.map((set) => ({ ...set, member: false }))

describe('sets of fields', () => {
  test('are what they were after being written down', () => {
    fc.assert(
      fc.property(roots, (set) => {
        expect(decodeSet(encodeSet(set))).toEqual(set)
      }),
    )
  })

  test('are taken apart and put together without loss', () => {
    fc.assert(
      fc.property(roots, roots, (a, b) => {
        const paths = (set: FieldSet) => new Set(pathsOf(set))
        expect(paths(unionOf(differenceOf(a, b), intersectionOf(a, b)))).toEqual(paths(a))
        expect(isEmptySet(intersectionOf(differenceOf(a, b), b))).toBe(true)
        expect(paths(unionOf(a, b))).toEqual(paths(unionOf(b, a)))
      }),
    )
  })
})

test('a value owns nothing that is different from itself', () => {
  fc.assert(
    fc.property(wishes, (wish) => {
      const value = config(wish)
      expect(isSame(compareValues(schema, value, value))).toBe(true)
      expect(isSame(compareValues(schema, value, { ...value }))).toBe(true)
      expect(isEmptySet(ownedFields(schema, value))).toBe(false)
    }),
  )
})
