import { describe, expect, test } from 'vitest'
import {
  kubernetesSupportEnds,
  supportEnd,
  talosSupportEnds,
} from '../../../src/spec/tables/support-ends.ts'
import { talosReleases } from '../../../src/spec/tables/version-matrix.ts'

describe('when support ends', () => {
  test('every minor of Talos that is supported here has a day', () => {
    expect(talosSupportEnds.map(({ minor }) => minor)).toEqual(
      talosReleases.map(({ minor }) => minor),
    )
  })

  test('so has every minor of Kubernetes that one of them runs', () => {
    const minors = new Set(
      talosReleases.flatMap(({ oldestKubernetes, newestKubernetes }) => {
        const [first, last] = [oldestKubernetes, newestKubernetes].map((each) =>
          Number(each.split('.')[1]),
        )
        return Array.from(
          { length: (last ?? 0) - (first ?? 0) + 1 },
          (_, step) => (first ?? 0) + step,
        )
      }),
    )
    expect(kubernetesSupportEnds.map(({ minor }) => minor)).toEqual(
      [...minors].sort((a, b) => a - b).map((minor) => `1.${minor}`),
    )
  })

  test('the later a minor, the later its day, and only the newest may be expected', () => {
    for (const ends of [talosSupportEnds, kubernetesSupportEnds]) {
      const dates = ends.map(({ date }) => date)
      expect(dates).toEqual([...dates].sort())
      for (const date of dates) expect(new Date(date).toISOString().slice(0, 10)).toBe(date)
      expect(ends.slice(0, -1).filter(({ isExpected }) => isExpected)).toEqual([])
    }
  })

  test.each([
    ['talos', 'v1.13.4', '2026-09-03'],
    ['talos', '1.14.1', '2026-12-27'],
    ['kubernetes', '1.36.3', '2027-06-28'],
    ['kubernetes', 'v1.27.0', '2024-07-16'],
    ['kubernetes', '1.99.0', undefined],
    ['talos', 'newest', undefined],
  ] as const)('%s %s ends on %s', (of, version, date) => {
    expect(supportEnd(of, version)?.date).toBe(date)
  })
})
