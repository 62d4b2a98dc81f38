import { yesSetting } from '../../cluster-settings.ts'
import { choiceOr } from '../../setting.ts'
import { defineVerb } from './define-verb.ts'
import { requireNamed } from './require-named.ts'
import { gateSetting, waitSetting } from './verb-settings.ts'

export const reboot = defineVerb({
  name: 'reboot',
  description: 'drain and reboot nodes, each when etcd and Kubernetes can do without it',
  prints: 'report',
  role: 'os:operator',
  takes: {
    mode: choiceOr('--mode <mode>', 'how', ['default', 'powercycle', 'force'], 'default'),
    gate: gateSetting(),
    wait: waitSetting(),
    yes: yesSetting(),
  },
  question: ({ nodes }) => `Reboot ${requireNamed(nodes)}?`,
  async run(parts, { mode, ...options }) {
    const { bootInTurn } = await import('./boot-in-turn.ts')
    await bootInTurn(parts, 'reboot', options, ({ api }) => api.machine.reboot(mode))
  },
})
