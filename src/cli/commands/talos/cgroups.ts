import { choiceOr } from '../../setting.ts'
import { askNodes } from './ask-nodes.ts'
import { defineVerb } from './define-verb.ts'

export const cgroups = defineVerb({
  name: 'cgroups',
  description: 'control groups of the nodes, and what they take',
  prints: 'report',
  role: 'os:admin',
  takes: {
    preset: choiceOr(
      '--preset <preset>',
      'what of them',
      ['cpu', 'cpuset', 'io', 'memory', 'process', 'psi', 'swap'],
      'memory',
    ),
  },
  async run(parts, { preset, output }) {
    const { cgroupsReport } = await import('../../../commands/talos/cgroup-report.ts')
    await askNodes(parts, output, (api) => cgroupsReport(api, preset))
  },
})
