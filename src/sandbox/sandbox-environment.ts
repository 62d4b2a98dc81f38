import type { SandboxEndpoints } from './start-sandbox.ts'

/** What a terminal or a runner needs in its environment in order to use this sandbox and not the outside. */
export function sandboxEnvironment(endpoints: SandboxEndpoints): Record<string, string> {
  const digests = Object.entries(endpoints.charts.digests).map(
    ([chart, sha256]) => `${chart}=${sha256}`,
  )
  return {
    HCLOUD_TOKEN: endpoints.hcloud.token,
    HCLOUD_ENDPOINT: endpoints.hcloud.endpoint,
    HCLOUD_TALOS_FACTORY: endpoints.factory,
    HCLOUD_TALOS_CHARTS: endpoints.charts.url,
    HCLOUD_TALOS_CHART_DIGESTS: digests.join(','),
    HCLOUD_TALOS_IP_LOOKUP: endpoints.ipLookup,
    HCLOUD_TALOS_SSH_PORT: String(endpoints.sshPort),
    HCLOUD_TALOS_REMOTE: endpoints.git.folder,
    GITHUB_API_URL: endpoints.github.api,
    AWS_ENDPOINT_URL_S3: endpoints.storage.url,
    AWS_REGION: endpoints.storage.region,
    AWS_ACCESS_KEY_ID: endpoints.storage.accessKeyId,
    AWS_SECRET_ACCESS_KEY: endpoints.storage.secretAccessKey,
  }
}
