/** The words of a text, without what stands between them. */
export function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}
