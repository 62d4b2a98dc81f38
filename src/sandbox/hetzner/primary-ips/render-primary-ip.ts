import { locationNamed } from '../catalogue/locations.ts'
import { formatTime } from '../labels.ts'
import type { PrimaryIpRecord } from './primary-ip.ts'

export function renderPrimaryIp(ip: PrimaryIpRecord): Record<string, unknown> {
  return {
    id: ip.id,
    name: ip.name,
    type: ip.type,
    ip: ip.ip,
    assignee_id: ip.assignee,
    assignee_type: ip.assignee === null ? 'unassigned' : ip.assigneeType,
    auto_delete: ip.autoDelete,
    blocked: false,
    location: locationNamed(ip.location),
    protection: { delete: ip.deleteProtected },
    labels: ip.labels,
    dns_ptr: Object.entries(ip.dnsPtrs).map(([address, dns_ptr]) => ({ ip: address, dns_ptr })),
    created: formatTime(ip.created),
  }
}
