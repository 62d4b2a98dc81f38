import type { CatalogueServerType, HetznerCatalogue } from '../../src/hetzner/catalogue.ts'

/** Noon of the day that the tests play on. */
export const now = Date.UTC(2026, 10, 27, 12)

function serverType(
  name: string,
  size: { cores: number; memoryGb: number; diskGb: number },
  partial: Partial<CatalogueServerType> & { price: number },
): CatalogueServerType {
  const { price, ...rest } = partial
  return {
    name,
    arch: 'amd64',
    ...size,
    dedicated: false,
    locations: ['fsn1', 'nbg1', 'hel1'].map((location) => ({
      name: location,
      available: true,
      unavailableAfter: undefined,
      monthlyPrice: price,
    })),
    ...rest,
  }
}

/** A few types as Hetzner sells them; cpx21 is retired in hel1 and not sold elsewhere. */
export const catalogue: HetznerCatalogue = {
  serverTypes: [
    serverType('cx23', { cores: 2, memoryGb: 4, diskGb: 40 }, { price: 5.49 }),
    serverType('cx33', { cores: 4, memoryGb: 8, diskGb: 80 }, { price: 8.49 }),
    serverType('cpx22', { cores: 2, memoryGb: 4, diskGb: 80 }, { price: 19.49 }),
    serverType('cax11', { cores: 2, memoryGb: 4, diskGb: 40 }, { price: 5.99, arch: 'arm64' }),
    serverType(
      'cpx21',
      { cores: 3, memoryGb: 4, diskGb: 80 },
      {
        price: 8,
        locations: [
          {
            name: 'hel1',
            available: false,
            unavailableAfter: Date.UTC(2026, 0, 1),
            monthlyPrice: 8,
          },
        ],
      },
    ),
  ],
  loadBalancerTypes: [{ name: 'lb11', prices: { fsn1: 7.49, nbg1: 7.49, hel1: 7.49 } }],
  locations: [
    { name: 'fsn1', networkZone: 'eu-central' },
    { name: 'nbg1', networkZone: 'eu-central' },
    { name: 'hel1', networkZone: 'eu-central' },
    { name: 'ash', networkZone: 'us-east' },
  ],
  ipv4Prices: { fsn1: 0.5, nbg1: 0.5, hel1: 0.5 },
  floatingIpPrices: { ipv4: { hel1: 3 } },
  snapshotPricePerGb: 0.0143,
  volumePricePerGb: 0.0572,
}
