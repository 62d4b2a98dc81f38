/** Whether a text that may be empty is good where it is not. */
export function isEmptyOr(isGood: (text: string) => boolean, text = ''): boolean {
  return text === '' || isGood(text)
}
