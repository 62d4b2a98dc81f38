import { ClusterError } from '../../lib/cluster-error.ts'

/** `rotation-unprepared`: the cluster file, or the run, does not have the key that comes next. */
export function unprepared(target: string, message: string, hint = prepareFirst): ClusterError {
  return new ClusterError('rotation-unprepared', message, {
    operation: 'rotate the keys of the state',
    target,
    hint,
  })
}

const prepareFirst =
  'Run `hcloud-talos rotate --prepare`: it makes the new identity and prints what to write into the cluster file.'
