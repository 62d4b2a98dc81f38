import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pullRequestEvent, pushEvent } from '../runner-event.ts'
import type { Ground } from './ground.ts'
import { type ShowOptions, UserRepository } from './user-repository.ts'

/**
 * A cluster from its pull request to its end, as a user's repository would run it: the plan as a comment, the apply of a
 * push, a second apply that finds nothing to do, a destroy that leaves nothing behind.
 */
export async function showLife(ground: Ground, options: ShowOptions): Promise<void> {
  const { folder, print } = options
  const title = (text: string) => print(`\n=== ${text}`)
  const expect = (isTrue: boolean, sentence: string) => {
    if (!isTrue) throw new Error(`not true: ${sentence}`)
    print(`✓ ${sentence}`)
  }

  title(`Start the sandbox: ${ground.parts} on loopback`)
  const open = await ground.open({ folder, path: process.env['PATH'] ?? '' })
  try {
    const repository = await UserRepository.open(open, options)
    const { clusterFile, clusterName, inputs, looks, sandbox } = open

    title('A pull request: the plan as a comment')
    await repository.merge('README.md', 'Clusters\n')
    await writeFile(join(folder, 'cluster.yaml'), clusterFile)
    await repository.runAction(pullRequestEvent(repository.name), inputs.plan)
    const [comment] = sandbox.github.comments
    expect(comment !== undefined, 'the pull request has a comment')
    await writeFile(join(folder, 'plan-comment.md'), comment?.body ?? '')
    print(comment?.body ?? '')

    title('The merge: apply')
    const merged = await repository.merge('cluster.yaml', clusterFile)
    const event = { ...pushEvent(repository.name), sha: merged }
    await repository.runAction(event, { ...inputs.apply, 'age-identity': repository.identity })

    title(looks.title)
    for (const command of looks.commands) await repository.runCommand(...command)

    title('Apply again: nothing is left to do')
    await repository.runCommand('apply', '--yes')
    await repository.runCommand('plan', '--detailed-exitcode')

    title('Destroy: nothing is left over')
    await repository.runCommand('destroy', '--confirm', clusterName)
    for (const { sentence, isTrue } of open.afterDestroy()) expect(isTrue, sentence)
  } finally {
    await open.close()
  }
}
