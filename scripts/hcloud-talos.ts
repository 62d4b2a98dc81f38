/** The command from its sources: `node scripts/hcloud-talos.ts plan`. */
import { main } from '../src/cli/main.ts'

await main()
