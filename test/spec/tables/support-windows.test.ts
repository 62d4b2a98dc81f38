import { expect, it } from 'vitest'
import { describeEnd } from '../../../src/lib/ending.ts'
import { supportEnds, supportFindings } from '../../../src/spec/tables/support-windows.ts'
import { talosReleases } from '../../../src/spec/tables/version-matrix.ts'

const file = (talos: string, kubernetes: string) => ({
  talos: { version: talos },
  kubernetes: { version: kubernetes },
})

it.each([
  ['long before', '2026-01-01', []],
  ['two months and a day before', '2026-02-28', []],
  [
    'weeks before',
    '2026-03-10',
    ['support of Talos 1.12 by its makers ends on 2026-04-27, in 48 days'],
  ],
  [
    'on the last day',
    '2026-04-27',
    ['support of Talos 1.12 by its makers ends on 2026-04-27, in 23 hours'],
  ],
  ['after', '2026-05-01', ['support of Talos 1.12 by its makers ended on 2026-04-27']],
])('says %s what is supported for how long', (_when, day, ends) => {
  const now = Date.parse(`${day}T00:00:00Z`)
  expect(supportEnds(file('v1.12.4', '1.35.4'), now).map(({ message }) => message)).toEqual(ends)
})

it('is a finding of the file where this program advises a newer minor release', () => {
  const now = Date.parse('2026-11-28T00:00:00Z')
  expect(supportFindings(file('v1.13.9', '1.33.6'), now)).toEqual([
    expect.objectContaining({ path: ['talos', 'version'], severity: 'warning' }),
    expect.objectContaining({ path: ['kubernetes', 'version'] }),
  ])
  expect(supportFindings(file('v1.14.1', '1.36.3'), now)).toEqual([])
})

it('knows an end of every minor of Talos but the newest, and of every Kubernetes that they run', () => {
  const late = Date.parse('2040-01-01T00:00:00Z')
  for (const { minor, newest, oldestKubernetes, newestKubernetes } of talosReleases) {
    const ends = (kubernetes: string) =>
      supportEnds(file(newest, `${kubernetes}.0`), late).map(({ path }) => path[0])
    const isNewest = minor === talosReleases.at(-1)?.minor
    for (const one of [oldestKubernetes, newestKubernetes]) {
      expect(ends(one)).toEqual(isNewest ? ['kubernetes'] : ['talos', 'kubernetes'])
    }
  }
})

it('an end is told by days, then by hours, then as the past', () => {
  const end = Date.parse('2026-12-24T12:00:00Z')
  expect(describeEnd(end, end - 26 * 86_400_000)).toBe('ends on 2026-12-24, in 26 days')
  expect(describeEnd(end, end - 3_600_000)).toBe('ends on 2026-12-24, in 1 hour')
  expect(describeEnd(end, end)).toBe('ended on 2026-12-24')
})
