import { firewallFile } from '../../config/kubeadm-paths.ts'
import type { HostCheck } from '../host-check.ts'

/**
 * What each kind of firewall is asked and given. A source is an address or a network. `ufw show added` prints rules as
 * they were given, a comment last. Pods are let through a host as well: ufw forwards nothing by default, and firewalld
 * forwards what comes from its trusted zone.
 */
const firewalls = `
uses_firewalld() { has firewall-cmd && firewall-cmd --state >/dev/null 2>&1; }
uses_ufw() { has ufw && [[ $(ufw status) == 'Status: active'* ]]; }
has_rule() { grep -Eq "^ufw $1( comment .*)?$" <<<"$rules"; }
lets_in() {
  if [ "$firewall" = firewalld ]; then
    firewall-cmd -q --zone=trusted --query-source="$1" && firewall-cmd -q --permanent --zone=trusted --query-source="$1"
  else
    has_rule "allow from $1" && { [ "$1" != "$pods" ] || { has_rule "route allow from $1" && has_rule "route allow to $1"; }; }
  fi
}
firewall=none
if uses_firewalld; then firewall=firewalld; elif uses_ufw; then firewall=ufw; fi
rules=
[ "$firewall" != ufw ] || rules=$(ufw show added)
`

/** Lets a source in, and writes down that it was us. */
const allow = `
allow() {
  if [ "$firewall" = firewalld ]; then
    firewall-cmd -q --zone=trusted --add-source="$1" && firewall-cmd -q --permanent --zone=trusted --add-source="$1"
    return
  fi
  ufw allow from "$1" comment hcloud-talos >&2
  if [ "$1" = "$pods" ]; then
    ufw route allow from "$1" comment hcloud-talos >&2
    ufw route allow to "$1" comment hcloud-talos >&2
  fi
}
`

/**
 * Where a host has a firewall of its own, the nodes of the cluster and their pods reach it: etcd, kubelets, and whatever
 * the network of pods speaks between nodes, which is not the same port for any two of them. A firewall is never turned
 * off, and who else reaches the host stays as it is.
 */
export const firewall: HostCheck = {
  id: 'firewall',
  words: 'its firewall lets the nodes of the cluster and their pods in',
  probe: `
${firewalls}
[ "$firewall" != none ] || passed "neither ufw nor firewalld is active"
missing=
for source in "$pods" "\${rest[@]}"; do
  lets_in "$source" || missing+=" $source"
done
[ -z "$missing" ] || failed "$firewall does not let in:$missing"
passed "$firewall lets them in"`,
  apply: `
${firewalls}
${allow}
mkdir -p -- "$(dirname -- ${firewallFile})"
for source in "$pods" "\${rest[@]}"; do
  # One that somebody else let in stays when its node goes.
  lets_in "$source" || { allow "$source"; printf '%s\\n' "$source" >>${firewallFile}; }
done`,
}

/** Takes back what we let in, and only that: a function of bash that needs nothing around it. */
export const forgetSource = `forget_source() {
  grep -Fxqs -- "$1" ${firewallFile} || return 0
  if command -v firewall-cmd >/dev/null && firewall-cmd --state >/dev/null 2>&1; then
    firewall-cmd -q --zone=trusted --remove-source="$1" || true
    firewall-cmd -q --permanent --zone=trusted --remove-source="$1" || true
  fi
  if command -v ufw >/dev/null; then
    ufw delete allow from "$1" >/dev/null 2>&1 || true
    ufw route delete allow from "$1" >/dev/null 2>&1 || true
    ufw route delete allow to "$1" >/dev/null 2>&1 || true
  fi
}`
