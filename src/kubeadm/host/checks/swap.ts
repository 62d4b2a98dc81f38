import type { HostCheck } from '../host-check.ts'

/**
 * Off now and after a reboot, which no node is given while its pods run. Lines of fstab are comments afterwards, and only
 * those whose third field is swap: others may have the word in a path. Units of swap are masked, since systemd finds partitions of swap by itself.
 */
export const swap: HostCheck = {
  id: 'swap',
  words: 'swap is off, and stays off after a reboot',
  probe: `
seen=
active=$(awk 'NR > 1 { print $1 }' /proc/swaps | paste -sd' ')
[ -z "$active" ] || seen+="in use: $active; "
listed=
[ ! -e /etc/fstab ] || listed=$(awk '!/^[[:space:]]*#/ && $3 == "swap" { print $1 }' /etc/fstab | paste -sd' ')
[ -z "$listed" ] || seen+="in /etc/fstab: $listed; "
units=$(systemctl list-units --all --type=swap --plain --no-legend |
  awk '$2 != "masked" && $2 != "not-found" { print $1 }' | paste -sd' ')
[ -z "$units" ] || seen+="units: $units; "
for file in {/etc,/run,/usr/local/lib,/usr/lib}/systemd/zram-generator.conf; do
  [ -e "$file" ] || continue
  if grep -q '^[[:space:]]*\\[zram' -- "$file"; then seen+="zram by $file; "; fi
  break
done
[ -z "$seen" ] || failed "\${seen%; }"
passed "there is none"`,
  apply: `
if is_joined && [ "$(wc -l </proc/swaps)" -gt 1 ]; then
  refuse "pods run on this node, and swap may hold their memory: it is turned off when the node is drained"
fi
mapfile -t units < <(systemctl list-units --all --type=swap --plain --no-legend |
  awk '$2 != "masked" && $2 != "not-found" { print $1 }')
swapoff -a
if [ -f /etc/fstab ]; then
  mode=$(stat -c %a /etc/fstab)
  text=$(awk '!/^[[:space:]]*#/ && $3 == "swap" { print "# hcloud-talos: " $0; next } { print }' /etc/fstab)
  holds /etc/fstab "$text" || printf '%s\\n' "$text" | put /etc/fstab "$mode"
fi
zram=/etc/systemd/zram-generator.conf
if [ ! -e "$zram" ]; then
  for file in {/run,/usr/local/lib,/usr/lib}/systemd/zram-generator.conf; do
    [ -e "$file" ] || continue
    echo '# hcloud-talos: no swap in memory' | put "$zram" 644
    break
  done
elif grep -q '^[[:space:]]*\\[zram' -- "$zram"; then
  mode=$(stat -c %a "$zram")
  sed -E '/^[[:space:]]*([#;]|$)/!s/^/# hcloud-talos: /' "$zram" | put "$zram" "$mode"
fi
systemctl daemon-reload
[ "\${#units[@]}" -eq 0 ] || systemctl mask --now -- "\${units[@]}" >&2`,
}
