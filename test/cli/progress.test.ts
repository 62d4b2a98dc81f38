import { describe, expect, test } from 'vitest'
import { createLiveProgress } from '../../src/cli/terminal/live-progress.ts'
import { createPlainProgress } from '../../src/cli/terminal/plain-progress.ts'

const escapeCharacter = String.fromCharCode(27)

/** What a person sees on a terminal of 40 columns after these writes. */
class Terminal {
  readonly columns = 40
  lines: string[] = ['']

  write(text: string): void {
    for (const part of text.split(/(\[\d*[AJ]|\r|\n)/))
      this.#take(part.replace(escapeCharacter, ''))
  }

  #take(part: string): void {
    const move = /^\[(\d+)A$/.exec(part)
    if (move) this.#row -= Number(move[1])
    else if (part === '[J') this.lines = [...this.lines.slice(0, this.#row), '']
    else if (part === '\n') this.#row++
    else if (part !== '\r') this.lines[this.#row] = (this.lines[this.#row] ?? '') + part
  }

  #row = 0

  get text(): string {
    return this.lines.join('\n').trimEnd()
  }
}

function steppingClock(): () => number {
  let time = 0
  return () => (time += 500)
}

describe('progress in a log', () => {
  test('tells each phase, its steps once, and how it ended', () => {
    let text = ''
    const progress = createPlainProgress({ write: (part) => (text += part), now: steppingClock() })
    const phase = progress.phase('Create servers')
    phase.step('1 of 2')
    phase.step('1 of 2')
    phase.fraction(0.5)
    phase.succeed('2 servers')
    progress.phase('Build images').skip('they are there')
    progress.warn('careful')
    expect(text).toBe(
      [
        '▸ Create servers',
        '    1 of 2',
        '✓ Create servers (500 ms): 2 servers',
        '▸ Build images',
        '- Build images: they are there',
        '! careful',
        '',
      ].join('\n'),
    )
  })
})

describe('progress at a terminal', () => {
  test('leaves what is done above and redraws what runs below', () => {
    const terminal = new Terminal()
    const progress = createLiveProgress({ terminal, now: () => 0, colour: false })
    const first = progress.phase('Network')
    const second = progress.phase('Servers')
    second.fraction(0.5)
    first.succeed()
    expect(terminal.text).toBe('✓ Network 0 ms\n▸ Servers [██████████··········] 50 % …')
    second.fail('no capacity')
    expect(terminal.text).toBe('✓ Network 0 ms\n✗ Servers 0 ms · no capacity')
  })

  test('no line is wider than the terminal, or the redrawing would go wrong', () => {
    const terminal = new Terminal()
    const progress = createLiveProgress({ terminal, now: () => 0, colour: false })
    progress.phase('Servers').step('x'.repeat(500))
    expect(Math.max(...terminal.lines.map((line) => line.length))).toBeLessThan(40)
  })

  test('a message from aside does not tear the drawing', () => {
    const terminal = new Terminal()
    const progress = createLiveProgress({ terminal, now: () => 0, colour: false })
    const phase = progress.phase('Servers')
    progress.info('by the way')
    phase.step('one')
    expect(terminal.text).toBe('by the way\n▸ Servers 0 ms · one')
  })
})
