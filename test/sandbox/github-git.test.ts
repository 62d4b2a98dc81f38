import { describe, expect, it } from 'vitest'
import { git } from '../store/state-fixture.ts'
import { makeGithub } from '../store/transports.ts'

const absent = '0'.repeat(40)

async function connect() {
  const { remote, apiUrl, world } = await makeGithub()
  const ask = async (path: string, body: unknown, token = 'writer') => {
    const response = await fetch(`${apiUrl}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: JSON.stringify(await response.json()) }
  }
  const make = async (message: string, parents: string[] = []) => {
    const tree = [{ path: 'a/b.txt', mode: '100644', type: 'blob', content: message }]
    const made = await ask('/repos/org/clusters/git/trees', { tree })
    const commit = { message, tree: JSON.parse(made.body).sha, parents }
    return String(JSON.parse((await ask('/repos/org/clusters/git/commits', commit)).body).sha)
  }
  const query =
    'query ($owner: String!, $name: String!) { repository(owner: $owner, name: $name) { id } }'
  const found = await ask('/graphql', { query, variables: { owner: 'org', name: 'clusters' } })
  const { id } = JSON.parse(found.body).data.repository
  const move = (refUpdates: object[], token?: string) => {
    const mutation =
      'mutation ($input: UpdateRefsInput!) { updateRefs(input: $input) { clientMutationId } }'
    const variables = { input: { repositoryId: id, refUpdates } }
    return ask('/graphql', { query: mutation, variables }, token)
  }
  const heads = () => git(remote, 'for-each-ref', '--format=%(refname:short) %(objectname)')
  return { ask, make, move, heads, world }
}

describe('the git side of the simulated GitHub', () => {
  it('makes trees and commits that no ref holds, and moves refs onto them all at once', async () => {
    const { make, move, heads } = await connect()
    const [one, two] = [await make('one'), await make('two')]
    expect(await heads()).toBe('')
    const moved = await move([
      { name: 'refs/heads/one', beforeOid: absent, afterOid: one },
      { name: 'refs/heads/two', beforeOid: absent, afterOid: two },
    ])
    expect(moved).toMatchObject({ status: 200, body: expect.stringContaining('clientMutationId') })
    expect(await heads()).toBe(`one ${one}\ntwo ${two}`)
  })

  it('moves none when one is not where it was said to be, and says nothing of the reason', async () => {
    const { make, move, heads } = await connect()
    const one = await make('one')
    await move([{ name: 'refs/heads/one', beforeOid: absent, afterOid: one }])
    const next = await make('next', [one])
    const refused = await move([
      { name: 'refs/heads/one', beforeOid: one, afterOid: next },
      { name: 'refs/heads/two', beforeOid: one, afterOid: next },
    ])
    expect(refused.status).toBe(200)
    expect(JSON.parse(refused.body).errors).toEqual([{ message: expect.stringMatching(/wrong/) }])
    const backwards = await move([
      { name: 'refs/heads/one', beforeOid: one, afterOid: await make('other') },
    ])
    expect(JSON.parse(backwards.body).errors).toHaveLength(1)
    expect(await heads()).toBe(`one ${one}`)
  })

  it('lets nobody write who may only read', async () => {
    const { ask, make, move, heads } = await connect()
    const one = await make('one')
    const refused = await move(
      [{ name: 'refs/heads/one', beforeOid: absent, afterOid: one }],
      'reader',
    )
    expect(JSON.parse(refused.body).errors).toMatchObject([{ type: 'FORBIDDEN' }])
    expect((await ask('/repos/org/clusters/git/trees', { tree: [] }, 'reader')).status).toBe(403)
    expect(await heads()).toBe('')
  })

  it('makes no tree of nothing, and takes nothing away that is not there', async () => {
    const { ask } = await connect()
    expect((await ask('/repos/org/clusters/git/trees', { tree: [] })).status).toBe(422)
    const gone = { path: 'a', mode: '100644', type: 'blob', sha: null }
    expect((await ask('/repos/org/clusters/git/trees', { tree: [gone] })).status).toBe(422)
  })
})
