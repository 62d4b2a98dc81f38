import { status } from '@grpc/grpc-js'
import { expect, test } from 'vitest'
import { translateFailure } from '../../../src/talos/api/talos-status.ts'

const target = { method: 'Version', address: '192.0.2.1:50000' }

function reported(details: string): string {
  return translateFailure({ code: status.UNAVAILABLE, details }, target).message
}

test('the same reason is the same text, whenever it was given', () => {
  const reason = (time: string) =>
    `No connection established. Last error: Failed to connect (2026-11-28T03:04:${time}Z). Resolution note: `
  expect(reported(reason('41.357'))).toBe(reported(reason('49.583')))
  expect(reported(reason('41.357'))).toBe(
    'no answer from 192.0.2.1:50000: No connection established. Last error: Failed to connect',
  )
})

test('what a channel did note is kept', () => {
  expect(reported('No connection established. Resolution note: no such host')).toContain(
    'no such host',
  )
})
