import type { ServerType, ServerTypeCatalogue } from './server-types.ts'

const europe = ['fsn1', 'nbg1', 'hel1']
const singapore = ['sin']
const abroad = ['ash', 'hil', ...singapore]

/**
 * Not orderable since then: cx22 to cx52 anywhere, cpx11 to cpx51 in Europe (deprecated on 2025-10-16).
 */
const endOfOldGeneration = '2026-01-01'

/**
 * What Hetzner sold on 2026-09-08, from published copies of its catalogue; prices are net, for
 * estimates, and left out where no source had them. It serves files that are checked without a token:
 * wherever the live API was asked, its answer is used instead.
 */
export const builtInServerTypes: ServerTypeCatalogue = {
  asOf: '2026-09-08',
  source: 'built-in',
  types: [
    type('cx23', 2, 4, 40, europe, 5.49),
    type('cx33', 4, 8, 80, europe, 8.49),
    type('cx43', 8, 16, 160, europe, 15.99),
    type('cx53', 16, 32, 320, europe, 29.49),
    type('cpx12', 1, 2, 40, europe),
    type('cpx22', 2, 4, 80, [...europe, ...singapore], 19.49),
    type('cpx32', 4, 8, 160, [...europe, ...singapore], 35.49),
    type('cpx42', 8, 16, 320, [...europe, ...singapore], 69.49),
    type('cpx52', 12, 24, 480, [...europe, ...singapore], 100.49),
    type('cpx62', 16, 32, 640, [...europe, ...singapore], 129.99),
    type('ccx13', 2, 8, 80, [...europe, ...abroad], 42.99),
    type('ccx23', 4, 16, 160, [...europe, ...abroad], 85.99),
    type('ccx33', 8, 32, 240, [...europe, ...abroad], 138.49),
    type('ccx43', 16, 64, 360, [...europe, ...abroad], 275.99),
    type('ccx53', 32, 128, 600, [...europe, ...abroad]),
    type('ccx63', 48, 192, 960, [...europe, ...abroad]),
    type('cax11', 2, 4, 40, europe),
    type('cax21', 4, 8, 80, europe),
    type('cax31', 8, 16, 160, europe),
    type('cax41', 16, 32, 320, europe),
    retiredInEurope(type('cpx11', 2, 2, 40, abroad)),
    retiredInEurope(type('cpx21', 3, 4, 80, abroad)),
    retiredInEurope(type('cpx31', 4, 8, 160, abroad)),
    retiredInEurope(type('cpx41', 8, 16, 240, abroad)),
    retiredInEurope(type('cpx51', 16, 32, 360, abroad)),
    retiredInEurope(type('cx22', 2, 4, 40, [])),
    retiredInEurope(type('cx32', 4, 8, 80, [])),
    retiredInEurope(type('cx42', 8, 16, 160, [])),
    retiredInEurope(type('cx52', 16, 32, 320, [])),
  ],
}

function type(
  name: string,
  cores: number,
  memoryGb: number,
  diskGb: number,
  soldIn: readonly string[],
  monthlyEur?: number,
): ServerType {
  return {
    name,
    architecture: name.startsWith('cax') ? 'arm64' : 'amd64',
    cores,
    memoryGb,
    diskGb,
    cpu: name.startsWith('ccx') ? 'dedicated' : 'shared',
    // The prices are those of Europe; elsewhere only the live API knows them.
    locations: soldIn.map((location) =>
      europe.includes(location) ? { name: location, monthlyEur } : { name: location },
    ),
  }
}

function retiredInEurope(type: ServerType): ServerType {
  const retired = europe.map((name) => ({ name, retiredOn: endOfOldGeneration }))
  return { ...type, locations: [...retired, ...type.locations] }
}
