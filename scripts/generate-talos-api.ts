import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Writes `src/talos/api/gen` from `src/talos/api/proto`, offline: buf and the plugin are npm packages,
 * and Google's well-known types come with @bufbuild/protobuf. JavaScript with declarations, because
 * Node's type stripping cannot run the enums that TypeScript output would hold.
 */
const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const proto = join('src', 'talos', 'api', 'proto')
const out = join('src', 'talos', 'api', 'gen')
const bin = join(root, 'node_modules', '.bin')

const { PATH = '' } = process.env

const template = {
  version: 'v2',
  plugins: [
    {
      local: join(bin, 'protoc-gen-es'),
      out,
      opt: ['target=js+dts', 'import_extension=js', 'keep_empty_files=false'],
    },
  ],
}

rmSync(join(root, out), { recursive: true, force: true })
execFileSync(join(bin, 'buf'), ['generate', proto, '--template', JSON.stringify(template)], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PATH: [bin, PATH].join(delimiter) },
})
