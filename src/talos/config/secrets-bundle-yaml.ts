import { ClusterError } from '../../lib/cluster-error.ts'
import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts'
import type { KeyMaker } from '../../lib/key-maker.ts'
import { decodeBase64, encodeText } from './base64.ts'
import { readCertificate } from './certificate.ts'
import type { AcceptedAuthority, SecretsBundle } from './secrets-bundle.ts'
import { formatYamlDocuments, parseYamlDocuments, YamlProblem } from './yaml-documents.ts'

/** The file that `talosctl gen secrets` writes, and that `talosctl gen config --with-secrets` reads. */
export function formatSecretsBundle({
  cluster,
  secrets,
  trustdInfo,
  certs,
}: SecretsBundle): string {
  const pair = ({ crt, key }: { crt: string; key: string }) => ({
    crt: encodeText(crt),
    key: encodeText(key),
  })
  return formatYamlDocuments([
    {
      cluster: { id: cluster.id, secret: cluster.secret },
      secrets: {
        bootstraptoken: secrets.bootstrapToken,
        ...(secrets.aescbcEncryptionSecret !== undefined && {
          aescbcencryptionsecret: secrets.aescbcEncryptionSecret,
        }),
        ...(secrets.secretboxEncryptionSecret !== undefined && {
          secretboxencryptionsecret: secrets.secretboxEncryptionSecret,
        }),
      },
      trustdinfo: { token: trustdInfo.token },
      certs: {
        etcd: pair(certs.etcd),
        k8s: pair(certs.k8s),
        k8saggregator: pair(certs.k8sAggregator),
        k8sserviceaccount: { key: encodeText(certs.k8sServiceAccount.key) },
        os: pair(certs.os),
        // Not of talosctl's own format, which passes over what it does not know.
        ...(certs.osAccepted && { osaccepted: accepted(certs.osAccepted) }),
      },
    },
  ])
}

function accepted({ crt, key }: AcceptedAuthority): JsonObject {
  return { crt: encodeText(crt), ...(key !== undefined && { key: encodeText(key) }) }
}

/**
 * Reads a bundle in talosctl's format (or in the JSON form of other tools, whose names differ in case
 * alone) and checks all of it: throws `secrets-invalid` with everything that is wrong, quoting nothing.
 */
export function parseSecretsBundle(text: string, keys: KeyMaker): SecretsBundle {
  const reader = new BundleReader(bundleRoot(text), keys)
  const secretbox = reader.optional('secrets', 'secretboxencryptionsecret')
  const aescbc = reader.optional('secrets', 'aescbcencryptionsecret')
  const bundle: SecretsBundle = {
    cluster: {
      id: reader.text('cluster', 'id'),
      secret: reader.bytes(32, 'cluster', 'secret'),
    },
    secrets: {
      bootstrapToken: reader.token('secrets', 'bootstraptoken'),
      ...(secretbox !== undefined && { secretboxEncryptionSecret: secretbox }),
      ...(aescbc !== undefined && { aescbcEncryptionSecret: aescbc }),
    },
    trustdInfo: { token: reader.token('trustdinfo', 'token') },
    certs: {
      etcd: reader.authority('etcd'),
      k8s: reader.authority('k8s'),
      k8sAggregator: reader.authority('k8saggregator'),
      k8sServiceAccount: { key: reader.privateKey('certs', 'k8sserviceaccount', 'key') },
      os: reader.authority('os'),
      ...reader.accepted('osaccepted'),
    },
  }
  if ((secretbox === undefined) === (aescbc === undefined)) {
    reader.problems.push(
      'secrets must hold exactly one of secretboxencryptionsecret and aescbcencryptionsecret',
    )
  }
  if (reader.problems.length > 0) throw invalid(reader.problems.join('; '))
  return bundle
}

/** Collects what is wrong instead of stopping at the first, so that one look fixes the file. */
class BundleReader {
  readonly problems: string[] = []
  readonly #root: JsonObject
  readonly #keys: KeyMaker

  constructor(root: JsonObject, keys: KeyMaker) {
    this.#root = root
    this.#keys = keys
  }

  optional(...path: string[]): string | undefined {
    let value: Json | undefined = this.#root
    for (const part of path) value = isJsonObject(value) ? value[part] : undefined
    return typeof value === 'string' && value !== '' ? value : undefined
  }

  text(...path: string[]): string {
    const value = this.optional(...path)
    if (value === undefined) this.problems.push(`${path.join('.')} is missing`)
    return value ?? ''
  }

  bytes(length: number, ...path: string[]): string {
    const value = this.text(...path)
    if (value !== '' && decodeBase64(value)?.length !== length) {
      this.problems.push(`${path.join('.')} must be ${length} bytes in base64`)
    }
    return value
  }

  token(...path: string[]): string {
    const value = this.text(...path)
    if (value !== '' && !/^[a-z0-9]{6}\.[a-z0-9]{16}$/.test(value)) {
      this.problems.push(`${path.join('.')} must look like abcdef.0123456789abcdef`)
    }
    return value
  }

  authority(name: string): { crt: string; key: string } {
    const crt = this.#pem('certs', name, 'crt')
    const key = this.privateKey('certs', name, 'key')
    const certificate = readCertificate(crt)
    if (crt !== '' && certificate === undefined) {
      this.problems.push(`certs.${name}.crt is not a certificate`)
    }
    const publicKey = this.#keys.read(key)?.publicKey
    if (certificate && publicKey && !sameBytes(certificate.publicKey, publicKey)) {
      this.problems.push(`certs.${name}.key does not belong to certs.${name}.crt`)
    }
    return { crt, key }
  }

  /** The CA that is accepted besides, where there is one; without a key where it issues nothing any more. */
  accepted(name: string): { osAccepted?: AcceptedAuthority } {
    if (this.optional('certs', name, 'crt') === undefined) return {}
    if (this.optional('certs', name, 'key') !== undefined) {
      return { osAccepted: this.authority(name) }
    }
    const crt = this.#pem('certs', name, 'crt')
    if (readCertificate(crt) === undefined) {
      this.problems.push(`certs.${name}.crt is not a certificate`)
    }
    return { osAccepted: { crt } }
  }

  privateKey(...path: string[]): string {
    const pem = this.#pem(...path)
    if (pem !== '' && this.#keys.read(pem) === undefined) {
      this.problems.push(`${path.join('.')} is not a private key`)
    }
    return pem
  }

  #pem(...path: string[]): string {
    const value = this.text(...path)
    const bytes = decodeBase64(value)
    if (bytes === undefined) this.problems.push(`${path.join('.')} is not base64`)
    return bytes === undefined ? '' : new TextDecoder().decode(bytes)
  }
}

function bundleRoot(text: string): JsonObject {
  let documents: Json[]
  try {
    documents = parseYamlDocuments(text)
  } catch (error) {
    throw error instanceof YamlProblem ? invalid(error.message) : error
  }
  const [root] = documents
  if (documents.length !== 1 || !isJsonObject(root)) throw invalid('it is not one YAML mapping')
  return lowerCaseKeys(root)
}

function lowerCaseKeys(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key.toLowerCase(),
      isJsonObject(each) ? lowerCaseKeys(each) : each,
    ]),
  )
}

function invalid(reason: string): ClusterError {
  return new ClusterError('secrets-invalid', `the secrets bundle is not valid: ${reason}`, {
    operation: 'read the secrets bundle',
    hint: 'Give the file that `talosctl gen secrets` writes, complete and unchanged.',
  })
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index])
}
