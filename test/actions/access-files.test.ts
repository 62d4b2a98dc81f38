import { readFile, stat } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { putAccessFiles } from '../../src/actions/access-files.ts'
import { makeFolder } from '../store/state-fixture.ts'

const run = {
  id: 'gh-7-70-apply',
  attempt: 1,
  host: 'test',
  url: undefined,
  commit: undefined,
  actor: undefined,
}

async function put(minted: { readonly kubeconfig: string; readonly talosconfig?: string }) {
  const outputs = new Map<string, string>()
  const runner = {
    setOutput: (name: string, value: string) => void outputs.set(name, value),
    saveState() {},
  }
  const environment = { RUNNER_TEMP: await makeFolder() }
  await putAccessFiles({ runner, context: { run }, environment }, minted)
  return outputs
}

test('each file of credentials is for this user alone, and an output names it', async () => {
  const outputs = await put({ kubeconfig: 'of kubernetes', talosconfig: 'of talos' })
  expect([...outputs.keys()]).toEqual(['kubeconfig', 'talosconfig'])
  const path = outputs.get('talosconfig') ?? ''
  expect(await readFile(path, 'utf8')).toBe('of talos')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})

test('a mode whose nodes are reached by no talosconfig leaves that output unset', async () => {
  const outputs = await put({ kubeconfig: 'of kubernetes' })
  expect([...outputs.keys()]).toEqual(['kubeconfig'])
})
