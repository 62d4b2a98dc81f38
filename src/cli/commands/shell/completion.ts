import { defineCommand } from '../../command.ts'
import { chosenArgument } from '../../setting.ts'

/** Prints what a shell needs to complete the words of the program. */
export const completion = defineCommand({
  name: 'completion',
  description: 'print a completion script for a shell',
  examples: [
    { purpose: 'in ~/.bashrc: source <(hcloud-talos completion bash)', line: 'bash' },
    { purpose: 'in ~/.zshrc: source <(hcloud-talos completion zsh)', line: 'zsh' },
    { purpose: 'fish', line: 'fish > ~/.config/fish/completions/hcloud-talos.fish' },
  ],
  takes: { shell: chosenArgument('<shell>', 'the shell', ['bash', 'zsh', 'fish']) },
  async run({ terminal, program }, { shell }) {
    const { completionScript } = await import('./completion-script.ts')
    terminal.print(completionScript(program(), shell))
    return 0
  },
})
