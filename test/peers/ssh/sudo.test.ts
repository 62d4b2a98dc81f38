import { randomBytes } from 'node:crypto'
import { userInfo } from 'node:os'
import { describe, expect, test } from 'vitest'
import { Redactor } from '../../../src/lib/redactor.ts'
import { runScript } from '../../../src/ssh/run-script.ts'
import type { Sudo } from '../../../src/ssh/ssh-host.ts'
import { hangLimitMs } from '../../hang-limit.ts'
import { startPool, startSshd } from './openssh.ts'

const password = `secret-${randomBytes(8).toString('hex')}`

/** A user of this server alone: the files of users are those of a mount namespace. */
const prepare = `
mount --make-rprivate /
work=$(mktemp -d)
mount -t tmpfs tmpfs "$work"
mkdir "$work/upper" "$work/work"
mount -t overlay overlay -o "lowerdir=/etc,upperdir=$work/upper,workdir=$work/work" /etc
mkdir -p /run/sudo /var/lib/sudo
mount -t tmpfs tmpfs /run/sudo
mount -t tmpfs tmpfs /var/lib/sudo
echo 'tester:x:4242:4242::/tmp:/bin/bash' >>/etc/passwd
echo 'tester:x:4242:' >>/etc/group
echo 'tester:*:20000:0:99999:7:::' >>/etc/shadow
chpasswd <<<'tester:${password}'
`

async function reach(rule: string, sudo: Sudo) {
  const rules = `printf '%s\\n' '${rule}' >/etc/sudoers.d/tester\nchmod 440 /etc/sudoers.d/tester\n`
  const { host } = await startSshd({ prepare: `${prepare}${rules}`, user: 'tester' })
  const redactor = new Redactor()
  return { redactor, remote: startPool({ redactor }).host({ ...host, sudo }) }
}

const whoami = { title: 'ask who runs', text: 'id -un; cat', withinMs: hangLimitMs }

describe.skipIf(userInfo().uid !== 0)('sudo', () => {
  test('with a password: given when it is asked for, shown nowhere', async () => {
    const { remote } = await reach('tester ALL=(ALL) ALL', { password })
    const listing = '(cat /proc/[0-9]*/cmdline || true) 2>/dev/null | tr "\\0" "\\n" >"$1"'
    const file = `/tmp/listing-${password.slice(-8)}`
    const result = await runScript(remote, {
      ...whoami,
      text: `${listing}; id -un; cat; grep -c "${password.slice(7)}" "$1" || true; rm "$1"`,
      args: [file],
      input: Buffer.from('input\n'),
    })
    // The script is evaluated, and so stands in no list of processes either.
    expect(result).toEqual({ code: 0, stdout: 'root\ninput\n0\n', stderr: '' })
    // Whether sudo remembers who it asked or not.
    expect((await runScript(remote, whoami)).stdout).toBe('root\n')
  })

  test('with a wrong password asks once, and the script does not take its place', async () => {
    const { remote } = await reach('tester ALL=(ALL) ALL', { password: 'not-this-one' })
    const failure = await runScript(remote, whoami).catch((error: unknown) => error)
    expect(failure).toMatchObject({
      code: 'sudo-rejected',
      message: 'sudo rejects the password of tester on web-1',
      hint: expect.stringContaining('NOPASSWD'),
    })
    expect(JSON.stringify(failure)).not.toContain('not-this-one')
  })

  test('without a password: where it asks for none, and where it does', async () => {
    const free = await reach('tester ALL=(ALL) NOPASSWD: ALL', {})
    expect((await runScript(free.remote, whoami)).stdout).toBe('root\n')
    const asking = await reach('tester ALL=(ALL) ALL', {})
    await expect(runScript(asking.remote, whoami)).rejects.toMatchObject({
      code: 'sudo-rejected',
      message: 'tester may not run scripts as root on web-1',
      evidence: ['sudo: a password is required'],
    })
  })

  test('that needs no password is given none, and the script is not taken for one', async () => {
    const { remote } = await reach('tester ALL=(ALL) NOPASSWD: ALL', { password })
    expect((await runScript(remote, { ...whoami, input: Buffer.from('x\n') })).stdout).toBe(
      'root\nx\n',
    )
  })

  test('is stopped together with what it started', async () => {
    const { remote } = await reach('tester ALL=(ALL) NOPASSWD: ALL', {})
    const marker = `marker-${password.slice(-8)}`
    await expect(
      runScript(remote, { title: 'wait', text: `exec -a ${marker} sleep 3600`, withinMs: 15_000 }),
    ).rejects.toMatchObject({ code: 'script-timeout' })
    const left = 'grep -l "^$1" /proc/[0-9]*/cmdline 2>/dev/null || true'
    await expect
      .poll(
        async () => (await runScript(remote, { ...whoami, text: left, args: [marker] })).stdout,
        {
          timeout: hangLimitMs,
          interval: 1_000,
        },
      )
      .toBe('')
  })
})
