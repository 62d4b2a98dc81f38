import { createHash } from 'node:crypto'
import { z } from 'zod'
import { alreadyUsed, invalidFields } from '../api/api-error.ts'
import * as fields from '../api/fields.ts'
import { ensureNameFree, findRecord } from '../api/find-record.ts'
import { list, listQuery } from '../api/list.ts'
import { get, post, put, type Route, remove } from '../api/route.ts'
import { formatTime } from '../labels.ts'
import type { SshKeyRecord } from './ssh-key.ts'

const nameUsed = 'SSH key name is already used'

export const sshKeyRoutes: Route[] = [
  get('/ssh_keys', [...listQuery, 'fingerprint'], (call) => {
    const fingerprint = call.query.get('fingerprint')
    const keys = [...call.state.sshKeys.values()].filter(
      (key) => fingerprint === null || key.fingerprint === fingerprint,
    )
    return list(call, 'ssh_keys', keys, renderSshKey)
  }),
  get('/ssh_keys/{id}', [], (call) => ({
    status: 200,
    body: { ssh_key: renderSshKey(findRecord(call.state.sshKeys, call.id, 'SSH key')) },
  })),
  post(
    '/ssh_keys',
    z.strictObject({
      name: fields.resourceName,
      public_key: z.string(),
      labels: fields.labels.optional(),
    }),
    ({ state }, body) => {
      const fingerprint = readFingerprint(body.public_key)
      if (fingerprint === undefined) throw invalidFields(['public_key'])
      ensureNameFree(state.sshKeys, body.name, undefined, nameUsed)
      if ([...state.sshKeys.values()].some((key) => key.fingerprint === fingerprint)) {
        throw alreadyUsed('public_key', 'SSH key with the same fingerprint already exists')
      }
      const key: SshKeyRecord = {
        id: state.nextId(),
        name: body.name,
        labels: body.labels ?? {},
        created: state.now(),
        fingerprint,
        publicKey: body.public_key,
      }
      state.sshKeys.set(key.id, key)
      return { status: 201, body: { ssh_key: renderSshKey(key) } }
    },
  ),
  put(
    '/ssh_keys/{id}',
    z.strictObject({ name: fields.resourceName.optional(), labels: fields.labels.optional() }),
    ({ state, id }, body) => {
      const key = findRecord(state.sshKeys, id, 'SSH key')
      ensureNameFree(state.sshKeys, body.name, id, nameUsed)
      key.name = body.name ?? key.name
      key.labels = body.labels ?? key.labels
      return { status: 200, body: { ssh_key: renderSshKey(key) } }
    },
  ),
  remove('/ssh_keys/{id}', ({ state, id }) => {
    findRecord(state.sshKeys, id, 'SSH key')
    state.sshKeys.delete(id)
    return { status: 204 }
  }),
]

function renderSshKey(key: SshKeyRecord): Record<string, unknown> {
  return {
    id: key.id,
    name: key.name,
    fingerprint: key.fingerprint,
    public_key: key.publicKey,
    labels: key.labels,
    created: formatTime(key.created),
  }
}

/** Undefined unless it is an OpenSSH public key: `<type> <base64> [comment]`, the type inside as outside. */
function readFingerprint(publicKey: string): string | undefined {
  const [, type, base64] = /^(ssh-\S+|ecdsa-\S+) ([A-Za-z0-9+/]+=*)( .*)?\n?$/.exec(publicKey) ?? []
  if (type === undefined || base64 === undefined) return undefined
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length < 4 + type.length) return undefined
  if (bytes.subarray(4, 4 + bytes.readUInt32BE(0)).toString('latin1') !== type) return undefined
  const hex = createHash('md5').update(bytes).digest('hex')
  return hex.replace(/..(?!$)/g, '$&:')
}
