import { describe, expect, it } from 'vitest'
import {
  classifyGitFailure,
  type GitFailure,
  pushRefused,
  remoteUnreachable,
} from '../../../src/store/git/git-failure.ts'

const texts: [GitFailure, string][] = [
  ['absent', "fatal: couldn't find remote ref refs/heads/hcloud-talos"],
  ['rejected', '!\tabc:refs/heads/x\t[rejected] (stale info)'],
  ['rejected', '!\tabc:refs/heads/x\t[rejected] (fetch first)'],
  ['rejected', '!\tabc:refs/heads/x\t[rejected] (non-fast-forward)'],
  ['rejected', '!\tabc:refs/heads/x\t[rejected] (atomic push failed)'],
  [
    'rejected',
    "! [remote rejected] x -> x (cannot lock ref 'refs/heads/x': is at 1111 but expected 2222)",
  ],
  ['rejected', '! [remote rejected] x -> x (failed to update ref)'],
  ['rejected', '! [remote rejected] x -> x (reference already exists)'],
  [
    'refused',
    'remote: error: GH006: Protected branch update failed for refs/heads/x.\n! [remote rejected] x -> x (protected branch hook declined)',
  ],
  [
    'refused',
    'remote: error: GH013: Repository rule violations found for refs/heads/x.\n! [remote rejected] (push declined due to repository rule violations)',
  ],
  ['refused', "fatal: unable to access 'https://x/': The requested URL returned error: 403"],
  ['refused', "fatal: Authentication failed for 'https://example.com/x.git/'"],
  ['refused', 'remote: Permission to a/b.git denied to github-actions[bot].'],
  ['refused', 'git@example.com: Permission denied (publickey).'],
  ['refused', 'remote: Repository not found.'],
  ['refused', "fatal: '/nowhere' does not appear to be a git repository"],
  ['refused', 'Host key verification failed.'],
  ['refused', 'fatal: the receiving end does not support --atomic push'],
  ['unknown', "fatal: unable to access 'https://x/': Could not resolve host: x"],
  ['unknown', "fatal: unable to access 'https://x/': The requested URL returned error: 502"],
  ['unknown', 'error: RPC failed; curl 52 Empty reply from server'],
  ['unknown', 'fatal: the remote end hung up unexpectedly'],
  ['unknown', 'send-pack: unexpected disconnect while reading sideband packet'],
  ['unknown', ''],
]

describe('what git says when it fails', () => {
  it.each(texts)('means %s: %s', (failure, text) => {
    expect(classifyGitFailure(text)).toBe(failure)
  })

  it('becomes advice about rules of the repository', () => {
    const error = pushRefused('remote: error: GH013: Repository rule violations found', 'x')
    expect(error).toMatchObject({
      code: 'state-push-refused',
      hint: expect.stringContaining('state.branch'),
    })
  })

  it('becomes advice about a token that may not push', () => {
    const error = pushRefused('The requested URL returned error: 403', 'x')
    expect(error.hint).toContain('contents: write')
  })

  it('becomes advice about a token that is not accepted', () => {
    const error = remoteUnreachable("fatal: Authentication failed for 'https://x'", 'x')
    expect(error).toMatchObject({
      code: 'state-unreachable',
      hint: expect.stringContaining('token'),
    })
  })
})
