/**
 * Stand-ins for programs that would change this machine, or need a system that systemd has started. Each keeps what it was
 * asked for in files below `$HOST_STATE`, so that a test sees effects and not calls.
 */
export const stubPrograms: Readonly<Record<string, string>> = {
  'apt-get': `
command= held= names=()
for arg; do
  case $arg in
    update | install) command=$arg ;;
    --allow-change-held-packages) held=allowed ;;
    -*) ;;
    DPkg::* | Dpkg::*) ;;
    *) names+=("$arg") ;;
  esac
done
if [ -e "$state/apt-locked" ]; then rm "$state/apt-locked"; echo "E: Could not get lock /var/lib/apt/lists/lock" >&2; exit 100; fi
echo "$command \${names[*]}" >>"$state/apt-log"
for name in "\${names[@]}"; do
  package=\${name%%=*} version=1.0-1
  case $name in *=*) version=\${name#*=}; version=\${version%-*}-1.1 ;; esac
  if grep -qsx "$package" "$state/held" && [ -z "$held" ]; then echo "E: Held packages were changed" >&2; exit 100; fi
  echo "$version" >"$state/packages/$package"
  case $package in
    containerd.io | containerd) install_program containerd "echo containerd github.com/containerd/containerd v\${version%-*} 0123" ;;
    iproute2) install_program ip true ;;
    curl | gpg | ebtables | ca-certificates | systemd-timesyncd) ;;
    *) install_program "$package" true ;;
  esac
done`,
  'dpkg-query': `
package=\${@: -1}
[ -e "$state/packages/$package" ] || { echo "dpkg-query: no packages found matching $package" >&2; exit 1; }
echo "installed $(cat "$state/packages/$package")"`,
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
