import { parse } from 'yaml'
import { isJsonObject } from '../../lib/json.ts'
import type { TalosApi } from '../../talos/api/talos-api.ts'
import type { ConfigDocument } from '../../talos/config/config-document.ts'
import { parseConfigDocuments } from '../../talos/config/config-documents.ts'

const type = { namespace: 'config', type: 'MachineConfigs.config.talos.dev' }

/** The machine config that a node runs (`v1alpha1`), or boots with next (`persistent`); needs the role os:admin. */
export async function machineConfigOf(
  { resources }: TalosApi,
  id: 'v1alpha1' | 'persistent',
): Promise<ConfigDocument[]> {
  const { resource } = await resources.get(type, id)
  const spec: unknown = parse(resource?.spec?.yamlSpec ?? '')
  return parseConfigDocuments(typeof spec === 'string' ? spec : '').filter(isJsonObject)
}
