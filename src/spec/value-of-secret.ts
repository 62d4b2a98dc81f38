import { ClusterError } from '../lib/cluster-error.ts'
import { type NamedSecrets, secretVariable } from './secret-reference.ts'

/** The value of a secret by its name. Throws `secret-missing`. */
export function valueIn(named: NamedSecrets): (name: string) => string {
  return (name) => {
    const value = named.get(name)
    if (value !== undefined) return value
    throw new ClusterError('secret-missing', `the secret ${name} is not known`, {
      operation: 'fill a reference',
      target: name,
      hint: `Run \`hcloud-talos secret set ${name}\`, or give an apply ${secretVariable(name)} in its environment.`,
    })
  }
}
