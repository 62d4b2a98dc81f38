import type { HostsSpec, SshKeySource } from '../../spec/hosts/hosts-spec.ts'
import type { MissingAccess } from '../mode/machine-provider.ts'
import type { RunContext } from '../run-context.ts'

/**
 * What the environment of a run lacks of the SSH keys that a file names. Whoever logs in to a host becomes root there:
 * pull requests may be planned without that, and then only their file is checked.
 */
export function missingSshAccess(
  { state: { environment } }: Pick<RunContext, 'state'>,
  { hosts }: HostsSpec,
): MissingAccess | undefined {
  const keys = hosts.flatMap(({ login }) => [login.key, ...(login.jump ? [login.jump.key] : [])])
  const variables = new Set(keys.flatMap(variableOf))
  const missing = [...variables].filter((name) => !environment[name])
  return missing.length === 0
    ? undefined
    : { what: `no SSH key (${missing.join(', ')})`, isOptional: true }
}

/** The variable of the environment that a key stands on; a file is looked for when it is needed. */
function variableOf(key: SshKeySource): string[] {
  if (key.from === 'environment') return [key.variable]
  return key.from === 'agent' ? ['SSH_AUTH_SOCK'] : []
}
