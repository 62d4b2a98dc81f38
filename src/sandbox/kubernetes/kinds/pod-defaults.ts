import type { Json, JsonObject } from '../../../lib/json.ts'
import { objectAt, objectsAt, textAt } from '../model/read-json.ts'

/** A pod's spec with what Kubernetes fills in; also for the templates of workloads. */
export function podSpecDefaults(spec: JsonObject): JsonObject {
  const serviceAccount = textAt(spec, 'serviceAccountName') || textAt(spec, 'serviceAccount')
  return {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    schedulerName: 'default-scheduler',
    securityContext: {},
    ...spec,
    ...(serviceAccount === '' ? {} : { serviceAccountName: serviceAccount, serviceAccount }),
    ...mapped(spec, 'containers', (item) => containerDefaults(item, spec)),
    ...mapped(spec, 'initContainers', (item) => containerDefaults(item, spec)),
    ...mapped(spec, 'volumes', volumeDefaults),
  }
}

/** A list of the spec with each of its items changed; nothing where there is no such list. */
export function mapped(
  parent: JsonObject,
  name: string,
  change: (item: JsonObject) => JsonObject,
): JsonObject {
  return Array.isArray(parent[name]) ? { [name]: objectsAt(parent, name).map(change) } : {}
}

function containerDefaults(container: JsonObject, spec: JsonObject): JsonObject {
  const image = textAt(container, 'image')
  const tagless = image.endsWith(':latest') || !/[:@][^/]*$/.test(image)
  return {
    imagePullPolicy: tagless ? 'Always' : 'IfNotPresent',
    resources: {},
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    ...container,
    ...mapped(container, 'ports', (port) => portDefaults(port, spec['hostNetwork'] === true)),
    ...mapped(container, 'env', envDefaults),
    ...probes(container),
  }
}

function portDefaults(port: JsonObject, hostNetwork: boolean): JsonObject {
  const onHost: JsonObject =
    hostNetwork && port['hostPort'] === undefined && port['containerPort'] !== undefined
      ? { hostPort: port['containerPort'] }
      : {}
  return { protocol: 'TCP', ...port, ...onHost }
}

function envDefaults(variable: JsonObject): JsonObject {
  const fieldRef = objectAt(variable, 'valueFrom', 'fieldRef')
  return Object.keys(fieldRef).length === 0
    ? variable
    : {
        ...variable,
        valueFrom: {
          ...objectAt(variable, 'valueFrom'),
          fieldRef: { apiVersion: 'v1', ...fieldRef },
        },
      }
}

function probes(container: JsonObject): JsonObject {
  const names = ['livenessProbe', 'readinessProbe', 'startupProbe']
  return Object.fromEntries(
    names.flatMap((name) =>
      container[name] === undefined ? [] : [[name, probeDefaults(objectAt(container, name))]],
    ),
  )
}

function probeDefaults(probe: JsonObject): JsonObject {
  const http = objectAt(probe, 'httpGet')
  return {
    timeoutSeconds: 1,
    periodSeconds: 10,
    successThreshold: 1,
    failureThreshold: 3,
    ...probe,
    ...(Object.keys(http).length === 0 ? {} : { httpGet: { path: '/', scheme: 'HTTP', ...http } }),
  }
}

const fileMode = 420

/** What a volume's source is filled up with, by its name. */
const sources: Readonly<Record<string, JsonObject>> = {
  secret: { defaultMode: fileMode },
  configMap: { defaultMode: fileMode },
  downwardAPI: { defaultMode: fileMode },
  projected: { defaultMode: fileMode },
  hostPath: { type: '' },
}

function volumeDefaults(volume: JsonObject): JsonObject {
  const filled = Object.entries(volume).map(([name, value]): [string, Json] => {
    const source = sources[name]
    return source ? [name, { ...source, ...objectAt(value) }] : [name, value]
  })
  const bare = filled.length === 1 && filled[0]?.[0] === 'name'
  return bare ? { ...volume, emptyDir: {} } : Object.fromEntries(filled)
}
