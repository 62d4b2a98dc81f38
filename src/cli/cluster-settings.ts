import { newIdentityFile } from '../run/identity-files.ts'
import { recordSetting } from './recording-switch.ts'
import { choice, flag, text, textOr, texts } from './setting.ts'

/** Of every command that is about the cluster of a file. Created for each of them: an option belongs to one command. */
export const clusterFileSetting = () =>
  textOr('-c, --config <file>', 'the cluster file', 'cluster.yaml')
export const jsonSetting = () => flag('--json', 'print the result as JSON on standard output')
export const clusterSettings = () => ({
  config: clusterFileSetting(),
  json: jsonSetting(),
  record: recordSetting(),
})

/** Of commands that ask before they change something. */
export const yesSetting = () => flag('-y, --yes', 'do not ask')
export const dryRunSetting = () => flag('--dry-run', 'show the plan and stop; changes nothing')
export const typedNameSetting = () =>
  text('--confirm <name>', 'the name of the cluster, typed out; asked for at a terminal')

/** Of plans and applies. */
export const stageSetting = () =>
  choice('--stage <stage>', 'only a part of it', ['infra', 'talos', 'addons'])
export const replaceSetting = () =>
  texts('--replace <node...>', 'give these nodes new servers, although nothing differs')

/** Of rotations and revocations. */
export const newIdentitySetting = (description: string) =>
  textOr('--new-identity <file>', description, newIdentityFile)
