/** A table of TOML by the version of containerd's schema: keys of another version are ignored without a word. */
const schemas = {
  /** containerd 1.6 and 1.7. */
  2: {
    sandbox: `[plugins."io.containerd.grpc.v1.cri"]\n  sandbox_image`,
    registry: `[plugins."io.containerd.grpc.v1.cri".registry]`,
    runc: `[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]`,
    options: `[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]`,
  },
  /** containerd 2, also where it has a newer one: it reads this one too, and so does an older containerd 2. */
  3: {
    sandbox: `[plugins.'io.containerd.cri.v1.images'.pinned_images]\n  sandbox`,
    registry: `[plugins.'io.containerd.cri.v1.images'.registry]`,
    runc: `[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc]`,
    options: `[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc.options]`,
  },
} as const

/**
 * The config of containerd: cgroups by systemd as the kubelet does, mirrors from `certs.d`, the pause image of this
 * Kubernetes. What others add (NVIDIA's toolkit) stands in `conf.d`.
 */
export function containerdConfig(schema: keyof typeof schemas, pauseImage: string): string {
  const { sandbox, registry, runc, options } = schemas[schema]
  return [
    `# Written by hcloud-talos: changes are undone. Files of /etc/containerd/conf.d are kept.`,
    `version = ${schema}`,
    `imports = ["/etc/containerd/conf.d/*.toml"]`,
    `${sandbox} = ${JSON.stringify(pauseImage)}`,
    registry,
    `  config_path = "/etc/containerd/certs.d"`,
    runc,
    `  runtime_type = "io.containerd.runc.v2"`,
    options,
    `  SystemdCgroup = true`,
  ].join('\n')
}

/** Where a registry is asked that is not called as it is reached. */
const servers: Readonly<Record<string, string>> = { 'docker.io': 'https://registry-1.docker.io' }

/** The `hosts.toml` of a registry: its mirrors in their order, then itself. For `*` that is whichever was asked for. */
export function registryHosts(registry: string, mirrors: readonly string[]): string {
  const server = registry === '*' ? undefined : (servers[registry] ?? `https://${registry}`)
  const hosts = mirrors.map(
    (mirror) => `\n[host.${JSON.stringify(mirror)}]\n  capabilities = ["pull", "resolve"]`,
  )
  return [...(server === undefined ? [] : [`server = ${JSON.stringify(server)}`]), ...hosts]
    .join('\n')
    .trim()
}
