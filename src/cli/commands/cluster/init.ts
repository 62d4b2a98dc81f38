import { InvalidArgumentError } from 'commander'
import { type PublishedAction, parseAction } from '../../../lib/published-action.ts'
import { defineCommand } from '../../command.ts'
import { flag, parsed, textOr } from '../../setting.ts'

/** Writes what a repository begins with. */
export const init = defineCommand({
  name: 'init',
  description: 'write a cluster file, a workflow and an age identity to begin with',
  examples: [
    { purpose: 'begin with a cluster named shop', line: '--name shop' },
    { purpose: 'one file of several, without a workflow', line: '-c eu/shop.yaml --no-workflow' },
    { purpose: 'begin with a cluster on hosts that exist', line: '--hosts --name rack' },
  ],
  takes: {
    config: textOr('-c, --config <file>', 'where the cluster file goes', 'cluster.yaml'),
    name: textOr('--name <name>', 'name of the cluster', 'demo'),
    hosts: flag('--hosts', 'for a cluster on hosts that exist, by kubeadm over SSH'),
    workflow: flag('--no-workflow', 'write no workflow'),
    action: parsed(
      '--action <owner/name@ref>',
      'the repository that the workflow takes the action from',
      readAction,
    ),
    force: flag('--force', 'replace the files that exist, but never the age identity'),
  },
  async run({ terminal }, values) {
    const { initFiles } = await import('./init-files.ts')
    for (const line of await initFiles(values)) terminal.report(line)
    return 0
  },
})

function readAction(text: string): PublishedAction {
  const action = parseAction(text)
  if (action) return action
  throw new InvalidArgumentError('It must be a repository on GitHub and a ref: owner/name@v1.2.3.')
}
