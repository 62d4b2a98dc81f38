// Loaded into a process before its program: one that had to be ended, because something in it was still open, says what.
import { appendFileSync } from 'node:fs'
import { basename } from 'node:path'

let hasEndedByItself = false
process.on('beforeExit', () => {
  hasEndedByItself = true
})
process.on('exit', () => {
  const file = process.env['FORCED_ENDS']
  if (hasEndedByItself || file === undefined) return
  const [, program = '', ...args] = process.argv
  const open = process.getActiveResourcesInfo().join(' ')
  appendFileSync(file, `${[basename(program), ...args].join(' ')}: ${open}\n`)
})
