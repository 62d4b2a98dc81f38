import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts'

/** What of a ClusterConfiguration is compared, whoever wrote it: kubeadm adds defaults to what it was given. */
export interface ComparedConfiguration {
  /** Without v. */
  readonly version: string | undefined
  readonly endpoint: string | undefined
  readonly podRange: string | undefined
  readonly serviceRange: string | undefined
  readonly dnsDomain: string | undefined
  readonly hasKubeProxy: boolean
  readonly certSans: readonly string[]
  readonly apiServer: JsonObject
  readonly controllerManager: JsonObject
  readonly scheduler: JsonObject
}

export function comparedConfiguration(configuration: JsonObject): ComparedConfiguration {
  const networking = objectIn(configuration, 'networking')
  const apiServer = objectIn(configuration, 'apiServer')
  const sans = apiServer['certSANs']
  return {
    version: textIn(configuration, 'kubernetesVersion')?.replace(/^v/, ''),
    endpoint: textIn(configuration, 'controlPlaneEndpoint'),
    podRange: textIn(networking, 'podSubnet'),
    serviceRange: textIn(networking, 'serviceSubnet'),
    dnsDomain: textIn(networking, 'dnsDomain'),
    hasKubeProxy: objectIn(configuration, 'proxy')['disabled'] !== true,
    certSans: (Array.isArray(sans) ? sans : []).map(String).sort(),
    apiServer: argumentsOf(apiServer),
    controllerManager: argumentsOf(objectIn(configuration, 'controllerManager')),
    scheduler: argumentsOf(objectIn(configuration, 'scheduler')),
  }
}

/** By name: v1beta4 has a list in which the order says nothing. */
function argumentsOf(component: JsonObject): JsonObject {
  const list = component['extraArgs']
  const named = (Array.isArray(list) ? list : []).flatMap((one: Json): [string, Json][] => {
    const name = isJsonObject(one) ? textIn(one, 'name') : undefined
    return isJsonObject(one) && name !== undefined ? [[name, one['value'] ?? '']] : []
  })
  return Object.fromEntries(named)
}

function objectIn(object: JsonObject, key: string): JsonObject {
  const value = object[key]
  return isJsonObject(value) ? value : {}
}

function textIn(object: JsonObject, key: string): string | undefined {
  const value = object[key]
  return typeof value === 'string' ? value : undefined
}
