import { ClusterError } from './cluster-error.ts'

const full = ['ENOSPC', 'EDQUOT']

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'it may not be written',
  EEXIST: 'a part of its path is a file',
  EISDIR: 'it is a folder',
  ENOENT: 'there is no such folder',
  ENOTDIR: 'a part of its path is a file',
  EPERM: 'it may not be written',
  EROFS: 'the disk is read-only',
}

/** What the system says of a file or folder that cannot be written, as `disk-full` or `file-unwritable`. */
export function fileFailure(
  error: unknown,
  target: string,
  {
    operation = 'write',
    hint = 'Check the folder and its permissions.',
  }: { readonly operation?: string; readonly hint?: string } = {},
): ClusterError {
  const systemCode = error instanceof Error && 'code' in error ? String(error.code) : ''
  const context = { operation, target, cause: error }
  if (full.includes(systemCode)) {
    return new ClusterError('disk-full', 'there is no room on the disk', {
      ...context,
      hint: 'Make room and run again.',
    })
  }
  const reason = reasons[systemCode] ?? (systemCode || String(error))
  return new ClusterError('file-unwritable', `it cannot be written: ${reason}`, {
    ...context,
    hint,
  })
}
