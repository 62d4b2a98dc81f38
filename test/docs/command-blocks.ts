import { type FencedBlock, fencedBlocks, markdownFiles } from './markdown-files.ts'

/** What becomes of a block of commands in a document. */
export type Fate =
  | { readonly kind: 'drill'; readonly name: string }
  /** A test of its own runs it: the path of its file. */
  | { readonly kind: 'run-by'; readonly file: string }
  | { readonly kind: 'not-run'; readonly reason: string }
  | { readonly kind: 'unmarked' }

/** Commands for people to copy, with what the words behind the fence say about them. */
export interface CommandBlock extends FencedBlock {
  readonly fate: Fate
}

/** The languages of commands. */
export const shells = ['sh', 'bash', 'shell', 'console', 'zsh']

/** Every block of commands in every document. */
export function commandBlocks(): CommandBlock[] {
  return markdownFiles()
    .flatMap(fencedBlocks)
    .filter(({ language }) => shells.includes(language))
    .map((block) => ({ ...block, fate: fateOf(block.mark ?? '') }))
}

/** The block of this drill. */
export function drillBlock(name: string): CommandBlock {
  const found = commandBlocks().find(({ fate }) => fate.kind === 'drill' && fate.name === name)
  if (found) return found
  throw new Error(`no page has a drill ${name}`)
}

/** ```` ```sh drill NAME ````, ```` ```sh run by FILE ````, or ```` ```sh not run: REASON ````. */
function fateOf(mark: string): Fate {
  const [, name] = /^drill ([\w-]+)$/.exec(mark) ?? []
  if (name !== undefined) return { kind: 'drill', name }
  const [, file] = /^run by (\S+)$/.exec(mark) ?? []
  if (file !== undefined) return { kind: 'run-by', file }
  const [, reason] = /^not run: (\S.*)$/.exec(mark) ?? []
  return reason === undefined ? { kind: 'unmarked' } : { kind: 'not-run', reason }
}
