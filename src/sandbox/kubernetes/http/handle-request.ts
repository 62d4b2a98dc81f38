import type { ApiContext } from '../api/api-context.ts'
import { ApiError, unknownPath } from '../model/api-error.ts'
import { type ApiReply, type ApiRequest, ok } from './api-request.ts'
import { isAdmin } from './authenticate.ts'
import { discover } from './discovery.ts'
import { handleResource } from './handle-resource.ts'
import { openApi } from './openapi.ts'
import { parseResourcePath, type ResourcePath } from './resource-path.ts'

const healthPaths = ['/healthz', '/livez', '/readyz']

/** Answers any request of somebody who is known. Throws ApiError. */
export function handleRequest(context: ApiContext, request: ApiRequest, version: string): ApiReply {
  const path = request.path.replace(/(?<=.)\/$/, '')
  if (healthPaths.some((health) => path === health || path.startsWith(`${health}/`))) {
    return { code: 200, text: 'ok' }
  }
  if (path === '/version') return ok(versionInfo(version))
  const found = discover(context.resources, path, request.accept)
  if (found) return { code: 200, ...found }
  const document = openApi(context.resources, path)
  if (document) return ok(document)
  const resource = parseResourcePath(path)
  if (!resource) throw unknownPath()
  if (!isAdmin(request.user, context.store)) throw notAllowed(request, resource)
  return handleResource(context, request, resource)
}

function versionInfo(version: string) {
  const [major = '1', minor = '0'] = version.replace(/^v/, '').split('.')
  return {
    major,
    minor,
    emulationMajor: major,
    emulationMinor: minor,
    minCompatibilityMajor: major,
    minCompatibilityMinor: String(Number(minor) - 1),
    gitVersion: version.startsWith('v') ? version : `v${version}`,
    gitCommit: '0000000000000000000000000000000000000000',
    gitTreeState: 'clean',
    buildDate: '2025-01-01T00:00:00Z',
    goVersion: 'go1.23.4',
    compiler: 'gc',
    platform: 'linux/amd64',
  }
}

const verbs: Readonly<Record<string, string>> = {
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
}

function notAllowed(
  request: ApiRequest,
  { group, plural, name, namespace }: ResourcePath,
): ApiError {
  const reading = name === undefined ? 'list' : 'get'
  const verb = verbs[request.method] ?? reading
  const where = namespace === undefined ? 'at the cluster scope' : `in the namespace "${namespace}"`
  const id = group === '' ? plural : `${plural}.${group}`
  const who = name === undefined ? id : `${id} "${name}"`
  const message = `${who} is forbidden: User "${request.user.name}" cannot ${verb} resource "${plural}" in API group "${group}" ${where}`
  return new ApiError(403, 'Forbidden', message, {
    ...(name === undefined ? {} : { name }),
    ...(group === '' ? {} : { group }),
    kind: plural,
  })
}
