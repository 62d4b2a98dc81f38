import { createHash } from 'node:crypto'

/** An upload in parts that was started and not ended. */
export interface StorageUpload {
  readonly bucket: string
  readonly key: string
  readonly parts: Map<number, Buffer>
}

/** What an object storage holds. */
export class StorageState {
  /** Objects by bucket and key; a bucket that is not in it does not exist. */
  readonly buckets = new Map<string, Map<string, Buffer>>([['backups', new Map()]])
  readonly uploads = new Map<string, StorageUpload>()
}

/** How S3 marks the content of an object: in quotes. */
export function etagOf(content: Uint8Array): string {
  return `"${createHash('md5').update(content).digest('hex')}"`
}
