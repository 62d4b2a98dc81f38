import { expect, test } from 'vitest'
import { printedTexts } from './printed-texts.ts'

/** What of these files is found to be printed. */
function printedBy(files: Readonly<Record<string, string>>) {
  const { messages, hints } = printedTexts(
    Object.entries(files).map(([file, text]) => ({ file, text })),
  )
  return { messages: messages.map(({ text }) => text), hints: hints.map(({ text }) => text) }
}

test('the texts of errors are found, however their message comes about', () => {
  const { messages, hints } = printedBy({
    'one.ts': `
      import { ClusterError } from './cluster-error.ts'
      import { noToken } from './texts.ts'
      const failed = (what: string) => new ClusterError('usage', what, { hint: 'Try again.' })
      throw failed(\`the file \${name} is not there\`)
      throw failed(noToken)
      class Lock {
        #refuse(what: string): never {
          throw new ClusterError('usage', what)
        }
        open() {
          this.#refuse('it is locked')
        }
      }
      class NoAnswer extends ClusterError {
        constructor(what: string) {
          super('usage', what)
        }
      }
      throw new NoAnswer('nobody answers')
      throw new ClusterError('usage', given?.reason ?? 'there is no reason')
    `,
    'texts.ts': `
      import { ClusterError } from './cluster-error.ts'
      export const noToken = 'the token is not there'
    `,
  })
  expect(messages.toSorted()).toEqual([
    'it is locked',
    'nobody answers',
    'the file … is not there',
    'the token is not there',
    'there is no reason',
  ])
  expect(hints).toEqual(['Try again.'])
})
