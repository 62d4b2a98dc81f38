import type { Finding, Position } from '../lib/finding.ts'
import type { KnownCluster } from '../planner/known-cluster.ts'
import { referenceTo, secretVariable } from '../spec/secret-reference.ts'
import { referredSecrets } from '../spec/secret-references.ts'
import type { ClusterFile } from './cluster-file.ts'

/** Shorter ones cannot be hidden: they are parts of words. */
export const shortestSecret = 8

/**
 * What is wrong with the secrets that a file refers to: one that nobody has set or given is an error where the run can
 * tell, and a warning where only the run that carries the plan out can. One that nothing refers to is a warning.
 */
export function secretFindings(
  { spec, secrets }: Pick<KnownCluster, 'spec' | 'secrets'>,
  file: ClusterFile,
): Finding[] {
  if (!secrets) return []
  const { missing, isUncertain, unused, given } = secrets
  const referred = referredSecrets(spec)
  return [
    ...referred
      .filter(({ name }) => missing.includes(name))
      .map(({ name, path }): Finding => {
        const how = `Run \`hcloud-talos secret set ${name}\`, or give ${secretVariable(name)} to the environment of the apply.`
        const position = positionOf(file.text, name)
        const why = isUncertain
          ? 'is not kept in the state: an apply must be given it'
          : 'was never set'
        return {
          severity: isUncertain ? 'warning' : 'error',
          path,
          message: `the secret ${name} ${why}`,
          hint: how,
          ...(position && { position }),
        }
      }),
    ...[...given]
      .filter(([, value]) => value.trim().length < shortestSecret)
      .map(
        ([name]): Finding => ({
          severity: 'error',
          path: referred.find((each) => each.name === name)?.path ?? [],
          message: `${secretVariable(name)} is shorter than ${shortestSecret} characters: it could not be hidden in any output`,
          hint: 'Take a longer one.',
        }),
      ),
    ...unused.map(
      (name): Finding => ({
        severity: 'warning',
        path: [],
        message: `nothing in the cluster file refers to the secret ${name}`,
        hint: `Refer to it as ${referenceTo(name)}, or run \`hcloud-talos secret rm ${name}\`.`,
      }),
    ),
  ]
}

/** Where a text refers to a secret first; a reference is spelled in one way but for its form. */
export function positionOf(text: string, name: string): Position | undefined {
  const pattern = new RegExp(`(?<!\\$)\\$\\{secret:${name}(:(base64|json))?\\}`)
  const lines = text.split('\n')
  const line = lines.findIndex((each) => pattern.test(each.replace(/^\s*#.*$/, '')))
  if (line < 0) return undefined
  return { line: line + 1, column: (lines[line]?.search(pattern) ?? 0) + 1 }
}
