import { expect, it } from 'vitest'
import { readPage } from '../../src/backup/s3/list-page.ts'

const begins =
  '<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">'
const page = (inside: string) =>
  `${begins}<IsTruncated>false</IsTruncated>${inside}</ListBucketResult>\n`
const entry = '<Contents><Key>snapshots/a+b%2Bc.age</Key><Size>12</Size></Contents>'

it('a page of a list is read, and what is none is told from an empty one', () => {
  expect(readPage(page(''))).toEqual({ objects: [], next: undefined })
  expect(readPage(page(entry))).toEqual({
    objects: [{ key: 'snapshots/a b+c.age', size: 12 }],
    next: undefined,
  })
  for (const text of ['', '<html></html>', page(entry).slice(0, -3), page('<Contents>'), begins])
    expect(readPage(text)).toBeUndefined()
})

it('megabytes of what looks like the beginning of one are read in one pass', () => {
  const much = 500_000
  for (const part of ['<ListBucketResult', '<Contents>', '<Key>'])
    for (const text of [part.repeat(much), page(part.repeat(much))])
      expect(readPage(text)?.objects.length ?? 0).toBe(0)
})
