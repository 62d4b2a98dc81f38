import { decodeBase64, encodeBase64 } from './base64.ts'

const block = /^-----BEGIN ([A-Z0-9 ]+)-----\r?\n([A-Za-z0-9+/=\r\n]+?)-----END \1-----\s*$/

/** A PEM text of one block, ending in a newline, as Go and OpenSSL write it. */
export function encodePem(label: string, der: Uint8Array): string {
  const lines = encodeBase64(der).match(/.{1,64}/g) ?? []
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n')
}

/** The label and the bytes of a PEM text of one block; undefined unless it is one. */
export function decodePem(
  text: string,
): { label: string; der: Uint8Array<ArrayBuffer> } | undefined {
  const [, label, body] = block.exec(text.trimStart()) ?? []
  const der = body === undefined ? undefined : decodeBase64(body.replaceAll(/\s/g, ''))
  return label === undefined || der === undefined ? undefined : { label, der }
}
