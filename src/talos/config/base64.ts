/** Standard base64, with padding. */
export function encodeBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

/** Bytes of a standard base64 text; undefined unless it is one (white space is not). */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

/** Standard base64 of a text's UTF-8 bytes: how Talos and kubeconfigs hold PEM texts. */
export function encodeText(text: string): string {
  return encodeBase64(new TextEncoder().encode(text))
}

/** The text whose UTF-8 bytes a standard base64 text holds; undefined unless it is one. */
export function decodeText(text: string): string | undefined {
  const bytes = decodeBase64(text)
  return bytes && new TextDecoder().decode(bytes)
}
