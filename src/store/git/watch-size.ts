import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { TooLarge } from '../../lib/bounded-bytes.ts'

export interface SizeWatch {
  /** Stops watching after a last look, and answers with what was wrong. */
  end(): Promise<TooLarge | undefined>
}

/**
 * Watches how large a folder becomes: git has no limit for what it fetches. Between two looks it may grow further, and
 * the last one sees that.
 */
export function watchSize(
  folder: string,
  {
    mostBytes,
    everyMs,
    onTooLarge,
  }: { readonly mostBytes: number; readonly everyMs: number; readonly onTooLarge: () => void },
): SizeWatch {
  let tooLarge: TooLarge | undefined
  const check = async () => {
    if (tooLarge || (await sizeOf(folder)) <= mostBytes) return
    tooLarge = new TooLarge(mostBytes)
    onTooLarge()
  }
  const timer = setInterval(() => void check(), everyMs)
  timer.unref()
  return {
    async end() {
      clearInterval(timer)
      await check()
      return tooLarge
    },
  }
}

/** Of all files in it; what vanishes while it is looked at counts nothing. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(
    files.map((file) =>
      stat(join(file.parentPath, file.name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
