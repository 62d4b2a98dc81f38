/**
 * Stand-ins for package managers, and for what fetches files. Each keeps what it did in files below `$state`, so that a
 * test sees effects and not calls. What a package brings is a program of `$programs` of its name, or one that does nothing.
 */
export const packagePrograms: Readonly<Record<string, string>> = {
  'apt-get': `
command= held= downgrade= keep= names=()
for arg; do
  case $arg in
    update | install | purge | remove) command=$arg ;;
    --allow-change-held-packages) held=allowed ;;
    --allow-downgrades) downgrade=allowed ;;
    --no-remove) keep=all ;;
    -*) ;;
    DPkg::* | Dpkg::*) ;;
    *) names+=("$arg") ;;
  esac
done
if [ -e "$state/apt-locked" ]; then
  left=$(cat "$state/apt-locked")
  if [ "\${left:-1}" -gt 1 ]; then echo "$((left - 1))" >"$state/apt-locked"; else rm "$state/apt-locked"; fi
  echo "E: Could not get lock /var/lib/apt/lists/lock" >&2
  exit 100
fi
[ ! -e "$state/apt-seconds" ] || sleep "$(cat "$state/apt-seconds")"
echo "$command \${names[*]}" >>"$state/apt-log"
if [ "$command" = update ] && grep -qs broken.example.com /etc/apt/sources.list.d/*.list; then
  echo "E: The repository does not have a Release file." >&2; exit 100
fi
case $command in
  purge | remove)
    for name in "\${names[@]}"; do
      rm -f "$state/packages/$name" "$state/enabled/$name" "\${0%/*}/$name"
      [ "$name" != kubelet ] || [ ! -e "$state/started/kubelet" ] || systemctl stop kubelet
    done
    exit 0 ;;
esac
for name in "\${names[@]}"; do
  package=\${name%%=*} version=1.0-1
  case $name in *=*) version=\${name#*=}; version=\${version%-*}-1.1 ;; esac
  [ ! -e "$state/candidates/$package" ] || case $name in *=*) ;; *) version=$(cat "$state/candidates/$package") ;; esac
  now=$(cat "$state/packages/$package" 2>/dev/null || true)
  [ "$now" != "$version" ] || continue
  if grep -qsx "$package" "$state/held" && [ -z "$held" ]; then echo "E: Held packages were changed" >&2; exit 100; fi
  if [ -n "$now" ] && [ -z "$downgrade" ] && ! printf '%s\\n' "$now" "$version" | sort -VC; then echo "E: Packages were downgraded" >&2; exit 100; fi
  case $package in containerd) other=containerd.io ;; containerd.io) other=containerd ;; *) other=none ;; esac
  if [ -e "$state/packages/$other" ]; then
    if [ -n "$keep" ]; then echo "E: Packages need to be removed but remove is disabled." >&2; exit 100; fi
    rm "$state/packages/$other"
  fi
  echo "$version" >"$state/packages/$package"
  case $package in
    containerd.io | containerd) install_containerd "\${version%-*}" ;;
    ca-certificates) mkdir -p /etc/ssl/certs; touch /etc/ssl/certs/ca-certificates.crt ;;
    kubeadm) install_program kubeadm; install_program crictl ;;
    curl | gpg | ebtables | iproute2 | systemd-timesyncd) ;;
    *) install_program "$package" ;;
  esac
done`,
  'dpkg-query': `
package=\${@: -1}
[ -e "$state/packages/$package" ] || { echo "dpkg-query: no packages found matching $package" >&2; exit 1; }
case "$*" in
  *Version*) echo "installed $(cat "$state/packages/$package")" ;;
  *) printf installed ;;
esac`,
  dnf: `
case " $* " in
  *' remove '*) for name; do rm -f "$state/packages/$name" "\${0%/*}/$name"; done; exit 0 ;;
esac
for name; do
  package=\${name%-[0-9]*} version=\${name##*-}
  case $package in
    containerd.io) echo "$version" >"$state/packages/$package"; install_containerd "$version" ;;
  esac
done`,
  rpm: `
package=\${@: -1}
if [ -e "$state/packages/$package" ]; then echo "$package-$(cat "$state/packages/$package")"; else echo "package $package is not installed"; exit 1; fi`,
  'apt-mark': `
touch "$state/held"
case $1 in
  showhold) cat "$state/held" ;;
  hold) shift; for package; do grep -qx "$package" "$state/held" || echo "$package" >>"$state/held"; done ;;
  unhold) shift; for package; do sed -i "/^$package$/d" "$state/held"; done ;;
esac`,
  curl: `
while [ "$#" -gt 1 ]; do
  case $1 in --output) output=$2; shift ;; esac
  shift
done
cp "$state/web/\${1##*/}" "$output"`,
}
