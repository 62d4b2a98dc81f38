/** Why a node does not take a machine config, in the words that it answers. */
export class ConfigRefused extends Error {
  override readonly name = 'ConfigRefused'
}
