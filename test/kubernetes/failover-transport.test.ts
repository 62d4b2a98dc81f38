import { expect, it } from 'vitest'
import { ApiRefusal } from '../../src/kubernetes/api-refusal.ts'
import {
  type ApiRequest,
  type ApiTransport,
  ApiUnreachable,
} from '../../src/kubernetes/api-transport.ts'
import { FailoverTransport } from '../../src/kubernetes/failover-transport.ts'

const request = (method: ApiRequest['method']): ApiRequest => ({
  method,
  path: '/',
  operation: 'read',
  target: 'it',
})

/** Two API servers, of which the first one fails like this; `asked` is who was asked. */
function twoServers(failure: () => Error) {
  const asked: string[] = []
  const dial = async (address: string): Promise<ApiTransport> => ({
    async send() {
      asked.push(address)
      if (address === 'a') throw failure()
      return address
    },
    close: () => undefined,
  })
  const transport = new FailoverTransport(dial)
  transport.use(['a', 'b'])
  return { transport, asked }
}

const lost = (isUnsent: boolean) => () => new ApiUnreachable('no answer', { isUnsent })
const answered = (status: number) => () => new ApiRefusal(request('GET'), { status, body: {} })

it.each<[ApiRequest['method'], string, () => Error]>([
  ['GET', 'an answer that is lost', lost(false)],
  ['PATCH', 'an answer that is lost', lost(false)],
  ['DELETE', 'no connection', lost(true)],
  ['POST', 'no connection', lost(true)],
])('%s, %s: the next API server is asked within the request', async (method, _, failure) => {
  const { transport, asked } = twoServers(failure)
  expect(await transport.send(request(method))).toBe('b')
  expect(await transport.send(request(method))).toBe('b')
  expect(asked).toEqual(['a', 'b', 'b'])
})

it.each<[ApiRequest['method'], string, () => Error]>([
  ['POST', 'what may have happened', lost(false)],
  ['GET', 'an API server without etcd', answered(503)],
  ['PATCH', 'an API server that failed', answered(500)],
])('%s, %s: fails, and the next request is asked of the other', async (method, _, failure) => {
  const { transport, asked } = twoServers(failure)
  await expect(transport.send(request(method))).rejects.toThrow()
  expect(await transport.send(request(method))).toBe('b')
  expect(asked).toEqual(['a', 'b'])
})

it.each([404, 409, 429])('%s is an answer: nobody else is asked', async (status) => {
  const { transport, asked } = twoServers(answered(status))
  for (const _ of [1, 2]) await expect(transport.send(request('GET'))).rejects.toThrow()
  expect(asked).toEqual(['a', 'a'])
})

it('where the API may be can change; without an address nobody is asked', async () => {
  const { transport, asked } = twoServers(lost(true))
  transport.use(['b', 'a'])
  expect(await transport.send(request('GET'))).toBe('b')
  transport.use(['b'])
  expect(await transport.send(request('POST'))).toBe('b')
  transport.use([])
  await expect(transport.send(request('GET'))).rejects.toMatchObject({
    code: 'kubernetes-unreachable',
  })
  expect(asked).toEqual(['a', 'b', 'b'])
})
