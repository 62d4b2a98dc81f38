import type { HostCheck } from '../host-check.ts'
import { refuseOnNode } from './kubernetes-packages.ts'

const unitPath = '/etc/systemd/system/kubelet.service'
const dropInPath = '/etc/systemd/system/kubelet.service.d/10-kubeadm.conf'
const unit = `[Unit]
Description=kubelet: The Kubernetes Node Agent
Wants=network-online.target
After=network-online.target

[Service]
ExecStart=/usr/local/bin/kubelet
Restart=always
StartLimitInterval=0
RestartSec=10

[Install]
WantedBy=multi-user.target`
const dropIn = `[Service]
Environment="KUBELET_KUBECONFIG_ARGS=--bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf --kubeconfig=/etc/kubernetes/kubelet.conf"
Environment="KUBELET_CONFIG_ARGS=--config=/var/lib/kubelet/config.yaml"
EnvironmentFile=-/var/lib/kubelet/kubeadm-flags.env
EnvironmentFile=-/etc/default/kubelet
ExecStart=
ExecStart=/usr/local/bin/kubelet $KUBELET_KUBECONFIG_ARGS $KUBELET_CONFIG_ARGS $KUBELET_KUBEADM_ARGS $KUBELET_EXTRA_ARGS`

/** Files by checksum, and the unit that the packages would bring. */
export const kubernetesBinaries: HostCheck = {
  id: 'kubernetes-files',
  words: 'kubeadm, kubelet, kubectl and crictl are the files that the cluster file names',
  probe: `
wrong=
while IFS=$'\\t' read -r name digest _; do
  now=$(sha256sum 2>/dev/null <"/usr/local/bin/$name" || echo none)
  [ "\${now%% *}" = "$digest" ] || wrong+=" $name=\${now:0:16}"
done <<<"$files"
[ -z "$wrong" ] || failed "other files:$wrong"
holds ${unitPath} '${unit}' || failed "${unitPath} is not as it should be"
drop_in=$(cat <<'END'
${dropIn}
END
)
holds ${dropInPath} "$drop_in" || failed "${dropInPath} is not as it should be"
passed "$wanted"`,
  apply: `
${refuseOnNode}
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
while IFS=$'\\t' read -r name digest at; do
  fetch "$at" "$work/$name"
  echo "$digest  $work/$name" | sha256sum --check --quiet >&2
done <<<"$files"
while IFS=$'\\t' read -r name _ _; do
  put "/usr/local/bin/$name" 755 <"$work/$name"
done <<<"$files"
put ${unitPath} 644 <<'END'
${unit}
END
put ${dropInPath} 644 <<'END'
${dropIn}
END
systemctl daemon-reload`,
}
