# partition: programs whose launches never repeat. Arguments that decide nothing make no new launch; where all is new, the
# memory of the run time is bounded, and what repeats in between stays known.

load helper

setup_file() {
    [ "${GPU:-soft}" = soft ] || return 0
    export modules=$BATS_FILE_TMPDIR
    local sanitizer=() programs=$bin/../partition
    [[ $bin != *-address* ]] || sanitizer=('-fsanitize=address,undefined')
    "${CC:-gcc}" -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -DSOFTGPU -I. -Icommon/include -Ipartition/include -Icommon/soft/include tests/partition/new_launches.c "${sanitizer[@]}" \
        -Wl,--whole-archive "$bin/../lib/libinterpose.a" -Wl,--no-whole-archive "$bin/../lib/libsoftcuda.so" -Wl,-rpath,"$bin/../lib" \
        "$bin/../lib/libpartition.a" "$bin/../lib/libcommon.a" -lisl -ldl -lpthread -o "$modules/new_launches"
    cp "$programs"/{chain,stencil}.{so,db} "$modules"
    common/soft/module-source tests/partition/steps.cu >"$modules/module.cc"
    "${CXX:-g++}" -x c++ -std=c++17 -fPIC -pthread "${sanitizer[@]}" -DSOFTGPU -I. -I. -Icommon/include -Ipartition/include -Icommon/soft/include -shared \
        -Wl,-Bsymbolic -fno-gnu-unique "$modules/module.cc" -o "$modules/steps.so"
    "$programs/partition-analyse" tests/partition/steps.cu -o "$modules/steps.db" --module "$modules/steps.so"
}

setup() {
    [ "${GPU:-soft}" = soft ] || skip "sizes are for the software GPU"
    export SOFTGPU_MEMORY=64M SOFTGPU_DEVICES=3 PARTITION_STATISTICS=$scratch/statistics
}

# A number of the statistics of the last run.
count() {
    awk -v name="$1" '$1 == name { print $2 }' "$scratch/statistics"
}

# $2 launches of the case $1 give the same bits on three devices as without the run time; what they print is in $printed.
same() {
    PARTITION_OFF=1 timeout 300 "$modules/new_launches" "$1" "$modules" "$2" "$scratch/expected" >/dev/null
    printed=$(timeout 300 "$modules/new_launches" "$1" "$modules" "$2" "$scratch/result")
    echo "$1: $printed"
    cmp "$scratch/expected" "$scratch/result"
    [ "$(count launches)" -eq "$2" ]
    [ "$(count one_device)" -eq 0 ]
}

@test "an argument on which no access depends makes no new launch, and the kernel gets its value" {
    same same 200
    transitions=$(count dr_created)
    for changes in step time; do
        same "$changes" 200
        [ "$(count kl_created)" -eq 2 ]
        [ "$(count aa_created)" -eq 2 ]
        [ "$(count dr_created)" -eq "$transitions" ]
    done
    PARTITION_CACHE=0 same step 50
    [ "$(count kl_created)" -eq 50 ]
}

@test "launches that are all different give the same bits" {
    same window 300
    [ "$(count kl_created)" -eq 300 ]
    PARTITION_HTOD=lazy PARTITION_SPLIT=x same pieces 300
}

@test "memory is bounded where no launch and no state repeats" {
    [[ $bin != *-address* ]] || skip "the sanitizer keeps freed memory"
    export PARTITION_SPLIT=x
    same pieces 6000
    [ "$(count kl_created)" -gt 5900 ]
    [ "$(awk 'END { print $2 }' <<<"$printed")" -lt 64000000 ]
}

@test "a launch that repeats stays known while thousands of others come and go" {
    local launches=9000
    [[ $bin != *-address* ]] || launches=600
    same some "$launches"
    [ "$(count kl_created)" -eq $((launches / 2 + 1)) ]
}
