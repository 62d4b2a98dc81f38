import { expect, test } from 'vitest'
import type { JsonObject } from '../../../src/lib/json.ts'
import { unfillDocuments } from '../../../src/talos/config/unfill-config.ts'

const named = new Map([
  ['token', 'canary-token'],
  ['key', 'canary\n"key"'],
])
const kmsg = (url: string): JsonObject => ({
  apiVersion: 'v1alpha1',
  kind: 'KmsgLogConfig',
  name: 'a',
  url,
})
const machine = (args: JsonObject): JsonObject => ({ machine: args })
const sans = (...certSANs: string[]) => machine({ certSANs })

test.each<[string, JsonObject, JsonObject | undefined, JsonObject | undefined]>([
  [
    'in its place, whatever stands there now',
    kmsg('tcp://elsewhere'),
    kmsg(`tcp://\${secret:token}`),
    kmsg(`tcp://\${secret:token}`),
  ],
  [
    'in a document that is not wanted',
    kmsg('tcp://canary-token'),
    undefined,
    kmsg(`tcp://\${secret:token}`),
  ],
  [
    'in another element of a list',
    sans('b', 'canary-token'),
    sans(`\${secret:token}`, 'b'),
    sans(`\${secret:token}`, `\${secret:token}`),
  ],
  [
    'in JSON and base64',
    machine({ a: '{"k":"canary\\n\\"key\\""}', b: Buffer.from('canary-token').toString('base64') }),
    undefined,
    machine({ a: `{"k":\${secret:key:json}}`, b: `\${secret:token:base64}` }),
  ],
  ['and its own text stays', sans(`\${secret:x}`), undefined, sans(`$\${secret:x}`)],
  ['in a longer list: not at all', sans('a', 'former'), sans(`\${secret:token}`), undefined],
  ['where its place is gone: not at all', sans('a'), kmsg(`\${secret:token}`), undefined],
  ['in a form of others: not at all', machine({ a: 'x canary "key"' }), undefined, undefined],
])('a secret is put back %s', (_, running, wanted, kept) => {
  const found = unfillDocuments([running], wanted ? [wanted] : [], named)
  expect(found).toEqual(kept && [kept])
})
