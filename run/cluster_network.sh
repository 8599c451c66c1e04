# cluster_network.sh: the network of a virtual cluster; sourced by run/cluster.
# Each host is a namespace with one interface, eth0, whose other end is a port of the bridge in the switch's
# namespace. The machine's own network has no part in it, so that all clusters use the same addresses.
# shellcheck shell=bash
# shellcheck disable=SC2154 # run/cluster sets name, rate and delay

SUBNET=10.77.0

# namespace CLUSTER HOST: the namespace of a host, or of the `switch`.
namespace() {
    printf 'dm-%s-%s' "$1" "$2"
}

# address HOST: its address, the same in each cluster.
address() {
    printf '%s.%d' "$SUBNET" "$((${1#h} + 1))"
}

# The hosts of a cluster, in order. The kernel's namespaces have files of their names there.
NAMESPACES=/var/run/netns
hosts_of() {
    local i
    for ((i = 0; i < MOST_HOSTS; i++)); do
        [ ! -e "$NAMESPACES/dm-$1-h$i" ] || echo "h$i"
    done
}

is_host() {
    [[ $2 =~ ^h[0-9]+$ ]] && [ -e "$NAMESPACES/dm-$1-$2" ]
}

# The namespaces of a cluster, one per line.
namespaces() {
    local part
    for part in switch $(hosts_of "$1"); do
        [ ! -e "$NAMESPACES/dm-$1-$part" ] || echo "dm-$1-$part"
    done
}

# rate_bits RATE: bit/s; nothing if it is no rate from 1mbit to 100gbit.
rate_bits() {
    [[ $1 =~ ^([0-9]{1,7}(\.[0-9]{1,6})?)([kmg])bit$ ]] || return 0
    awk -v value="${BASH_REMATCH[1]}" -v unit="${BASH_REMATCH[3]}" 'BEGIN {
        bits = value * (unit == "k" ? 1e3 : unit == "m" ? 1e6 : 1e9)
        if (bits >= 1e6 && bits <= 1e11) printf "%.0f", bits
    }'
}

# delay_us TIME: microseconds; nothing if it is no time up to a second.
delay_us() {
    [[ $1 =~ ^([0-9]{1,7})((\.[0-9]{1,3})?)(us|ms)$ || $1 =~ ^(0)()()()$ ]] || return 0
    awk -v value="${BASH_REMATCH[1]}${BASH_REMATCH[2]}" -v unit="${BASH_REMATCH[4]}" 'BEGIN {
        us = value * (unit == "ms" ? 1000 : 1)
        if (us <= 1e6) printf "%.0f", us
    }'
}

# Runs a command that builds a part; a kernel that refuses is a reason to waive, in the kernel's words.
part() {
    local text
    text=$("$@" 2>&1) || waive_part "$text" "$@"
}

waive_part() { # what it said, the command
    waive "it needs the virtual cluster, and the kernel does not allow '${*:2:2} ...': ${1%%$'\n'*}"
}

# shape NAMESPACE INTERFACE BITS BUCKET: no more than that leaves by the interface. Messages no larger than the bucket
# pass at the speed of memory. The queue holds 20 ms, like the port of a switch.
shape() {
    local queue=$(($3 / 400))
    part tc -n "$1" qdisc add dev "$2" root handle 1: tbf rate "$3bit" burst "$4" \
        limit "$((queue > 262144 ? queue : 262144))"
}

# bucket BITS: bytes of the bucket where a host sends: small, 64 microseconds' worth, but at least three packets,
# and above 1gbit a whole segment of TCP; below that the kernel does not reach the rate.
bucket() {
    local bytes=$(($1 / 125000)) least=4600
    [ "$1" -le 1000000000 ] || least=66000
    echo "$((bytes > least ? bytes : least))"
}

# delay_port NAMESPACE INTERFACE MICROSECONDS: what leaves by the shaped interface leaves that much later.
delay_port() {
    local text
    [ "$3" -ne 0 ] || return 0
    text=$(tc -n "$1" qdisc add dev "$2" parent 1:1 handle 2: netem delay "$3us" limit 100000 2>&1) ||
        waive "it needs links with a delay, and this kernel has no netem (${text%%$'\n'*}); leave out --delay"
}

# The settings of TCP in a host: a loss is not the sign of a slow path here, and a peer that does not answer
# is given up after half a minute instead of fifteen.
tune_host() {
    # shellcheck disable=SC2016 # the inner shell expands this
    part ip netns exec "$1" sh -c 'cd /proc/sys/net
        ! grep -qw cubic ipv4/tcp_available_congestion_control || echo cubic >ipv4/tcp_congestion_control
        [ ! -e ipv6/conf/all/disable_ipv6 ] || echo 1 >ipv6/conf/all/disable_ipv6
        echo 3 >ipv4/tcp_syn_retries && echo 6 >ipv4/tcp_retries2'
}

# parts [-n NAMESPACE] LINE...: the same of commands of ip, which is started once.
parts() {
    local text number inside=()
    [ "$1" != -n ] || { inside=(-n "$2") && shift 2; }
    text=$(printf '%s\n' "$@" | ip "${inside[@]}" -batch - 2>&1) && return
    number=$(sed -n 's/^Command failed -:\([0-9]*\)$/\1/p' <<<"$text")
    # shellcheck disable=SC2086 # a line is words
    waive_part "$text" ip ${number:+${!number}}
}

make_switch() {
    local switch
    switch=$(namespace "$name" switch)
    parts "netns add $switch"
    parts -n "$switch" "link add bridge type bridge" "link set bridge up"
}

# make_host NUMBER BITS MICROSECONDS: the host, its link, and the limits in both directions.
make_host() {
    local host=h$1 switch inside
    switch=$(namespace "$name" switch)
    inside=$(namespace "$name" "$host")
    parts "netns add $inside" "link add $host netns $switch type veth peer name eth0 netns $inside"
    tune_host "$inside"
    parts -n "$inside" "address add $(address "$host")/24 dev eth0" "link set lo up" "link set eth0 up"
    part ip -n "$switch" link set "$host" master bridge up
    shape "$inside" eth0 "$2" "$(bucket "$2")"
    shape "$switch" "$host" "$2" "$(($2 / 16000 + 66000))"
    delay_port "$switch" "$host" "$3"
}

# counter CLUSTER HOST NAME: a counter of the host's interface, such as tx_bytes.
counter() {
    ip netns exec "$(namespace "$1" "$2")" cat "/sys/class/net/eth0/statistics/$3"
}

# word_after WORD TEXT: the word behind it; `none` if it is not there.
word_after() {
    [[ $2 =~ \ $1\ ([^ ]+) ]] && printf '%s' "${BASH_REMATCH[1]}" || printf none
}

# The rate and the delay that the kernel applies, from the host to the switch and back.
rates() {
    local up down
    up=$(tc -n "$(namespace "$1" "$2")" qdisc show dev eth0)
    down=$(tc -n "$(namespace "$1" switch)" qdisc show dev "$2")
    printf '%s %s %s' "$(word_after rate "$up")" "$(word_after rate "$down")" "$(word_after delay "$down")"
}

remove_network() {
    namespaces "$1" | sed 's/^/netns delete /' | ip -force -batch - || true
}
