import { parseArgs } from 'node:util'

export interface FetchOptions {
  readonly url: URL | undefined
  /** A file, `-` for standard output, undefined for the tool's own choice. */
  readonly output: string | undefined
  readonly tries: number
  readonly follow: boolean
  readonly failOnError: boolean
}

const flag = { type: 'boolean' } as const
const value = { type: 'string' } as const

/** wget's command line; the text of the complaint where it has an option that is not known. */
export function readWgetOptions(args: readonly string[]): FetchOptions | string {
  return read(() => {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        'output-document': { ...value, short: 'O' },
        tries: { ...value, short: 't' },
        timeout: { ...value, short: 'T' },
        'connect-timeout': value,
        'read-timeout': value,
        waitretry: value,
        progress: value,
        'max-redirect': value,
        quiet: { ...flag, short: 'q' },
        'server-response': { ...flag, short: 'S' },
        'no-verbose': flag,
        'https-only': flag,
        'show-progress': flag,
        // As in `-nv`.
        n: { ...flag, short: 'n' },
        v: { ...flag, short: 'v' },
      },
    })
    return {
      url: readUrl(positionals[0]),
      output: values['output-document'],
      tries: Number(values.tries ?? 20),
      follow: true,
      failOnError: true,
    }
  })
}

/** curl's command line; the text of the complaint where it has an option that is not known. */
export function readCurlOptions(args: readonly string[]): FetchOptions | string {
  return read(() => {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        output: { ...value, short: 'o' },
        fail: { ...flag, short: 'f' },
        location: { ...flag, short: 'L' },
        silent: { ...flag, short: 's' },
        'show-error': { ...flag, short: 'S' },
        compressed: flag,
        retry: value,
        'retry-delay': value,
        'retry-max-time': value,
        'retry-connrefused': flag,
        'retry-all-errors': flag,
        'connect-timeout': value,
        'max-time': { ...value, short: 'm' },
        proto: value,
        header: { ...value, short: 'H' },
      },
    })
    return {
      url: readUrl(positionals[0]),
      output: values.output ?? '-',
      tries: 1 + Number(values.retry ?? 0),
      follow: values.location ?? false,
      failOnError: values.fail ?? false,
    }
  })
}

function read(parse: () => FetchOptions): FetchOptions | string {
  try {
    return parse()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function readUrl(text: string | undefined): URL | undefined {
  return text !== undefined && URL.canParse(text) ? new URL(text) : undefined
}
