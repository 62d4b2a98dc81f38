import { isJobOver } from '../github/run-status.ts'
import { type EndProof, isSameJob, type RunOwner } from '../lib/run-identity.ts'
import type { GithubPlace } from '../run/github-place.ts'
import { isNamedProcessOver } from '../run/process-name.ts'

/**
 * What a job on GitHub can prove of another holder. Our own job goes on, as we do: there a step of it may have been
 * killed. What a process is called says something on its own machine alone, so of every other job, a leg of our
 * matrix on another runner included, GitHub is asked.
 */
export function endProof(self: RunOwner, place: GithubPlace): EndProof {
  return (other) =>
    isSameJob(other, self) ? isNamedProcessOver(other.process) : isJobOver(other, place)
}
