import { formatPath } from '../../../lib/finding.ts'
import { isAddress, isHostName } from '../../checks/host-syntax.ts'
import type { CheckFinding } from '../../checks/spec-check.ts'
import { quoteValue } from '../../quote-value.ts'
import type { Path } from '../../yaml/yaml-source.ts'
import type { HostsFile } from '../hosts-file.ts'
import type { JumpInFile, KeyInFile, SecretSourceInFile } from '../login-schema.ts'
import { type HostsCheckContext, hostsError } from './hosts-check.ts'

type LoginInFile = Pick<HostsFile['ssh'], 'user' | 'key' | 'jump' | 'sudo'>

/** How hosts are logged in to: what proves who we are, and what they prove themselves by. */
export function checkLogins({ file, spec }: HostsCheckContext): CheckFinding[] {
  const { ssh, hosts } = file
  return [
    ...checkLogin(ssh, ['ssh']),
    ...checkJumpKey(ssh, ['ssh'], file),
    ...hosts.flatMap((host, index) => {
      const path = ['hosts', index]
      return [
        ...checkLogin(host.ssh, [...path, 'ssh']),
        ...checkJumpKey(host.ssh, [...path, 'ssh'], file),
        ...checkHostKey(host.hostKey, path, ssh.hostKey !== undefined),
      ]
    }),
    ...checkSudo({ file, spec }),
  ]
}

function checkLogin({ key, jump, sudo }: LoginInFile, path: Path): CheckFinding[] {
  const hasPassword = typeof sudo === 'object'
  return [
    ...(key === undefined ? [] : checkKey(key, [...path, 'key'])),
    ...(hasPassword ? checkSecret(sudo.password, [...path, 'sudo', 'password']) : []),
    ...(typeof jump === 'object' ? checkJump(jump, [...path, 'jump']) : []),
  ]
}

function checkJump({ address, key }: JumpInFile, path: Path): CheckFinding[] {
  const isHost = isAddress(address) || isHostName(address)
  const at = [...path, 'address']
  return [
    ...(isHost
      ? []
      : [
          hostsError(
            at,
            `${formatPath(at)} is ${quoteValue(address)}, which is no host name or address`,
            'Write it without scheme, user and port.',
          ),
        ]),
    ...(key === undefined ? [] : checkKey(key, [...path, 'key'])),
  ]
}

function checkKey(key: KeyInFile, path: Path): CheckFinding[] {
  const { publicKey, passphrase } = key
  const wrong = checkOneOf(key, ['agent', 'file', 'environment'], path)
  if (wrong.length > 0) return wrong
  if (publicKey !== undefined && key.agent === undefined) {
    const at = [...path, 'publicKey']
    const message = `${formatPath(at)} chooses a key of an agent, and there is none`
    return [{ ...hostsError(at, message, 'Remove it, or add agent: true.'), atKey: true }]
  }
  if (passphrase === undefined) return []
  if (key.agent === undefined) return checkSecret(passphrase, [...path, 'passphrase'])
  const at = [...path, 'passphrase']
  const message = `${formatPath(at)} is of no use: an agent keeps its keys open`
  return [{ ...hostsError(at, message, 'Remove it.'), atKey: true }]
}

function checkSecret(source: SecretSourceInFile, path: Path): CheckFinding[] {
  return checkOneOf(source, ['secret', 'environment'], path)
}

/** Exactly one of some fields. */
function checkOneOf<Field extends string>(
  value: Readonly<Partial<Record<Field, unknown>>>,
  fields: readonly Field[],
  path: Path,
): CheckFinding[] {
  const given = fields.filter((field) => value[field] !== undefined)
  const involves = fields.map((field) => [...path, field])
  const [first, second] = given
  if (first !== undefined && second === undefined) return []
  if (first === undefined) {
    const message = `${formatPath(path)} has none of ${fields.join(', ')}`
    return [{ ...hostsError(path, message, 'Add one of them.'), atKey: true, involves }]
  }
  return [
    {
      ...hostsError(
        [...path, second ?? first],
        `${formatPath(path)} has ${given.join(' and ')}, which exclude each other`,
        'Keep one of them.',
      ),
      atKey: true,
      involves,
    },
  ]
}

function checkHostKey(
  hostKey: string | undefined,
  path: Path,
  isRecorded: boolean,
): CheckFinding[] {
  if (hostKey !== undefined) return checkPin(hostKey, [...path, 'hostKey'])
  return isRecorded ? [] : [withoutHostKey(path)]
}

function checkJumpKey({ jump }: LoginInFile, path: Path, { ssh }: HostsFile): CheckFinding[] {
  if (typeof jump !== 'object') return []
  return checkHostKey(jump.hostKey, [...path, 'jump'], ssh.hostKey !== undefined)
}

function withoutHostKey(path: Path): CheckFinding {
  return {
    ...hostsError(
      path,
      `${formatPath(path)} has no hostKey, so that nothing proves that it is this host`,
      'Add one line of ssh-keyscan without its host name, or hostKey: record to accept the first key that it shows.',
    ),
    involves: [
      [...path, 'hostKey'],
      ['ssh', 'hostKey'],
    ],
  }
}

/** A key names its type a second time within itself. */
function checkPin(hostKey: string, path: Path): CheckFinding[] {
  const [type = '', key = ''] = hostKey.split(' ')
  if (hostKey === 'record' || key.startsWith('SHA256:')) return []
  if (typeWithin(key) === type) return []
  return [
    hostsError(
      path,
      `${formatPath(path)} is no ${type} key, whatever stands before it`,
      'Copy the line of ssh-keyscan once more: every character counts.',
    ),
  ]
}

/** The first field of a public key in SSH's wire format: its length in four bytes, and its text. */
function typeWithin(key: string): string | undefined {
  try {
    const bytes = atob(key)
    const length = [0, 1, 2, 3].reduce((sum, at) => sum * 256 + bytes.charCodeAt(at), 0)
    return bytes.slice(4, 4 + length)
  } catch {
    return undefined
  }
}

/** Everything on a host is done as root. */
function checkSudo({ file, spec }: HostsCheckContext): CheckFinding[] {
  return file.hosts.flatMap((host, index) => {
    const { login } = spec.hosts.find(({ name }) => name === host.name) ?? {}
    if (login === undefined || login.user === 'root' || login.sudo.type !== 'none') return []
    const place = host.ssh.sudo === undefined ? ['ssh'] : ['hosts', index, 'ssh']
    return [
      hostsError(
        [...place, 'sudo'],
        `${quoteValue(login.user)} of ${formatPath(['hosts', index])} is not root and has no sudo`,
        'Write passwordless, or the password that sudo asks for.',
      ),
    ]
  })
}
