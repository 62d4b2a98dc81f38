import type { CheckFinding } from '../../checks/spec-check.ts'
import type { Path } from '../../yaml/yaml-source.ts'
import type { HostsFile } from '../hosts-file.ts'
import type { HostsSpec } from '../hosts-spec.ts'

export interface HostsCheckContext {
  readonly file: HostsFile
  /** What the file would mean. */
  readonly spec: HostsSpec
}

/** Judges one concern of a file of hosts whose fields, each by itself, are well-formed. */
export type HostsCheck = (context: HostsCheckContext) => CheckFinding[]

/** What is wrong with a file of hosts. */
export function hostsError(path: Path, message: string, hint: string): CheckFinding {
  return { severity: 'error', path, message, hint }
}
