/**
 * Stand-ins for programs that would change this machine, or need a system that systemd has started. Each keeps what it was
 * asked for in files below `$HOST_STATE`, so that a test sees effects and not calls.
 */
export const stubPrograms: Readonly<Record<string, string>> = {
  'apt-get': `
command= held= downgrade= keep= names=()
for arg; do
  case $arg in
    update | install) command=$arg ;;
    --allow-change-held-packages) held=allowed ;;
    --allow-downgrades) downgrade=allowed ;;
    --no-remove) keep=all ;;
    -*) ;;
    DPkg::* | Dpkg::*) ;;
    *) names+=("$arg") ;;
  esac
done
if [ -e "$state/apt-locked" ]; then rm "$state/apt-locked"; echo "E: Could not get lock /var/lib/apt/lists/lock" >&2; exit 100; fi
echo "$command \${names[*]}" >>"$state/apt-log"
if [ "$command" = update ] && grep -qs broken.example.com /etc/apt/sources.list.d/*.list; then
  echo "E: The repository does not have a Release file." >&2; exit 100
fi
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
    iproute2) install_program ip true ;;
    curl | gpg | ebtables | systemd-timesyncd) ;;
    *) install_program "$package" true ;;
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
  systemctl: `
verb=$1
shift
for unit; do :; done
case $verb in
  list-units) for file in "$state"/swap-units/*; do [ ! -e "$file" ] || echo "\${file##*/} $(cat "$file") active active -"; done ;;
  mask) for one; do [ "$one" = --now ] || [ "$one" = -- ] || echo masked >"$state/swap-units/$one"; done ;;
  daemon-reload) ;;
  is-enabled) if [ -e "$state/enabled/$unit" ]; then echo enabled; else echo disabled; exit 1; fi ;;
  enable) touch "$state/enabled/$unit" ;;
  disable) for one; do rm -f "$state/enabled/$one"; done ;;
  is-active) if [ -e "$state/started/$unit" ]; then echo active; else echo inactive; exit 3; fi ;;
  restart) date +%s >"$state/started/$unit"; restarted "$unit" ;;
  show) date -d "@$(cat "$state/started/$unit")" ;;
  *) echo "systemctl: unknown $verb" >&2; exit 1 ;;
esac`,
  swapoff: `head -n1 /proc/swaps >"$state/swaps" && cat "$state/swaps" >/proc/swaps`,
  modprobe: `for module; do [ "$module" = -- ] || mkdir -p "/sys/module/$module"; done`,
  timedatectl: `
case "$*" in
  *CanNTP*) echo yes ;;
  *NTPSynchronized*) if [ -e "$state/clock" ]; then echo yes; else echo no; fi ;;
  'set-ntp true') touch "$state/clock" ;;
esac`,
  'cloud-init': `
if [ "$*" = "status --wait" ]; then rm -f "$state/first-boot"; exit 2; fi
if [ -e "$state/first-boot" ]; then echo "status: running"; else echo "status: done"; exit 2; fi`,
  curl: `
while [ "$#" -gt 1 ]; do
  case $1 in --output) output=$2; shift ;; esac
  shift
done
cp "$state/web/\${1##*/}" "$output"`,
}
