import { describe, expect, test } from 'vitest'
import { HostKeyCheck, HostKeyPin } from '../../src/ssh/host-key.ts'
import { createSshKeyPair } from '../../src/ssh/ssh-key-pair.ts'

const blobOf = (line: string) => Buffer.from(line.split(' ')[1] ?? '', 'base64')

/** Real ones of ssh-keygen, made for this test. */
const ecdsa =
  'ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBGFf7b7q5wfAbE1Xm2u7m0m4sVbYb0mGZ1C3m1gGv1m8V1wL1rJ2q8iW9v0cQ1aQ9pK8H2oS2v6Yd2o3x5l8ZtE='

describe('a pin', () => {
  test('as a whole key and as its fingerprint accepts that key and no other', async () => {
    const { publicKey } = await createSshKeyPair('one')
    const other = await createSshKeyPair('other')
    const whole = HostKeyPin.of(publicKey)
    for (const pin of [whole, HostKeyPin.of(`ssh-ed25519 ${whole.fingerprint}`)]) {
      const check = new HostKeyCheck(pin)
      expect(check.accept(blobOf(publicKey))).toBe(true)
      expect(check.rejected).toBeUndefined()
      expect(check.accept(blobOf(other.publicKey))).toBe(false)
      expect(check.rejected).toMatch(/^SHA256:[\w+/]{43}$/)
      expect(new HostKeyCheck(pin).rejected).toBeUndefined()
    }
  })

  test('asks the host for nothing but its own type, and never for SHA-1', () => {
    const fingerprint = `SHA256:${'A'.repeat(43)}`
    expect(HostKeyPin.of(`ssh-ed25519 ${fingerprint}`).algorithms).toEqual(['ssh-ed25519'])
    expect(HostKeyPin.of(`ssh-rsa ${fingerprint}`).algorithms).toEqual([
      'rsa-sha2-512',
      'rsa-sha2-256',
    ])
    expect(HostKeyPin.firstContact().algorithms).not.toContain('ssh-rsa')
  })

  test('the first contact records the key as it can be pinned in a file', async () => {
    const { publicKey } = await createSshKeyPair('one')
    const other = await createSshKeyPair('other')
    const pin = HostKeyPin.firstContact()
    const check = new HostKeyCheck(pin)
    expect(check.accept(blobOf(publicKey))).toBe(true)
    check.confirm()
    expect(HostKeyPin.of(pin.text ?? '').fingerprint).toBe(pin.fingerprint)
    expect(new HostKeyCheck(pin).accept(blobOf(other.publicKey))).toBe(false)
    expect(pin.algorithms).toEqual(['ssh-ed25519'])
  })

  test('a key that was shown and never proven is not recorded', async () => {
    const [shown, real] = [await createSshKeyPair('shown'), await createSshKeyPair('real')]
    const pin = HostKeyPin.firstContact()
    expect(new HostKeyCheck(pin).accept(blobOf(shown.publicKey))).toBe(true)
    expect(pin.text).toBeUndefined()
    const check = new HostKeyCheck(pin)
    expect(check.accept(blobOf(real.publicKey))).toBe(true)
    check.confirm()
    expect(pin.text).toBe(real.publicKey.split(' ').slice(0, 2).join(' '))
  })

  test.each([
    ['no type', `SHA256:${'A'.repeat(43)}`],
    ['DSA', `ssh-dss SHA256:${'A'.repeat(43)}`],
    ['an MD5 fingerprint', 'ssh-ed25519 16:27:ac:a5:76:28:2d:36:63:1b:56:4d:eb:df:a6:48'],
    ['a fingerprint that was cut', 'ssh-ed25519 SHA256:AAAA'],
    ['a key of another type', ecdsa.replace('ecdsa-sha2-nistp256', 'ssh-ed25519')],
    ['nothing', ''],
  ])('%s is rejected, with the form that is wanted', (_, text) => {
    expect(() => HostKeyPin.of(text)).toThrow(
      expect.objectContaining({
        code: 'ssh-host-key',
        hint: expect.stringContaining('ssh-keyscan'),
      }),
    )
  })
})
