import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

/** A fenced block of a Markdown file: its language and the words behind it, its text without the fence's indentation. */
export interface FencedBlock {
  readonly file: string
  readonly line: number
  /** Empty where it says none. */
  readonly language: string
  readonly mark: string | undefined
  readonly text: string
  /** The part of the file that it stands in: from its heading to the next one of any level. */
  readonly section: string
}

export interface MarkdownFile {
  /** From the repository's root. */
  readonly path: string
  readonly text: string
}

/** Every Markdown file that users and contributors read. */
export function markdownFiles(): MarkdownFile[] {
  const top = readdirSync(root).filter((file) => file.endsWith('.md'))
  const below = ['docs', 'actions', 'reconcile', 'examples'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md'))
      .map((file) => join(folder, file)),
  )
  return [...top, ...below].map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

/** Its fenced blocks, wherever they are indented to. */
export function fencedBlocks({ path, text }: MarkdownFile): FencedBlock[] {
  const fence = /^([ \t]*)```(\w*)(?: ([^\n`]+))?\n([\s\S]*?)^\1```[ \t]*$/gm
  return [...text.matchAll(fence)].map(
    ([, indent = '', language = '', mark, body = ''], index) => ({
      file: path,
      line: lineOf(text, index),
      language,
      mark,
      text: body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      section: sectionOf(text, index),
    }),
  )

  function lineOf(whole: string, nth: number): number {
    const starts = [...whole.matchAll(fence)]
    return whole.slice(0, starts[nth]?.index ?? 0).split('\n').length
  }

  function sectionOf(whole: string, nth: number): string {
    const at = [...whole.matchAll(fence)][nth]?.index ?? 0
    const [former = ''] = whole
      .slice(0, at)
      .split(/^(?=#+ )/m)
      .slice(-1)
    const [latter = ''] = whole.slice(at).split(/^(?=##+ )/m)
    return former + latter
  }
}

/** Its text without code, in which brackets mean other things. */
export function withoutCode(text: string): string {
  return text.replace(/^([ \t]*)```[\s\S]*?^\1```[ \t]*$/gm, '').replace(/`[^`\n]*`/g, '')
}

/** The anchors that GitHub gives to its headings. */
export function anchorsOf(text: string): Set<string> {
  const headings = text.replace(/^([ \t]*)```[\s\S]*?^\1```[ \t]*$/gm, '').matchAll(/^#+ (.+)$/gm)
  return new Set(
    [...headings].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replace(/\s/g, '-'),
    ),
  )
}
