import { gzipSync } from 'node:zlib'
import { stringify } from 'yaml'
import type { StandInChart } from './stand-in-chart.ts'

const blockSize = 512

/** A chart as the tgz that helm takes: the same bytes for the same chart and version, always. */
export function packageChart(chart: StandInChart, version: string): Buffer {
  const files: Record<string, string> = {
    'Chart.yaml': stringify({
      apiVersion: 'v2',
      name: chart.name,
      description: chart.description,
      version,
      appVersion: `v${version}`,
    }),
    'values.yaml': stringify(chart.values),
    'values.schema.json': JSON.stringify(chart.schema, null, 2),
    ...Object.fromEntries(
      Object.entries(chart.templates).map(([name, text]) => [`templates/${name}`, text]),
    ),
  }
  const blocks = Object.keys(files)
    .sort()
    .flatMap((path) => tarFile(`${chart.name}/${path}`, Buffer.from(files[path] ?? '')))
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * blockSize)]))
}

/** Header and padded content of one regular file, in the ustar format, dated at the epoch. */
function tarFile(path: string, content: Buffer): Buffer[] {
  const header = Buffer.alloc(blockSize)
  header.write(path, 0, 100)
  header.write('0000644\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124)
  header.write(`${'0'.repeat(11)}\0`, 136)
  header.write(' '.repeat(8), 148)
  header.write('0', 156)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  const padding = (blockSize - (content.length % blockSize)) % blockSize
  return [header, content, Buffer.alloc(padding)]
}
