import { askEtcd } from './ask-etcd.ts'

/**
 * Asks the etcd of this host, by the image that it runs from: `list` prints its members, `health` whether each of them
 * answers, `status` what this one says of itself and then all alarms, `remove` takes one out by its id. It changes
 * nothing but with `remove`.
 */
export const memberScript = `${askEtcd}
what=$1
shift
require_etcd
case $what in
  list) ask --command-timeout 10s member list --write-out json ;;
  # It ends with an error where one of them does not answer, and says of each.
  health) ask --command-timeout 10s endpoint health --cluster --write-out json || true ;;
  status)
    ask --command-timeout 10s endpoint status --write-out json
    # Without a quorum nobody knows them.
    ask --command-timeout 10s alarm list || true
    ;;
  remove) ask --command-timeout 10s member remove "$1" ;;
esac
`
