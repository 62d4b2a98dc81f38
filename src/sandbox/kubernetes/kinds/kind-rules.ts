import type { ApiContext } from '../api/api-context.ts'
import type { FieldProblem } from '../model/api-error.ts'
import type { KubeObject } from '../model/kube-object.ts'

/** What the API server does with objects of one kind besides storing them. */
export interface KindRules {
  /** Fills in what the user left out; also after every change. */
  readonly defaults?: (object: KubeObject) => KubeObject
  /** What only happens once, at creation; throws ApiError to refuse. */
  readonly onCreate?: (context: ApiContext, object: KubeObject) => KubeObject
  readonly validate?: (object: KubeObject, before: KubeObject | undefined) => FieldProblem[]
  /** Whether a change of anything but metadata and status counts as a new generation. */
  readonly generations?: boolean
}
