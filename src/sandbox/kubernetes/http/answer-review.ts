import { methodNotAllowed } from '../model/api-error.ts'
import { objectAt } from '../model/read-json.ts'
import { apiVersionOf, type ResourceType } from '../model/resource-type.ts'
import type { ApiReply, ApiRequest } from './api-request.ts'
import { parseBody } from './read-object.ts'

/** Answers a review (`kubectl auth can-i`, `kubectl auth whoami`): who gets this far may do everything. */
export function answerReview(type: ResourceType, request: ApiRequest): ApiReply {
  if (request.method !== 'POST') throw methodNotAllowed()
  const body = parseBody(request)
  const { name, groups } = request.user
  const everything = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] }
  const answers = {
    SelfSubjectAccessReview: { allowed: true, reason: '' },
    SelfSubjectReview: { userInfo: { username: name, groups } },
    SelfSubjectRulesReview: {
      resourceRules: [everything],
      nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
      incomplete: false,
    },
  }
  const status = Object.entries(answers).find(([kind]) => kind === type.kind)?.[1] ?? {}
  const json = {
    kind: type.kind,
    apiVersion: apiVersionOf(type),
    metadata: { creationTimestamp: null },
    spec: objectAt(body, 'spec'),
    status,
  }
  return { code: 201, json }
}
