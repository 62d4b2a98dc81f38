/** A place where Hetzner runs servers. */
export interface Location {
  readonly name: string
  readonly networkZone: string
  readonly city: string
}

/** Hetzner Cloud's locations, as of November 2026. Their network zones never changed. */
export const locations: readonly Location[] = [
  { name: 'fsn1', networkZone: 'eu-central', city: 'Falkenstein' },
  { name: 'nbg1', networkZone: 'eu-central', city: 'Nuremberg' },
  { name: 'hel1', networkZone: 'eu-central', city: 'Helsinki' },
  { name: 'ash', networkZone: 'us-east', city: 'Ashburn' },
  { name: 'hil', networkZone: 'us-west', city: 'Hillsboro' },
  { name: 'sin', networkZone: 'ap-southeast', city: 'Singapore' },
]

export const locationNames: readonly string[] = locations.map(({ name }) => name)

export const networkZones: readonly string[] = [
  ...new Set(locations.map(({ networkZone }) => networkZone)),
]

/** The zone whose networks reach this location; undefined for a location that is not known. */
export function networkZoneOf(location: string): string | undefined {
  return locations.find(({ name }) => name === location)?.networkZone
}
