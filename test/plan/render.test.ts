import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Redactor } from '../../src/lib/redactor.ts'
import type { Change } from '../../src/plan/change.ts'
import { escapeMarkdown, inlineCode } from '../../src/plan/markdown-escape.ts'
import { makePlan } from '../../src/plan/plan.ts'
import type { ClusterRecord } from '../../src/plan/record.ts'
import { renderPlanJson } from '../../src/plan/render-json.ts'
import { renderPlanMarkdown } from '../../src/plan/render-markdown.ts'
import { renderPlanText } from '../../src/plan/render-text.ts'

function server(name: string, spec: ClusterRecord['spec']): ClusterRecord {
  return { kind: 'server', name, spec, needs: [], monthlyCost: 5.49 }
}

function change(partial: Partial<Change> & Pick<Change, 'action'>): Change {
  const record = server('demo-workers-1', { type: 'cx23' })
  return {
    key: 'server/demo-workers-1',
    before: partial.action === 'create' ? undefined : record,
    after: partial.action === 'delete' ? undefined : record,
    fields: [],
    reason: 'the spec asks for it',
    risk: 'additive',
    needs: [],
    ...partial,
  }
}

function planOf(changes: readonly Change[], waiting: readonly Change[] = []) {
  return makePlan({
    clusterName: 'demo',
    verb: 'apply',
    changes,
    waiting,
    desired: [server('a', {}), server('b', {})],
    live: [server('a', {})],
    findings: [
      {
        severity: 'warning',
        path: ['state', 'recipients'],
        message: 'only one',
        hint: 'add another',
      },
    ],
  })
}

const update = change({
  action: 'update',
  risk: 'live',
  fields: [
    { path: 'labels.pool', before: 'a', after: undefined },
    { path: 'address', before: undefined, after: { knownAfter: 'load-balancer/demo' } },
  ],
})

describe('a rendered plan', () => {
  test('reads as text: what happens to what, why, at which risk and cost', () => {
    expect(
      renderPlanText(planOf([update], [change({ action: 'replace' })])),
    ).toMatchInlineSnapshot(`
        "demo: 1 to update; risk: live

          ~ server demo-workers-1  live: the spec asks for it
              labels.pool: a → (none)
              address: (none) → (known after load-balancer/demo)

        waiting (the upgrade button makes these: \`hcloud-talos upgrade\`, or the upgrade action):
          ± server demo-workers-1  additive: the spec asks for it

        warning: state.recipients: only one (add another)
        cost    €5.49 → €10.98 per month (+€5.49, without tax)
        digest  abd6d9661d08042bf6b48d913b8be5df7abb3b55f9bd3ec76672dd02d22fd928
        "
      `)
  })

  test('is the same text with and without colour, but for the colour', () => {
    const plan = planOf([update])
    const escapeCharacter = String.fromCharCode(27)
    const plain = renderPlanText(
      plan,
      (code, text) => `\u001b[${code}m${text}\u001b[0m`,
    ).replaceAll(new RegExp(`${escapeCharacter}\\[\\d+m`, 'g'), '')
    expect(plain).toBe(renderPlanText(plan))
  })

  test('reads as Markdown, and folds what would not fit on a phone', () => {
    const many = Array.from({ length: 20 }, (_, index) =>
      change({ action: 'create', key: `server/w-${index}`, after: server(`w-${index}`, {}) }),
    )
    const text = renderPlanMarkdown(planOf(many))
    expect(text).toContain('### demo: 20 to create')
    expect(text).toContain('**Risk: additive**')
    expect(text).toContain('<details><summary>8 more</summary>')
    expect(text.match(/<details>/g)).toHaveLength(text.match(/<\/details>/g)?.length ?? 0)
  })

  test('tells the same difference on a hundred nodes in one line, and another one apart', () => {
    const same = (name: string, value: string): Change => ({
      ...update,
      key: `node/${name}`,
      before: { ...server(name, {}), kind: 'node' },
      after: { ...server(name, {}), kind: 'node' },
      fields: [{ path: 'machine.sysctls.a', before: '1', after: value }],
    })
    const many = [
      ...Array.from({ length: 98 }, (_, index) => same(`w-${index + 1}`, '2')),
      same('w-99', '3'),
      same('w-100', '2'),
      same('gpu-7', '2'),
    ]
    const text = renderPlanText(planOf(many))
    expect(text).toContain('demo: 101 to update')
    const lines = text.split('\n').filter((line) => /^ {2}~/.test(line))
    expect(lines.map((line) => line.replace(/ {2}live.*/, ''))).toEqual([
      '  ~ node gpu-7, w-1..98, w-100 (on 100 nodes)',
      '  ~ node w-99',
    ])
    expect(text.match(/machine\.sysctls\.a/g)).toHaveLength(2)
    const markdown = renderPlanMarkdown(planOf(many))
    expect(markdown.match(/machine\.sysctls\.a/g)).toHaveLength(2)
    expect(markdown).toContain('on 100 nodes')
  })

  test('in Markdown no text is so long that it pushes others out, and the end of each still tells', () => {
    const long = 'x'.repeat(100_000)
    const fields = [{ path: `a.${long}`, before: `${long}1`, after: `${long}2` }]
    const plan = planOf([
      { ...update, reason: long, fields },
      {
        ...change({ action: 'delete', risk: 'data-loss', reason: 'nobody asks for it' }),
        key: 'server/demo-workers-2',
      },
    ])
    const finding = { severity: 'warning', path: [], message: long, hint: long } as const
    const markdown = renderPlanMarkdown({ ...plan, findings: [finding], notes: [long] })
    expect(markdown.length).toBeLessThan(8_000)
    expect(markdown).toContain('nobody asks for it')
    const [before, after] = [...markdown.matchAll(/100001 characters, SHA-256 (\w+)/g)]
    expect(before?.[1]).not.toBe(after?.[1])
    expect(renderPlanText(plan)).toContain(long)
  })

  test('in Markdown shows no part of a secret, neither escaped nor cut', () => {
    const redactor = new Redactor()
    const secret = 'a_secret*of_this_run_0123456789'
    redactor.add(secret)
    const fields = [{ path: secret, before: secret, after: `${'x'.repeat(220)}${secret}` }]
    const plan = planOf([{ ...update, reason: secret, fields }])
    const finding = { severity: 'warning', path: [secret], message: secret, hint: secret } as const
    const shown = { ...plan, findings: [finding], notes: [`${'x'.repeat(990)}${secret}`] }
    const markdown = renderPlanMarkdown(shown, (text) => redactor.redact(text))
    expect(markdown.replaceAll('\\', '')).not.toContain(secret.slice(0, 8))
  })

  test('says so when there is nothing to do', () => {
    expect(renderPlanText(planOf([]))).toContain('demo: nothing to do')
    expect(renderPlanMarkdown(planOf([]))).toContain('nothing to do')
  })

  test('as JSON holds every change and can be written and read', () => {
    const json = renderPlanJson(planOf([update]))
    expect(JSON.parse(JSON.stringify(json))).toEqual(json)
    expect(json).toMatchObject({ digest: planOf([update]).digest, changes: [{ action: 'update' }] })
  })
})

const hostile = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    '@org/team',
    '```',
    '</details><script>',
    '::set-output name=x::y',
    '[a](javascript:b)',
    '\u202etxt.exe',
    '| a | b |',
    'line\nline',
    'see #12, org/repo#3, GH-7 and gh-8',
    'https://example.org/ and www.example.org',
    'a\\|b',
    '$x$ and [^1]',
  ),
)

describe('text from outside in Markdown', () => {
  test('starts no mention, no HTML, no row and no line of its own', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const escaped = escapeMarkdown(text)
        expect(escaped).not.toMatch(/[<>\n\r\u202a-\u202e\u2066-\u2069]/)
        expect(escaped).not.toMatch(/@[A-Za-z]/)
        expect(escaped.replace(/\\[\\`*_{}[\]|#~]/g, '')).not.toMatch(/[`*_{}[\]|#~]/)
      }),
    )
  })

  test('is no mention, reference or link either once it was rendered and the backslashes are gone', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const rendered = escapeMarkdown(text).replace(/\\([!-/:-@[-`{-~])/g, '$1')
        expect(rendered).not.toMatch(/#\d|\bGH-\d|:\/\/|\bwww\.|@[\w-]/i)
      }),
    )
  })

  test('leaves no backslash before a pipe that would end a cell of a table', () => {
    expect(inlineCode('a\\|b').match(/\\+\|/g)).toEqual(['\\|'])
  })

  test('stays inside its inline code', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const code = inlineCode(text)
        const fence = /^`+/.exec(code)?.[0] ?? ''
        expect(code.endsWith(fence)).toBe(true)
        const inside = code.slice(fence.length, -fence.length)
        expect(inside.match(/`+/g) ?? []).not.toContain(fence)
        expect(code).not.toMatch(/[\n\r]/)
        expect(code.replace(/\\\|/g, '')).not.toContain('|')
      }),
    )
  })
})
