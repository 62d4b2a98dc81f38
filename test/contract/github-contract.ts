import { expect, it } from 'vitest'
import type { ApiCall } from './api-call.ts'

/** An issue that may be commented on, and who may do it. */
export interface ContractIssue {
  readonly owner: string
  readonly name: string
  readonly number: number
  readonly call: ApiCall
  /** Of somebody without a token that counts. */
  readonly asStranger: ApiCall
}

const ofRepository = `query ($owner: String!, $name: String!) {
  repository(owner: $owner, name: $name) { id }
}`

const ofComment = `query ($id: ID!) {
  node(id: $id) { ... on IssueComment {
    body createdAt lastEditedAt author { __typename login } editor { __typename login }
  } }
}`

/** How GitHub's API behaves that the product relies on. It leaves a comment behind. */
export function githubContract(issue: () => ContractIssue): void {
  const path = () => `/repos/${issue().owner}/${issue().name}`
  const comments = () => `${path()}/issues/${issue().number}/comments`
  const ask = (query: string, variables: object) =>
    issue().call('POST', '/graphql', { query, variables })

  it('a comment is made, listed with who wrote it, and GraphQL knows that it was edited', async () => {
    const { call } = issue()
    const made = await call('POST', comments(), { body: 'contract' })
    expect(made).toMatchObject({
      status: 201,
      body: { id: expect.any(Number), node_id: expect.any(String), body: 'contract' },
    })
    const { id, node_id: node, user } = made.body
    const edited = await call('PATCH', `${path()}/issues/comments/${id}`, { body: 'edited' })
    expect(edited).toMatchObject({ status: 200, body: { id, body: 'edited' } })
    const listed = await call('GET', `${comments()}?per_page=100`)
    expect(listed.status).toBe(200)
    expect(listed.body).toContainEqual(
      expect.objectContaining({
        ...{ id, node_id: node, body: 'edited' },
        user: expect.objectContaining({ login: user.login, type: user.type }),
      }),
    )
    const { body } = await ask(ofComment, { id: node })
    expect(body.data.node).toMatchObject({
      body: 'edited',
      lastEditedAt: expect.any(String),
      author: { __typename: user.type, login: user.login.replace(/\[bot\]$/, '') },
      editor: { __typename: user.type },
    })
  })

  it('a list comes in pages, and its Link names the next', async () => {
    const { call } = issue()
    for (const body of ['one', 'two']) await call('POST', comments(), { body })
    const first = await call('GET', `${comments()}?per_page=1`)
    expect(first.body).toHaveLength(1)
    expect(first.headers.get('link')).toMatch(/[?&]page=2[^>]*>; rel="next"/)
  })

  it('GraphQL answers 200 also where something is not there, and names the kind of failure', async () => {
    const { owner, name } = issue()
    const { status, body } = await ask(ofRepository, { owner, name })
    expect({ status, id: body.data.repository.id }).toEqual({ status: 200, id: expect.any(String) })
    const missing = await ask(ofRepository, { owner, name: 'contract-no-such-repository' })
    expect(missing).toMatchObject({ status: 200, body: { errors: [{ type: 'NOT_FOUND' }] } })
  })

  it('a token that is none is refused with 401, and what is not there with 404', async () => {
    const { call, asStranger } = issue()
    expect((await asStranger('GET', path())).status).toBe(401)
    expect((await call('GET', `${path()}-none`)).status).toBe(404)
    expect((await call('GET', `${path()}/pulls/999999999`)).status).toBe(404)
  })
  it('a repository shows who may see it, its default branch and what the token may do', async () => {
    expect(await issue().call('GET', path())).toMatchObject({
      status: 200,
      body: {
        private: expect.any(Boolean),
        default_branch: expect.any(String),
        permissions: { push: expect.any(Boolean), pull: true },
      },
    })
  })

  it('rules are a list also for a branch that nobody has, and environments come with their number', async () => {
    const { call } = issue()
    const rules = await call('GET', `${path()}/rules/branches/contract-no-such-branch?per_page=100`)
    expect(rules).toMatchObject({ status: 200, body: expect.any(Array) })
    const environments = await call('GET', `${path()}/environments?per_page=100`)
    expect(environments).toMatchObject({
      status: 200,
      body: { total_count: expect.any(Number), environments: expect.any(Array) },
    })
  })

  it('the newest commit of a branch comes first, and is asked for its pull requests', async () => {
    const { call } = issue()
    const commits = await call('GET', `${path()}/commits?per_page=1`)
    expect(commits).toMatchObject({ status: 200, body: [{ sha: expect.any(String) }] })
    const pulls = await call('GET', `${path()}/commits/${commits.body[0].sha}/pulls`)
    expect(pulls).toMatchObject({ status: 200, body: expect.any(Array) })
    const [pull] = pulls.body
    if (!pull) return
    expect(await call('GET', `${path()}/pulls/${pull.number}`)).toMatchObject({
      status: 200,
      body: {
        number: pull.number,
        base: { ref: expect.any(String) },
        head: { sha: expect.any(String) },
      },
    })
  })
}
