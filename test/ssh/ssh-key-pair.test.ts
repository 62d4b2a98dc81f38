import ssh2 from 'ssh2'
import { expect, test } from 'vitest'
import { createSshKeyPair } from '../../src/ssh/ssh-key-pair.ts'

test('every key that is made can be read again', async () => {
  for (let count = 0; count < 600; count++) {
    const { privateKey } = await createSshKeyPair('test')
    expect(ssh2.utils.parseKey(privateKey)).not.toBeInstanceOf(Error)
  }
})
