import { invalidFields, invalidInput } from '../api/api-error.ts'
import type { ServerType } from '../catalogue/server-types.ts'
import type { HetznerState } from '../hetzner-state.ts'
import type { ImageRecord } from '../images/image.ts'

/** The image that a create or rebuild names, if this server type can run it; else 422. */
export function resolveImage(
  state: HetznerState,
  nameOrId: string | number,
  type: ServerType,
): ImageRecord {
  const named = [...state.images.values()].filter(
    ({ id, name }) => String(id) === String(nameOrId) || name === nameOrId,
  )
  const image = named.find(({ architecture }) => architecture === type.architecture) ?? named[0]
  if (image === undefined || image.status !== 'available') throw invalidFields(['image'])
  if (image.architecture !== type.architecture) {
    throw invalidInput('image and server type must have the same architecture')
  }
  if (image.diskSize > type.disk) throw invalidInput('image disk is bigger than server type disk')
  return image
}
