import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hostStepIds } from '../../../src/kubeadm/host/host-check.ts'
import type { CheckState, HostEvidence } from '../../../src/kubeadm/host/host-evidence.ts'
import { hostPhase } from '../../../src/kubeadm/host/host-phase.ts'

const phases = ['unprepared', ...hostStepIds]
const evidenceOf = (partial: Partial<HostEvidence>): HostEvidence => ({
  at: 0,
  host: 'web-1',
  step: 'os_ready',
  check: 'swap',
  words: 'swap is off',
  state: 'passed',
  seen: '',
  ...partial,
})
const anyEvidence = fc.array(
  fc.record({
    step: fc.constantFrom(...hostStepIds),
    check: fc.constantFrom('a', 'b', 'c'),
    state: fc.constantFrom<CheckState>('passed', 'failed', 'unknown'),
  }),
)
const all = (state: CheckState) => hostStepIds.map((step) => evidenceOf({ step, state }))

describe('the phase of a host', () => {
  test('is the last step where all checks of all steps pass, and the first where none was looked at', () => {
    expect(hostPhase(all('passed'))).toBe('kubeadm_ready')
    expect(hostPhase([])).toBe('unprepared')
  })

  test('falls to the step before the lowest one with a check that does not pass', () => {
    for (const [at, step] of hostStepIds.entries()) {
      for (const state of ['failed', 'unknown'] as const) {
        expect(hostPhase([...all('passed'), evidenceOf({ step, state })])).toBe(phases[at])
      }
    }
  })

  test('is the step of which everything passes, and so do all below it; the one above does not', () => {
    fc.assert(
      fc.property(anyEvidence, (partials) => {
        const evidence = partials.map(evidenceOf)
        const at = phases.indexOf(hostPhase(evidence))
        const passes = (step: string | undefined) => {
          const own = evidence.filter((one) => one.step === step)
          return own.length > 0 && own.every(({ state }) => state === 'passed')
        }
        expect(phases.slice(1, at + 1).every(passes)).toBe(true)
        expect(at === phases.length - 1 || !passes(phases[at + 1])).toBe(true)
      }),
    )
  })

  test('never rises by a check that does not pass, and not by the order of what was seen', () => {
    fc.assert(
      fc.property(anyEvidence, fc.constantFrom(...hostStepIds), (partials, step) => {
        const evidence = partials.map(evidenceOf)
        const at = (seen: readonly HostEvidence[]) => phases.indexOf(hostPhase(seen))
        expect(at([...evidence, evidenceOf({ step, state: 'failed' })])).toBeLessThanOrEqual(
          at(evidence),
        )
        expect(hostPhase(evidence.toReversed())).toBe(hostPhase(evidence))
      }),
    )
  })
})
