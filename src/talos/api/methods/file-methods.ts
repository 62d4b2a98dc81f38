import { ListRequest_Type, MachineService } from '../gen/machine/machine_pb.js'
import type { CallOptions, TalosCaller } from '../talos-caller.ts'
import { followOne } from './follow-one.ts'

const { method } = MachineService

/** What is listed of a folder. */
export interface ListOptions {
  /** Whether folders in it are listed too, to any depth unless `depth` says how deep. */
  readonly recurse?: boolean
  readonly depth?: number
  /** Only these; all where none is given. */
  readonly types?: readonly (keyof typeof fileTypes)[]
  readonly extendedAttributes?: boolean
}

const fileTypes = {
  file: ListRequest_Type.REGULAR,
  folder: ListRequest_Type.DIRECTORY,
  link: ListRequest_Type.SYMLINK,
} as const

/** What is counted. */
export interface DiskUsageOptions {
  /** How deep sizes are told one by one; 0 tells the sum alone. */
  readonly depth?: number
  /** Whether files are told too, not folders alone. */
  readonly all?: boolean
  /** Leaves out what is smaller than so many bytes; what is larger than that many, when it is negative. */
  readonly threshold?: bigint
}

/**
 * The files of a node. A path that is not there ends the call as `talos-refused`, but for `diskUsage`, whose
 * items have an `error` of their own.
 */
export function fileMethods(caller: TalosCaller) {
  return {
    /** A file's bytes, in pieces. For os:admin. */
    read: (path: string, options?: CallOptions) =>
      followOne(caller, method.read, { path }, options),

    /** A file or folder as a tar.gz, in pieces. For os:admin. */
    copy: (rootPath: string, options?: CallOptions) =>
      followOne(caller, method.copy, { rootPath }, options),

    /** What is in a folder; sizes in bytes, times in seconds since 1970. For os:reader. */
    list: (
      root: string,
      { recurse = false, depth = 0, types = [], extendedAttributes = false }: ListOptions = {},
      options?: CallOptions,
    ) =>
      followOne(
        caller,
        method.list,
        {
          root,
          recurse,
          recursionDepth: depth,
          types: types.map((name) => fileTypes[name]),
          reportXattrs: extendedAttributes,
        },
        options,
      ),

    /** What files and folders take, in bytes. For os:reader. */
    diskUsage: (
      paths: readonly string[],
      { depth = 0, all = false, threshold = 0n }: DiskUsageOptions = {},
      options?: CallOptions,
    ) =>
      followOne(
        caller,
        method.diskUsage,
        // For Talos 1 is the sum alone, and 0 every depth.
        { paths: [...paths], recursionDepth: depth + 1, all, threshold },
        options,
      ),
  }
}
