import { distributionCases } from './distributions.ts'

/**
 * What the scripts of all steps begin with. A probe ends by `passed` or `failed`, with codes of their own: one that ends in
 * any other way, also without an error, has seen nothing. What apt says is asked for in English.
 */
export const shellLibrary = `
set -euo pipefail
export LC_ALL=C DEBIAN_FRONTEND=noninteractive
export PATH="$PATH:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

passed() { printf '%s\\n' "$*"; exit 20; }
failed() { printf '%s\\n' "$*"; exit 10; }
refuse() { printf '%s\\n' "$*" >&2; exit 3; }

# What was seen is one line without control characters.
report() {
  case $2 in
    20) state=passed ;;
    10) state=failed ;;
    *) state=unknown ;;
  esac
  seen=\${3//[[:cntrl:]]/ }
  printf 'check\\t%s\\t%s\\t%s\\n' "$1" "$state" "\${seen:0:500}"
}

has() { command -v "$1" >/dev/null; }

# Whether a file is there with this text, but for line feeds at its end.
holds() { [ -f "$1" ] && [ "$(cat -- "$1")" = "$2" ]; }

# Standard input becomes a file, under another name first.
put() {
  local path=$1 mode=$2 temporary
  mkdir -p -- "$(dirname -- "$path")"
  temporary=$(mktemp -- "$path.XXXXXX")
  cat >"$temporary"
  chmod -- "$mode" "$temporary"
  sync -- "$temporary"
  mv -fT -- "$temporary" "$path"
}

fetch() {
  case $1 in
    /*) cp -- "$1" "$2" ;;
    *) curl --fail --silent --show-error --location --retry 3 --connect-timeout 30 --output "$2" -- "$1" ;;
  esac
}

# A host that kubeadm has made a node of, and whose pods were not drained.
is_joined() { [ "\${node_is_drained:-no}" = no ] && [ -e /etc/kubernetes/kubelet.conf ]; }

# The lock of the lists has no timeout of its own, other than that of dpkg.
update_lists() {
  local output left
  for left in {29..0}; do
    if output=$(apt-get -q update 2>&1 </dev/null); then return 0; fi
    case $output in
      *'Could not get lock'*) [ "$left" -eq 0 ] || sleep 10 ;;
      *) break ;;
    esac
  done
  printf '%s\\n' "$output" >&2
  return 1
}

install_packages() {
  if [ "$family" = debian ]; then
    apt_install "$@"
  else
    dnf -q -y --setopt=install_weak_deps=False install "$@" </dev/null >&2
  fi
}

# Exactly these versions, over a hold of our own and over a newer version; with apt.
install_pinned() { apt_install --allow-change-held-packages --allow-downgrades "$@"; }

# No package of the host is removed for another one.
apt_install() {
  update_lists
  apt-get -q -y -o DPkg::Lock::Timeout=300 -o Dpkg::Options::=--force-confold --no-install-recommends --no-remove \\
    install "$@" </dev/null >&2
}

# Whether a version is another one or newer.
at_least() { printf '%s\\n' "$2" "$1" | sort -VC; }

# One value of os-release; the file is bash.
of_release() { ( set +u; . /etc/os-release; printf '%s' "\${!1:-}" ) }

family=other docker=none
release=unknown codename=
if [ -r /etc/os-release ]; then
  release="$(of_release ID) $(of_release VERSION_ID)"
  codename=$(of_release VERSION_CODENAME)
fi
case $release in
${distributionCases()}
esac
`
