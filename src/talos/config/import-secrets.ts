import { ClusterError, isClusterError } from '../../lib/cluster-error.ts'
import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts'
import type { KeyMaker } from '../../lib/key-maker.ts'
import { oldView } from './reshape/old-view.ts'
import type { SecretsBundle } from './secrets-bundle.ts'
import { parseSecretsBundle } from './secrets-bundle-yaml.ts'
import { formatYamlDocuments, parseYamlDocuments, YamlProblem } from './yaml-documents.ts'

/**
 * The secrets of a cluster out of what somebody has kept of it: the file of `talosctl gen secrets` (or the
 * JSON form of other tools), or the machine config of a control plane. Throws `secrets-invalid`, quoting
 * nothing.
 */
export function importSecrets(text: string, keys: KeyMaker): SecretsBundle {
  return documentsOf(text).some((each) => isJsonObject(each) && isJsonObject(each['machine']))
    ? secretsOfMachineConfig(text, keys)
    : parseSecretsBundle(text, keys)
}

/**
 * The secrets that the machine config of a control plane holds, which are all that its cluster has, in
 * whichever shape. Throws `secrets-invalid` for a worker's, which has no
 * keys, and for one that is not whole.
 */
export function secretsOfMachineConfig(text: string, keys: KeyMaker): SecretsBundle {
  const documents = documentsOf(text).filter(isJsonObject)
  if (!documents.some((document) => document['kind'] === undefined)) {
    throw invalid('it has no v1alpha1 document')
  }
  const v1alpha1 = oldView(documents)
  const [machine, cluster] = [objectAt(v1alpha1, 'machine'), objectAt(v1alpha1, 'cluster')]
  if (machine['type'] !== 'controlplane') {
    throw invalid('it is not that of a control plane, and workers have no keys')
  }
  const bundle = {
    cluster: pick(cluster, { id: 'id', secret: 'secret' }),
    secrets: pick(cluster, {
      bootstraptoken: 'token',
      secretboxencryptionsecret: 'secretboxEncryptionSecret',
      aescbcencryptionsecret: 'aescbcEncryptionSecret',
    }),
    trustdinfo: pick(machine, { token: 'token' }),
    certs: {
      etcd: objectAt(objectAt(cluster, 'etcd'), 'ca'),
      k8s: objectAt(cluster, 'ca'),
      k8saggregator: objectAt(cluster, 'aggregatorCA'),
      k8sserviceaccount: objectAt(cluster, 'serviceAccount'),
      os: objectAt(machine, 'ca'),
    },
  }
  try {
    return parseSecretsBundle(formatYamlDocuments([bundle]), keys)
  } catch (error) {
    if (isClusterError(error, 'secrets-invalid')) throw invalid(error.message)
    throw error
  }
}

function documentsOf(text: string): Json[] {
  try {
    return parseYamlDocuments(text)
  } catch (error) {
    throw error instanceof YamlProblem ? invalid(error.message) : error
  }
}

/** Some fields of an object under other names; those that are not there are left out. */
function pick(from: JsonObject, names: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(
    Object.entries(names).flatMap(([name, field]) => {
      const value = from[field]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

function objectAt(from: JsonObject, field: string): JsonObject {
  const value = from[field]
  return isJsonObject(value) ? value : {}
}

function invalid(reason: string): ClusterError {
  return new ClusterError('secrets-invalid', `no secrets can be read out of it: ${reason}`, {
    operation: 'import secrets',
    hint: 'Give the file of `talosctl gen secrets`, or the machine config of a control plane, complete and unchanged.',
  })
}
