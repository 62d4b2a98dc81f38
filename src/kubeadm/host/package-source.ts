/** A file that a host without repositories is given: an address, or an absolute path on the host. */
export interface HostFile<Name extends string> {
  readonly name: Name
  readonly from: string
  readonly sha256: string
}

/**
 * Where packages come from. The URL of a mirror stands where that of the repository does, with the same folders below; its
 * key is that of the repository where none is given.
 */
export type HostPackageSource<File extends string> =
  | { readonly type: 'repository' }
  | { readonly type: 'mirror'; readonly url: string; readonly key?: string | undefined }
  | { readonly type: 'files'; readonly files: readonly HostFile<File>[] }

/** The address that stands for a repository: its own, or that of a mirror. */
export function repositoryUrl(source: HostPackageSource<string>, own: string): string {
  return (source.type === 'mirror' ? source.url : own).replace(/\/+$/, '')
}

/** One line for each file, which is what the scripts read: name, checksum, where from, with tabs. */
export function fileLines(source: {
  readonly type: string
  readonly files?: readonly HostFile<string>[]
}): string {
  return (source.files ?? [])
    .map(({ name, sha256, from }) => [name, sha256, from].join('\t'))
    .join('\n')
}
