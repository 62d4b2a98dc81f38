/** As ufw keeps rules: those that were added, each as it was given. */
export const madeUpUfw = `#!/bin/bash
rules=/mnt/state/ufw-rules
[ -f "$rules" ] || touch "$rules"
case "$1 $2" in
  'status ') echo 'Status: active' ;;
  'show added') echo "Added user rules (see 'ufw status' for running firewall):"; sed 's/^/ufw /' "$rules" ;;
  'delete '*) shift; sed -i "\\\\|^$*\\\\( comment .*\\\\)\\\\?\\$|d" "$rules" ;;
  'route delete') shift 2; sed -i "\\\\|^route $*\\\\( comment .*\\\\)\\\\?\\$|d" "$rules" ;;
  *) printf '%s\\n' "$*" | sed "s/comment \\(.*\\)/comment '\\1'/" >>"$rules" ;;
esac
`
