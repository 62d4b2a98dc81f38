import { writeFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { type Download, download, downloadFollowing } from './download.ts'
import { type FetchOptions, readCurlOptions, readWgetOptions } from './fetch-options.ts'
import { type Tool, type ToolRun, unknownOption } from './tool.ts'

/** wget: follows redirects, tries again after a broken connection and continues where it stopped. */
export const wget: Tool = async (run) => {
  const options = readWgetOptions(run.args)
  if (typeof options === 'string') return unknownOption(run, 'wget', options)
  if (options.url === undefined) return complain(run, 1, 'wget: missing URL')
  const got = await fetchOften(run, options.url, options)
  if (got.kind === 'no-host') return complain(run, 4, 'wget: unable to resolve host address')
  if (got.kind !== 'body') return complain(run, 4, 'wget: unable to connect')
  if (got.status >= 400) return complain(run, 8, `ERROR ${got.status}`)
  await deliver(run, options.output ?? basename(options.url.pathname), got.bytes)
  return got.whole ? 0 : complain(run, 4, 'wget: giving up')
}

/** curl: follows redirects and fails on an HTTP error only when asked to; tries once unless asked. */
export const curl: Tool = async (run) => {
  const options = readCurlOptions(run.args)
  if (typeof options === 'string') return unknownOption(run, 'curl', options)
  if (options.url === undefined) return complain(run, 3, 'curl: no URL')
  const got = await fetchOften(run, options.url, options)
  if (got.kind === 'no-host') return complain(run, 6, 'curl: could not resolve host')
  if (got.kind === 'no-connection') return complain(run, 7, 'curl: failed to connect')
  if (got.kind === 'redirect') return 0
  if (got.status >= 400 && options.failOnError) {
    return complain(run, 22, `curl: the requested URL returned error: ${got.status}`)
  }
  await deliver(run, options.output ?? '-', got.bytes)
  return got.whole ? 0 : complain(run, 18, 'curl: transfer closed with data remaining')
}

/** Tries until the whole body came, or the tries are used up: then what the last one brought. */
async function fetchOften(run: ToolRun, url: URL, options: FetchOptions): Promise<Download> {
  const once = options.follow ? downloadFollowing : download
  for (let tried = 1; ; tried++) {
    const got = await once(run.host, url)
    const broken = got.kind === 'no-connection' || (got.kind === 'body' && !got.whole)
    if (!broken || tried >= options.tries) return got
  }
}

async function deliver(run: ToolRun, output: string, bytes: Buffer): Promise<void> {
  if (output === '-') run.out(bytes)
  else await writeFile(resolve(run.cwd, output), bytes)
}

function complain(run: ToolRun, code: number, text: string): number {
  run.err(`${text}\n`)
  return code
}
