import { readFile } from 'node:fs/promises'
import { createClock } from '../../../src/lib/clock.ts'
import { Redactor } from '../../../src/lib/redactor.ts'
import { followJob } from '../../../src/ssh/follow-job.ts'
import { HostKeyPin } from '../../../src/ssh/host-key.ts'
import { startJob } from '../../../src/ssh/job.ts'
import { SshPool } from '../../../src/ssh/ssh-pool.ts'

/** Starts a job, reports that, and follows it until it is killed. */
const [port, user = '', keyFile = '', folder = '', job = ''] = process.argv.slice(2)

const pool = new SshPool({
  clock: createClock(),
  redactor: new Redactor(),
  signal: new AbortController().signal,
  connectWithinMs: 0,
})
const remote = pool.host({
  name: 'web-1',
  address: '127.0.0.1',
  port: Number(port),
  user,
  login: { privateKey: await readFile(keyFile, 'utf8') },
  hostKey: HostKeyPin.firstContact(),
})
const { name, text, args, withinMs } = JSON.parse(job)
console.log(await startJob(remote, { name, text, args, withinMs }, folder))
await followJob(remote, name, { withinMs, folder })
