/**
 * A reporter of vitest that appends each result to the file of TEST_RESULTS as soon as it is there, a JSON line each:
 * a run that is ended for time has still judged what it had run. Read by test-results.ts.
 */
import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node'
import type { TestResult } from './test-results.ts'

const results = process.env['TEST_RESULTS']

export default class ResultReporter implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result()
    if (state === 'pending') return
    append({ file: pathOf(test.module), test: test.fullName, state, message: messageOf(errors) })
  }

  /** What failed outside of a test: a hook that is shared, a file that does not load. */
  onTestSuiteResult(suite: TestSuite): void {
    appendErrors(suite.module, suite.fullName, suite.errors())
  }

  onTestModuleEnd(module: TestModule): void {
    appendErrors(module, 'the file', module.errors())
  }

  /** What nobody caught, or failed outside of all files. */
  onTestRunEnd(
    _modules: readonly TestModule[],
    errors: readonly { readonly message: string }[],
  ): void {
    for (const { message } of errors)
      append({ file: '', test: 'outside of the tests', state: 'failed', message })
  }
}

function appendErrors(
  module: TestModule,
  test: string,
  errors: readonly { readonly message: string }[],
): void {
  if (errors.length === 0) return
  append({ file: pathOf(module), test, state: 'failed', message: messageOf(errors) })
}

function append(result: TestResult): void {
  if (results !== undefined) appendFileSync(results, `${JSON.stringify(result)}\n`)
}

function pathOf({ moduleId }: TestModule): string {
  return relative(process.cwd(), moduleId)
}

function messageOf(errors: readonly { readonly message: string }[] | undefined): string {
  return errors?.[0]?.message ?? ''
}
