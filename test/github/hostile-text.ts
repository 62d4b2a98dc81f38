import fc from 'fast-check'

const parts = [
  ...['::', '##[', ']', ':', '#', '[', ' ', ' name=x', '%0A', '\t', '\n', '\r', '\r\n'],
  ...['stop-commands', 'add-mask', 'save-state', 'set-output', 'error', 'debug', 'group', 'token'],
  ...['\u0085', '\u2028', '\u2029', '\u000b', '\u000c', '\u0000', '\u001b[31m', '\u009b', '\u00a0'],
  ...[
    '\u00ad',
    '\u200b',
    '\u200d',
    '\u202e',
    '\ufeff',
    '\ufe0f',
    '\u0591',
    '\u0301',
    '\u3164',
    '\ufff9',
    '\u0600',
  ],
  ...['\ud800', '\u{e0041}', 'fd00::1', '2001:db8::/32', 'ordinary words', '@org/team', '```'],
]

/** Texts that try to be a command to a runner, or to a terminal. */
export const hostileText = fc
  .array(fc.oneof(fc.constantFrom(...parts), fc.string({ maxLength: 3 })), { maxLength: 12 })
  .map((some) => some.join(''))

/** What was seen in logs, or would be. */
export const hostileTexts = [
  '::stop-commands::token',
  'a lock held by x\n::stop-commands::token',
  'one\r::add-mask::x',
  '  \t::save-state name=access-folder::/home',
  '\u200b::stop-commands::token',
  ':\u200b:stop-commands::token',
  '\ufeff::set-output name=a::b',
  '\u0591::set-output name=a::b',
  '\u0085 ::debug::x',
  'node is ##[stop-commands]token',
  'node is #\u200b#[stop-commands]token',
  '##[add-mask]x',
  '\u2028##[group]x',
]
