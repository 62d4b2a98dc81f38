/**
 * What stands in a text and is not seen: control characters, characters that reverse the reading direction or
 * have no width, line separators that are no line ends here, and halves of characters.
 */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/**
 * A text from anywhere as one that only shows itself: what a terminal or a log would obey instead of showing
 * it is written as `\u001b`, which inside of JSON and YAML still means the same. Line feeds and tabs stay; a
 * Windows line end becomes a line feed.
 */
export function visibleText(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(hidden, (character) =>
      character === '\n' || character === '\t' ? character : escaped(character),
    )
}

/** The same on one line. */
export function visibleLine(text: string): string {
  return visibleText(text.trim().replace(/\s*[\r\n]\s*/g, ' '))
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}
