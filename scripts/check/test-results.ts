/** What result-reporter.ts leaves of each test, as soon as it has ended. */
export interface TestResult {
  /** From the root of the project; empty for what failed outside of all files. */
  readonly file: string
  readonly test: string
  readonly state: 'passed' | 'failed' | 'skipped'
  /** Of its first error; empty where there is none. */
  readonly message: string
}

export interface ResultCount {
  readonly passed: number
  readonly failed: number
  /** Sentences that need the real Hetzner or GitHub, and so a token. */
  readonly skipped: number
  /** Each failed test, with the first line of its message. */
  readonly failures: readonly string[]
}

/** @param lines the contents of the file; a last line that a run was ended in the middle of does not count. */
export function countResults(lines: string): ResultCount {
  const results: TestResult[] = lines
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
  const count = (wanted: TestResult['state']) =>
    results.filter(({ state }) => state === wanted).length
  return {
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    failures: results.filter(({ state }) => state === 'failed').map(failure),
  }
}

function failure({ file, test, message }: TestResult): string {
  const [firstLine = ''] = message.split('\n', 1)
  return [file, test, firstLine.slice(0, 200)].filter(Boolean).join(': ')
}
