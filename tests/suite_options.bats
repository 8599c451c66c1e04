# Options of all programs: values that make no sense end with one sentence, at once.

load helper

@test "every option of every program: bad values end with exit 1 and one sentence, none with a signal" {
    # OPTIONS_LONG=1: every value for every option (10 to 30 minutes).
    run_apart env BIN="$bin" tests/fuzz_options ${OPTIONS_LONG:+--long}
    [ "$status" -eq 0 ]
    [[ ${output##*$'\n'} == *" cases, 0 findings" ]]
}

@test "a size of 0 is refused by every program that has sizes" {
    local each count=0
    for each in "$bin"/*; do
        [ "$(head -c 2 "$each")" != '#!' ] && "$each" -h | grep -q -- '--sizes LIST' || continue
        refuses "a size must be at least 1" "$each" --sizes 0 -n 1
        count=$((count + 1))
    done
    [ "$count" -gt 5 ]
}

@test "what would count or read for ever is refused before it begins" {
    local start=$SECONDS
    refuses_all <<'TABLE'
pinning_copy|-b 1 -e 9007199254740991 -i 1 -n 1|gives more than 100000 sizes: choose a larger step
pinning_copy|-b 1 -e 9007199254740991 -f 1.0001 -n 1|gives more than 100000 sizes: choose a larger step
spmv_formats|--matrices /dev/zero|/dev/zero: line 1: expected text, found a zero byte
spmv_product|--matrix /dev/zero|/dev/zero: line 1: expected text, found a zero byte
spmv_hybrid|--samples /dev/zero|the line is longer than
tuner_replay|--sweep /dev/zero|/dev/zero is not a text file: it has a zero byte
pinning_cache|--trace-file /dev/zero|/dev/zero:1: there is a zero byte
TABLE
    ranks_refuse_all <<'TABLE'
2|prefetch_run|--program put_test --set norb=999999999|array a would have 9.99999998e+17 blocks, 4294967296 are possible
TABLE
    [ $((SECONDS - start)) -lt 60 ]
}

@test "a matrix is never written over a device" {
    ln -s /dev/null "$scratch/device"
    run_apart "$bin/spmv_product" --matrix diagonal:3 "${once[@]}" --write "$scratch/device"
    [ "$status" -eq 1 ]
    [[ $stderr == *"device is there and not a regular file"* ]]
    [ -L "$scratch/device" ]
}
