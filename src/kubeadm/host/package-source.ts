import type { PackageFile, PackageSource } from '../../spec/hosts/hosts-spec.ts'

/** A file that a host without repositories is given, of its architecture. */
export interface HostFile<Name extends string> extends Pick<PackageFile<Name>, 'name' | 'sha256'> {
  /** An address, or an absolute path on the host. */
  readonly at: string
}

/**
 * Where the packages of one host come from. The URL of a mirror stands where that of the repository does, with the same
 * folders below; its key is that of the repository where none is given.
 */
export type HostPackageSource<File extends string> =
  | Exclude<PackageSource<File>, { type: 'files' }>
  | { readonly type: 'files'; readonly files: readonly HostFile<File>[] }

/** The address that stands for a repository: its own, or that of a mirror. */
export function repositoryUrl(source: HostPackageSource<string>, own: string): string {
  return (source.type === 'mirror' ? source.url : own).replace(/\/+$/, '')
}

/** One line for each file, which is what the scripts read: name, checksum, where it is, with tabs. */
export function fileLines(source: {
  readonly type: string
  readonly files?: readonly HostFile<string>[]
}): string {
  return (source.files ?? [])
    .map(({ name, sha256, at }) => [name, sha256, at].join('\t'))
    .join('\n')
}
