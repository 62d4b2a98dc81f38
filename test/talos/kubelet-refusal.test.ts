import { expect, it } from 'vitest'
import { Redactor } from '../../src/lib/redactor.ts'
import { lastLines } from '../../src/talos/component-log.ts'
import { refusalIn } from '../../src/talos/kubelet-refusal.ts'

// As `talosctl logs controller-runtime` of Talos 1.13 prints it.
const about = '{"component": "controller-runtime", "controller": "k8s.KubeletSpecController"'
const line = (at: string, level: string, text: string, more = '') =>
  `2026-11-29T08:04:${at}Z \u001b[31m${level}\u001b[0m ${text} ${about}${more}}\n`
const failed = (at: string) =>
  line(at, 'ERROR', 'controller failed', ', "error": "unrecognized type: int32"') +
  line(at, 'DEBUG', 'restarting controller in 1.68s')
const starts = (at: string) => line(at, 'DEBUG', 'controller starting')
const since = Date.parse('2026-11-29T08:04:32Z')

it('what Talos fails at again and again is told with its own words, and given up', () => {
  expect(refusalIn(failed('33.000'), since)).toEqual({
    component: 'kubelet',
    reason:
      'Talos makes nothing of its settings, and it still runs with its former ones: unrecognized type: int32',
    isFinal: false,
  })
  const often = ['33.000', '34.000', '36.240'].map((at) => starts(at) + failed(at)).join('')
  expect(refusalIn(often, since)?.isFinal).toBe(true)
})

it('failures of before its settings changed do not count, but it has not tried these yet', () => {
  const before = ['10.000', '20.000', '30.000'].map(failed).join('')
  expect(refusalIn(before, since)).toMatchObject({
    reason: 'Talos has not tried to use its settings yet',
    isFinal: false,
  })
})

it('it has used them once it says nothing more after its start, and others may fail', () => {
  expect(refusalIn(failed('33.000') + starts('34.000'), since)).toBeUndefined()
  const other = failed('35.000').replaceAll('KubeletSpecController', 'NodeApplyController')
  expect(refusalIn(starts('34.000') + other, since)).toBeUndefined()
  expect(refusalIn('', since)).toBeUndefined()
})

it('of a secret that a log quotes nothing is left where a line is cut', () => {
  const redactor = new Redactor()
  redactor.add('canary-of-a-secret')
  const text = `first\u0007\n${'x'.repeat(285)} canary-of-a-secret, and more of it\n`
  const [first, second] = lastLines(text, redactor)
  expect(first).toBe('first')
  expect(second).toMatch(/x \*\*\*, and more …$/)
})
