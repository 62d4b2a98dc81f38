/**
 * What must be true of a release and of nothing before it: the suite has a home, and the tag is the version.
 * `npm run check:release`, before anything is published.
 */
import { canBeOnGithub, publishedAction } from '../src/lib/published-action.ts'

const { name, ref } = publishedAction
const { GITHUB_REPOSITORY: repository, GITHUB_REF_NAME: tag } = process.env
const problems = [
  ...(canBeOnGithub(name)
    ? []
    : [
        `package.json names ${name} as the repository, which is a placeholder: write the real one there and run npm run generate`,
      ]),
  ...(repository !== undefined && repository !== name
    ? [`this is ${repository}, and package.json names ${name}`]
    : []),
  ...(tag !== undefined && tag !== ref
    ? [`the tag is ${tag}, and the version of package.json makes it ${ref}`]
    : []),
]
for (const problem of problems) console.error(`error ${problem}`)
if (problems.length === 0) console.log(`${name}@${ref} may be released`)
process.exitCode = problems.length === 0 ? 0 : 1
