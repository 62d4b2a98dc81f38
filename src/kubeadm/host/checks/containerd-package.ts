import type { HostCheck } from '../host-check.ts'

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

/** Version of the containerd that is installed, as a bash command. */
export const installedContainerd = `containerd --version | awk '{ sub(/^v/, "", $3); sub(/[~+-].*/, "", $3); print $3 }'`

const ofRepository = `
  mirror | repository)
    if [ "$family" = debian ]; then
      install_packages curl gpg ca-certificates
      downloaded=$(mktemp)
      fetch "\${key:-$repository/linux/$docker/gpg}" "$downloaded"
      gpg --batch --yes --dearmor --output "$downloaded.gpg" "$downloaded"
      put /etc/apt/keyrings/hcloud-talos-docker.gpg 644 <"$downloaded.gpg"
      rm -f -- "$downloaded" "$downloaded.gpg"
      echo "deb [signed-by=/etc/apt/keyrings/hcloud-talos-docker.gpg] $repository/linux/$docker $codename stable" |
        put /etc/apt/sources.list.d/hcloud-talos-docker.list 644
      install_packages "containerd.io=$wanted-*"
    else
      put /etc/yum.repos.d/hcloud-talos-docker.repo 644 <<END
[hcloud-talos-docker]
name=containerd of Docker
baseurl=$repository/linux/$docker/\\$releasever/\\$basearch/stable
enabled=1
gpgcheck=1
gpgkey=\${key:-$repository/linux/$docker/gpg}
exclude=containerd.io
END
      dnf -q -y --disableexcludes=hcloud-talos-docker install "containerd.io-$wanted" </dev/null >&2
    fi
    ;;`

const ofFiles = `
  files)
    work=$(mktemp -d)
    while IFS=$'\\t' read -r name digest from; do
      fetch "$from" "$work/$name"
      echo "$digest  $work/$name" | sha256sum --check --quiet >&2
    done <<<"$files"
    tar -xzf "$work/containerd" --no-same-owner -C /usr/local
    put /usr/local/sbin/runc 755 <"$work/runc"
    mkdir -p /opt/cni/bin
    tar -xzf "$work/cni-plugins" --no-same-owner -C /opt/cni/bin
    put /etc/systemd/system/containerd.service 644 <<'END'
${unit}
END
    rm -rf -- "$work"
    systemctl daemon-reload
    ;;`

/** Never another version where pods run on it: that is an upgrade, and the node is drained for it. */
export const containerdVersion: HostCheck = {
  id: 'containerd-version',
  words: 'containerd is installed, in the version that is wanted',
  probe: `
has containerd || failed "it is not installed"
now=$(${installedContainerd})
[ -n "$now" ] || exit 1
[ -z "$wanted" ] || [ "$now" = "$wanted" ] || failed "$now, wanted is $wanted"
passed "$now"`,
  apply: `
if is_joined && has containerd; then
  refuse "containerd runs the pods of a node here: another version of it is an upgrade, for which the node is drained"
fi
case $source in
  distribution)
    [ "$family" = debian ] || refuse "$release has no containerd of its own: take it from a repository"
    install_packages containerd
    ;;${ofRepository}${ofFiles}
esac`,
}

/** Otherwise the next upgrade of all packages restarts it under the pods. */
export const containerdHold: HostCheck = {
  id: 'containerd-hold',
  words: 'the package of containerd is held',
  probe: `
if [ "$family" = debian ]; then
  package=containerd.io
  [ "$source" != distribution ] || package=containerd
  if apt-mark showhold | grep -qx "$package"; then passed "$package is held"; fi
  failed "$package is not held"
fi
file=/etc/yum.repos.d/hcloud-talos-docker.repo
if grep -qsx 'exclude=containerd.io' "$file"; then passed "$file leaves it out"; fi
failed "$file does not leave it out"`,
  apply: `
if [ "$family" = debian ]; then
  package=containerd.io
  [ "$source" != distribution ] || package=containerd
  apt-mark hold "$package" >&2
else
  sed -i -e '/^exclude=/d' -e '/^gpgkey=/a exclude=containerd.io' /etc/yum.repos.d/hcloud-talos-docker.repo
fi`,
}
