import type { HostCheck } from '../host-check.ts'
import { refuseContainerdOnNode, seenContainerd } from './containerd-package.ts'

const unitPath = '/etc/systemd/system/containerd.service'
const unit = `[Unit]
Description=containerd container runtime
After=network.target dbus.service

[Service]
ExecStartPre=-/sbin/modprobe overlay
ExecStart=/usr/local/bin/containerd
Type=notify
Delegate=yes
KillMode=process
Restart=always
RestartSec=5
LimitNPROC=infinity
LimitCORE=infinity
TasksMax=infinity
OOMScoreAdjust=-999

[Install]
WantedBy=multi-user.target`

/** Beside the plugins, so that it goes with them: the checksum of the archive that they came out of. */
const pluginsMarker = '/opt/cni/bin/.hcloud-talos-sha256'

const digestOf = `digest_of() { awk -F'\\t' -v name="$1" '$1 == name { print $2 }' <<<"$files"; }`

/**
 * Files by checksum, and the unit that a package would bring. containerd itself is put last: a host on which it is in the
 * version that is wanted has all the others.
 */
export const containerdBinaries: HostCheck = {
  id: 'containerd-files',
  words:
    'containerd is installed in the version that is wanted, with the runc and the plugins of CNI that the cluster file names',
  probe: `
${seenContainerd}
${digestOf}
runc=$(sha256sum 2>/dev/null </usr/local/sbin/runc || echo none)
[ "\${runc%% *}" = "$(digest_of runc)" ] || failed "another runc: \${runc:0:16}"
holds ${pluginsMarker} "$(digest_of cni-plugins)" || failed "the plugins of CNI are other ones, or not all of them"
holds ${unitPath} '${unit}' || failed "${unitPath} is not as it should be"
passed "$now"`,
  apply: `
${refuseContainerdOnNode}
${digestOf}
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
while IFS=$'\\t' read -r name digest at; do
  fetch "$at" "$work/$name"
  echo "$digest  $work/$name" | sha256sum --check --quiet >&2
done <<<"$files"
mkdir "$work/unpacked"
tar -xzf "$work/containerd" --no-same-owner -C "$work/unpacked"
put /usr/local/sbin/runc 755 <"$work/runc"
mkdir -p /opt/cni/bin
rm -f -- ${pluginsMarker}
tar -xzf "$work/cni-plugins" --no-same-owner -C /opt/cni/bin
digest_of cni-plugins | put ${pluginsMarker} 644
put ${unitPath} 644 <<'END'
${unit}
END
systemctl daemon-reload
for program in "$work"/unpacked/bin/*; do
  [ "\${program##*/}" = containerd ] || put "/usr/local/bin/\${program##*/}" 755 <"$program"
done
put /usr/local/bin/containerd 755 <"$work/unpacked/bin/containerd"`,
}
