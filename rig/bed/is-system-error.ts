/** Whether the operating system refused something with this code, as 'ENOENT'. */
export function isSystemError(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
