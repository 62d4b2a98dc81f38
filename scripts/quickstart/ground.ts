import type { Sandbox } from '../../src/sandbox/start-sandbox.ts'

/** What a quickstart stands on: a mode of the product, and the outside that it finds there. */
export interface Ground {
  /** What is started, in words. */
  readonly parts: string
  /** `folder` is there and empty. Close what it returns in the end. */
  open(place: { readonly folder: string; readonly path: string }): Promise<OpenGround>
}

export interface OpenGround {
  readonly sandbox: Sandbox
  /** What is merged. */
  readonly clusterFile: string
  readonly clusterName: string
  /** What jobs and the terminal find in their environment. */
  readonly environment: Readonly<Record<string, string>>
  /** Inputs of a job that plans, and of one that applies; the identity is not among them. */
  readonly inputs: Readonly<Record<'plan' | 'apply', Readonly<Record<string, string>>>>
  /** What is looked at when the cluster is there. */
  readonly looks: { readonly title: string; readonly commands: readonly (readonly string[])[] }
  /** What must be true when the cluster is gone. */
  afterDestroy(): readonly { readonly sentence: string; readonly isTrue: boolean }[]
  close(): Promise<void>
}
