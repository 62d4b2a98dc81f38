import type { HostCheck } from '../host-check.ts'
import { installedContainerd } from './containerd-package.ts'

const configPath = '/etc/containerd/config.toml'

/** The text of the config for the version that is installed. */
const chooseConfig = `
version=$(${installedContainerd})
[ -n "$version" ] || exit 1
case $version in
  1.*) config=$config_2 ;;
  *) config=$config_3 ;;
esac`

/** When what containerd is started from was written last. The package's own unit is as old as the package. */
const writtenTime = `
read_at_start=(${configPath} "$(command -v containerd || true)" /etc/systemd/system/containerd.service)
written=$({ stat -L -c %Y -- "\${read_at_start[@]}" 2>/dev/null || true; } | sort -n | tail -n1)`

/** Seconds are all that there is: a start in the second of the write may have come before it. */
const isStartedAfter = `
started=$(date -d "$(systemctl show --timestamp=utc --property=ExecMainStartTimestamp --value containerd)" +%s)
${writtenTime}
[ "$started" -gt "$written" ]`

/** A change of it restarts containerd, and pods that run do not survive another driver of cgroups. */
export const containerdFile: HostCheck = {
  id: 'containerd-config',
  words: 'the config of containerd is of the schema of its version, with cgroups by systemd',
  probe: `
has containerd || failed "containerd is not installed"
${chooseConfig}
[ -f ${configPath} ] || failed "${configPath} is not there"
holds ${configPath} "$config" || failed "${configPath} differs: sha256 $(sha256sum <${configPath} | cut -c1-16)"
passed "sha256 $(sha256sum <${configPath} | cut -c1-16), $(head -n2 ${configPath} | tail -n1)"`,
  apply: `
if is_joined; then
  if ! grep -qsE '^[[:space:]]*SystemdCgroup[[:space:]]*=[[:space:]]*true' ${configPath}; then
    refuse "the pods of this node run with cgroups by cgroupfs: drain the node and reset the host first"
  fi
  refuse "containerd runs the pods of a node here: another config restarts it, for which the node is drained"
fi
if grep -qsx 'cgroupDriver: cgroupfs' /var/lib/kubelet/config.yaml; then
  refuse "the kubelet of this host has cgroups by cgroupfs: drain the node and reset the host first"
fi
${chooseConfig}
printf '%s\\n' "$config" | put ${configPath} 644`,
}

/** Read at each pull: nothing is restarted for them. Registries that the file does not name are left alone. */
export const registryFiles: HostCheck = {
  id: 'registry-mirrors',
  words: 'mirrors of registries are as the cluster file has them',
  probe: `
wrong=
for ((at = 0; at < \${#rest[@]}; at += 2)); do
  holds "/etc/containerd/certs.d/\${rest[at]}/hosts.toml" "\${rest[at + 1]}" || wrong+=" \${rest[at]}"
done
[ -z "$wrong" ] || failed "differs:$wrong"
passed "$((\${#rest[@]} / 2)) registries with mirrors"`,
  apply: `
for ((at = 0; at < \${#rest[@]}; at += 2)); do
  printf '%s\\n' "\${rest[at + 1]}" | put "/etc/containerd/certs.d/\${rest[at]}/hosts.toml" 644
done`,
}

const crictlPath = '/etc/crictl.yaml'
const crictlText = `runtime-endpoint: unix:///run/containerd/containerd.sock
image-endpoint: unix:///run/containerd/containerd.sock`

export const crictlFile: HostCheck = {
  id: 'crictl-config',
  words: 'crictl asks containerd',
  probe: `
holds ${crictlPath} '${crictlText}' || failed "${crictlPath} is not as it should be"
passed "${crictlPath}"`,
  apply: `
put ${crictlPath} 644 <<'END'
${crictlText}
END`,
}

/** One that was started before its config was written runs with another: a run may have been cut off between the two. */
export const containerdService: HostCheck = {
  id: 'containerd-service',
  words: 'containerd runs with its config, also after a reboot',
  probe: `
state="$(systemctl is-active containerd || true), $(systemctl is-enabled containerd 2>/dev/null || true)"
[ "$state" = "active, enabled" ] || failed "$state"
${isStartedAfter} || failed "$state, started before its config was written"
[ -S /run/containerd/containerd.sock ] || failed "$state, without a socket"
passed "$state"`,
  apply: `
systemctl enable containerd >&2
if is_joined && systemctl is-active --quiet containerd >&2; then
${isStartedAfter} || refuse "containerd runs the pods of a node here with a former config: it is restarted when the node is drained"
  return 0
fi
${writtenTime}
# A time that is ahead of the clock would never be before a start.
[ "$written" -le "$(date +%s)" ] || touch -c -- "\${read_at_start[@]}"
${writtenTime}
for _ in {1..50}; do
  [ "$(date +%s)" -le "$written" ] || break
  sleep 0.1
done
systemctl restart containerd >&2
for _ in {1..30}; do
  [ ! -S /run/containerd/containerd.sock ] || break
  sleep 1
done`,
}
