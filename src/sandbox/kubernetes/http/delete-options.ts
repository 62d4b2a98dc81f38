import type { JsonObject } from '../../../lib/json.ts'
import type { DeleteOptions } from '../api/delete-object.ts'
import { numberAt, objectAt, textAt, textsAt } from '../model/read-json.ts'
import { type ApiRequest, isDryRun } from './api-request.ts'
import { parseBody } from './read-object.ts'

/** DeleteOptions from the body, or from the parameters that stand for them. */
export function deleteOptions(request: ApiRequest): DeleteOptions {
  const body = request.body.length === 0 ? {} : parseBody(request)
  return readDeleteOptions(body, request)
}

export function readDeleteOptions(body: JsonObject, request: ApiRequest): DeleteOptions {
  const { query } = request
  const asked = query.get('gracePeriodSeconds')
  const gracePeriodSeconds =
    numberAt(body, 'gracePeriodSeconds') ?? (asked === null ? undefined : Number(asked))
  const propagation = textAt(body, 'propagationPolicy') || (query.get('propagationPolicy') ?? '')
  const preconditions = objectAt(body, 'preconditions')
  const uid = textAt(preconditions, 'uid')
  const resourceVersion = textAt(preconditions, 'resourceVersion')
  return {
    dryRun: isDryRun(request) || textsAt(body, 'dryRun').includes('All'),
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(isPropagation(propagation) ? { propagation } : {}),
    ...(uid === '' ? {} : { uid }),
    ...(resourceVersion === '' ? {} : { resourceVersion }),
  }
}

function isPropagation(text: string): text is 'Background' | 'Foreground' | 'Orphan' {
  return ['Background', 'Foreground', 'Orphan'].includes(text)
}
