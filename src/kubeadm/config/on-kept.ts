import { isJsonObject, type JsonObject } from '../../lib/json.ts'
import { kubeadmApi } from './kubeadm-paths.ts'

/** What of a ClusterConfiguration a cluster file decides, beside what stands at its top. */
const decided: Readonly<Record<string, readonly string[]>> = {
  apiServer: ['certSANs', 'extraArgs'],
  controllerManager: ['extraArgs'],
  scheduler: ['extraArgs'],
  proxy: ['disabled'],
}

/**
 * A ClusterConfiguration on the one that the cluster keeps: what no cluster file can say stays as it is (arguments of
 * etcd, volumes of the API server, a repository of images). So does what a cluster is born with, which a file that differs
 * in it was refused for: the name that kubeadm knows it by, and its ranges.
 */
export function onKeptConfiguration(wanted: JsonObject, kept: JsonObject | undefined): JsonObject {
  if (kept?.['apiVersion'] !== kubeadmApi) return wanted
  const parts = Object.entries(decided).map(([part, keys]) => {
    const others = Object.entries(objectIn(kept, part)).filter(([key]) => !keys.includes(key))
    return [part, { ...Object.fromEntries(others), ...objectIn(wanted, part) }] as const
  })
  const { clusterName, networking } = kept
  return {
    ...kept,
    ...wanted,
    ...Object.fromEntries(parts),
    ...(clusterName !== undefined && { clusterName }),
    ...(networking !== undefined && { networking }),
  }
}

/** The same for what all kubelets share. Patches of the file come after it, on each host. */
export function onKeptKubelet(wanted: JsonObject, kept: JsonObject | undefined): JsonObject {
  return { ...kept, ...wanted }
}

function objectIn(object: JsonObject, key: string): JsonObject {
  const value = object[key]
  return isJsonObject(value) ? value : {}
}
