# partition: random programs for one GPU give the same bits on several devices, whatever the order in which
# these come to do what they are given. SEEDS=FIRST-LAST tries others.

load helper

setup_file() {
    [ "${GPU:-soft}" = soft ] || return 0
    export calls=$BATS_FILE_TMPDIR/random_calls
    local sanitizer=()
    case $bin in
    *-address*) sanitizer=('-fsanitize=address,undefined') ;;
    *-thread*) sanitizer=('-fsanitize=thread') ;;
    esac
    "${CC:-gcc}" -std=c11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror -DSOFTGPU -I. -Icommon/include -Ipartition/include -Icommon/soft/include tests/partition/random_*.c \
        tests/partition/late_*.c "${sanitizer[@]}" -Wl,--whole-archive "$bin/../lib/libinterpose.a" -Wl,--no-whole-archive \
        "$bin/../lib/libsoftcuda.so" -Wl,-rpath,"$bin/../lib" "$bin/../lib/libpartition.a" "$bin/../lib/libcommon.a" \
        -lboost_context -lisl -ldl -lpthread -lm -o "$calls"
}

setup() {
    [ "${GPU:-soft}" = soft ] || skip "the order of calls is changed behind the software GPU's driver"
    export SOFTGPU_DEVICES=8 SOFTGPU_MEMORY=64M
}

# The programs of the seeds $1 to $2 in the way $3 are right.
all_right() {
    run timeout "${SECONDS_MOST:-100}" "$calls" "$bin/../partition" "$1" "$2" "$3"
    echo "$output"
    [ "$status" -eq 0 ]
    [[ $output == "$(($2 - $1 + 1)) programs, 0 wrong" ]]
}

@test "random programs on devices that are late in a random order" {
    all_right 1 30 late
}

@test "random programs on devices that run at the same time" {
    all_right 1 10 threads
}

@test "seeds of SEEDS" {
    [ -n "${SEEDS:-}" ] || skip "SEEDS=FIRST-LAST are not asked for"
    all_right "${SEEDS%-*}" "${SEEDS#*-}" late
}

@test "what is no number of a seed is refused" {
    run "$calls" "$bin/../partition" 1
    [ "$status" -eq 2 ]
    run "$calls" "$bin/../partition" one 2
    [ "$status" -eq 2 ]
    run "$calls" /nowhere 1 1
    [ "$status" -eq 1 ]
    [[ $output == *cuModuleLoad* ]]
}
