export interface Location {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly country: string
  readonly city: string
  readonly latitude: number
  readonly longitude: number
  readonly network_zone: string
}

/** Hetzner's cloud locations. The ids of hel1, ash, hil and sin are from memory. */
export const locations: readonly Location[] = [
  location(1, 'fsn1', 'DE', 'Falkenstein', 50.47612, 12.370071, 'eu-central'),
  location(2, 'nbg1', 'DE', 'Nuremberg', 49.452102, 11.076665, 'eu-central'),
  location(3, 'hel1', 'FI', 'Helsinki', 60.169855, 24.938379, 'eu-central'),
  location(4, 'ash', 'US', 'Ashburn, VA', 39.045821, -77.487073, 'us-east'),
  location(5, 'hil', 'US', 'Hillsboro, OR', 45.54222, -122.951924, 'us-west'),
  location(6, 'sin', 'SG', 'Singapore', 1.283333, 103.833333, 'ap-southeast'),
]

export const networkZones = ['eu-central', 'us-east', 'us-west', 'ap-southeast'] as const

/** By name or id. */
export function findLocation(nameOrId: string | number): Location | undefined {
  return locations.find(({ name, id }) => name === nameOrId || String(id) === String(nameOrId))
}

/** A location that a record names; records name only known ones. */
export function locationNamed(name: string): Location {
  const found = findLocation(name)
  if (found === undefined) throw new Error(`no location ${name}`)
  return found
}

function location(
  id: number,
  name: string,
  country: string,
  city: string,
  latitude: number,
  longitude: number,
  network_zone: string,
): Location {
  const description = `${city} DC Park 1`
  return { id, name, description, country, city, latitude, longitude, network_zone }
}
