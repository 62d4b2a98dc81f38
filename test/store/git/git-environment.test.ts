import { describe, expect, it } from 'vitest'
import { gitEnvironment } from '../../../src/store/git/git-environment.ts'

const credentials = { username: 'x-access-token', password: 'canary-token' }

describe('the environment of git', () => {
  it('holds what git needs and none of our keys', () => {
    const environment = gitEnvironment(
      {
        PATH: '/bin',
        HOME: '/home/me',
        https_proxy: 'http://proxy',
        SSH_AUTH_SOCK: '/run/agent',
        GIT_DIR: '/elsewhere',
        GIT_TRACE_CURL: '1',
        HCLOUD_TOKEN: 'secret',
        HCLOUD_TALOS_AGE_IDENTITY: 'secret',
        GITHUB_TOKEN: 'for-gh',
      },
      'https://example.com/x.git',
      credentials,
    )
    expect(environment).toMatchObject({
      PATH: '/bin',
      HOME: '/home/me',
      https_proxy: 'http://proxy',
      SSH_AUTH_SOCK: '/run/agent',
      LC_ALL: 'C',
      GIT_TERMINAL_PROMPT: '0',
    })
    for (const name of ['GIT_DIR', 'GIT_TRACE_CURL', 'HCLOUD_TOKEN', 'GITHUB_TOKEN']) {
      expect(environment).not.toHaveProperty(name)
    }
    expect(Object.values(environment)).not.toContain('secret')
  })

  it('binds credentials to the host of the remote', () => {
    const environment = gitEnvironment({}, 'https://example.com:8443/a/x.git', credentials)
    const count = Number(environment['GIT_CONFIG_COUNT'])
    const keys = Array.from({ length: count }, (_, index) => environment[`GIT_CONFIG_KEY_${index}`])
    expect(keys).toContain('credential.https://example.com:8443.helper')
    const values = Array.from(
      { length: count },
      (_, index) => environment[`GIT_CONFIG_VALUE_${index}`],
    )
    expect(values.join()).not.toContain('canary-token')
  })

  it('leaves a person at a terminal the helpers that they have set up', () => {
    const environment = gitEnvironment({ GITHUB_TOKEN: 'for-gh' }, 'https://example.com/x.git')
    expect(environment['GITHUB_TOKEN']).toBe('for-gh')
    expect(Object.values(environment).join()).not.toContain('credential.helper')
  })
})
