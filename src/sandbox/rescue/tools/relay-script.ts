/**
 * The program behind every stand-in tool, in plain JavaScript for Node: it hands its arguments and, when
 * asked, its standard input to the sandbox over a Unix socket, and plays back what comes. Frames from
 * the sandbox: one byte of kind (1 output, 2 error output, 3 exit code, 4 standard input is wanted),
 * four bytes of length, then the content.
 */
export const relayScript = `'use strict'
const net = require('node:net')
const [path, tool, ...args] = process.argv.slice(2)
const socket = net.connect({ path, allowHalfOpen: true })
socket.write(JSON.stringify({ tool, args, cwd: process.cwd() }) + '\\n')
let pending = Buffer.alloc(0)
let code = 125
let reads = false
const handle = (kind, content) => {
  if (kind === 1) process.stdout.write(content)
  if (kind === 2) process.stderr.write(content)
  if (kind === 3) code = content[0]
  if (kind === 4) {
    reads = true
    process.stdin.pipe(socket)
  }
}
socket.on('data', (chunk) => {
  pending = Buffer.concat([pending, chunk])
  while (pending.length >= 5 && pending.length >= 5 + pending.readUInt32BE(1)) {
    const end = 5 + pending.readUInt32BE(1)
    handle(pending[0], pending.subarray(5, end))
    pending = pending.subarray(end)
  }
})
socket.on('error', () => process.exit(125))
socket.on('end', () => {
  process.exitCode = code
  // Standard input may be the script that bash reads: it is touched only by a tool that wants it.
  if (reads) process.stdin.unpipe(socket).destroy()
  socket.end()
})
process.stdout.on('error', () => process.exit(141))
`
