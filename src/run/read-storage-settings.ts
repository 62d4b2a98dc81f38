import type { StorageSettings } from '../backup/s3/object-storage.ts'
import type { Redactor } from '../lib/redactor.ts'

/**
 * How to open an object storage, from the variables that every S3 client knows; undefined where there are
 * no keys. What is wrong with them matters only to those who use them, and is found then.
 */
export function readStorageSettings(
  environment: Readonly<Record<string, string | undefined>>,
  redactor: Redactor,
): StorageSettings | undefined {
  const accessKeyId = environment['AWS_ACCESS_KEY_ID']
  const secretAccessKey = environment['AWS_SECRET_ACCESS_KEY']
  if (!accessKeyId || !secretAccessKey) return undefined
  const sessionToken = environment['AWS_SESSION_TOKEN'] || undefined
  redactor.add(secretAccessKey)
  if (sessionToken !== undefined) redactor.add(sessionToken)
  const endpoint = environment['AWS_ENDPOINT_URL_S3'] || environment['AWS_ENDPOINT_URL'] || ''
  const region =
    environment['AWS_REGION'] || environment['AWS_DEFAULT_REGION'] || regionOf(endpoint)
  return {
    accessKeyId,
    secretAccessKey,
    sessionToken,
    region,
    endpoint: endpoint || `https://s3.${region}.amazonaws.com`,
  }
}

/** Hetzner's storages carry their region in their name: `https://fsn1.your-objectstorage.com`. */
function regionOf(endpoint: string): string {
  const [, region] = /^https:\/\/([a-z0-9]+)\.your-objectstorage\.com\/?$/.exec(endpoint) ?? []
  return region ?? 'us-east-1'
}
