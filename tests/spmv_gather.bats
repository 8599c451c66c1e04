# spmv_gather and spmv_fma: their output, and what they refuse.

load helper

@test "bad options end with exit 1 and one sentence" {
    refuses_all <<'TABLE'
spmv_gather|--sizes 0|a size must be at least 1
spmv_gather|--sizes 16G|from 1 to 2^31 - 1
spmv_gather|--spread 0|out of range
spmv_gather|--inner 0|out of range
spmv_gather|--variants gather,none|none
spmv_fma|--matrices=|--matrices
spmv_fma|--matrices cube:8|cube
spmv_fma|--matrices pde:0|pde
spmv_fma|--matrices /nowhere.mtx|/nowhere.mtx
TABLE
}

@test "every order is gathered and scattered, and a copy has none" {
    run_apart "$bin/spmv_gather" "${once[@]}" --inner 2 --sizes 1,999
    [ "$status" -eq 0 ]
    [ "$(column order gather)" = $'random\nsorted\nhalo\nrandom\nsorted\nhalo' ]
    [ "$(column order scatter)" = "$(column order gather)" ]
    [ "$(column order copy)" = $'none\nnone' ]
    [ "$(column range gather)" = $'2\n2\n1\n1998\n1998\n2744' ]
    [ "$(column status gather | sort -u)" = pass ]
    [ "$(column status scatter | sort -u)" = pass ]
    [ "$(column status copy | sort -u)" = pass ]
}

@test "a list that 32 bits cannot number is left out, and it says so" {
    run_apart "$bin/spmv_gather" "${once[@]}" --inner 1 --sizes 4096 --spread 1000000 --variants gather
    [ "$status" -eq 0 ]
    [ "$(column order gather)" = halo ]
    [[ $stderr == *"4096 elements, random: left out"* ]]
    [[ $stderr == *"4096 elements, sorted: left out"* ]]
}

@test "only fused multiply-add changes results, and both keep the bound" {
    run_apart "$bin/spmv_fma" "${once[@]}" --matrices pde:8,random:500
    [ "$status" -eq 0 ]
    [ "$(column different cpu)" = $'0\n0' ]
    [ "$(column status gpu)" = $'pass\npass' ]
    if [ "${GPU:-soft}" = soft ]; then
        [ "$(column different gpu)" = $'0\n0' ] # as documented: it does not fuse
    fi
    [ -z "$(column different cpu-fma)" ] || [ "$(column different cpu-fma | tail -n 1)" -gt 0 ]
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "error_ratio") c = i; next }
             $NF == "pass" && !($c > 0 && $c <= 1) { exit 1 }' <<<"$output"
}
