import { drillsIn } from '../drills/drills-in.ts'

drillsIn('bash')
