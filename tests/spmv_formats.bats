# spmv_formats: products in every format, the copy and the dense product beside them, and what it refuses.

load helper

formats() {
    run_apart "$bin/spmv_formats" "$@"
}

once=(-n 1 -w 0 --inner 1 --csv)
own=csr-cpu,coo-cpu,csc-cpu,ell-cpu,elg-cpu,hll-cpu,hyb-cpu,csr-gpu,coo-gpu,csc-gpu,ell-gpu,elg-gpu,hlg-gpu,hyb-gpu

@test "bad options end with exit 1 and one sentence" {
    refuses_all <<'TABLE'
spmv_formats|--precisions half|unknown precision 'half'; choose from float, double
spmv_formats|--precisions double,|precisions
spmv_formats|--matrices cube:8|kinds
spmv_formats|--matrices pde:8,/nowhere.mtx -n 1|--matrices: no file and no kind of matrix: `/nowhere.mtx`
spmv_formats|--matrices pde|expected pde:SIZE
spmv_formats|--matrices pde:0|expected pde:SIZE, SIZE from 1
spmv_formats|--matrices pde:99999999|more than 2^31 rows
spmv_formats|--matrices=|matrices
spmv_formats|--copies 9|out of range
spmv_formats|--inner -1|inner
spmv_formats|--threads x|not a number
spmv_formats|--size-limit 0|out of range
spmv_formats|--variants csr|csr
TABLE
}

@test "every format is right on matrices of every kind, in both precisions" {
    formats "${once[@]}" --copies 2 --precisions double,float --variants "$own,copy-cpu,copy-gpu" --size-limit 2000 \
        --matrices pde:6,fem:3,power:300,dense_row:200,empty_rows:300,rectangular:200,diagonal:500,pde:1
    [ "$status" -eq 0 ]
    for variant in ${own//,/ } copy-cpu copy-gpu; do
        [ "$(column status "$variant" status pass | wc -l)" -eq 16 ]
    done
    # An error of half the bound or more would be one of too low a precision.
    [ "$(column error_ratio hlg-gpu | awk '$1 == "" || $1 > 0.5' | wc -l)" -eq 0 ]
    [ "$(column error_ratio csr-cpu matrix power:300 | sort -u | wc -l)" -eq 2 ]
}

@test "sizes are those of the formats and bandwidths those of the formula" {
    formats "${once[@]}" --copies 1 --matrices diagonal:1024,rectangular:100:4 --variants csr-cpu,coo-cpu,ell-gpu,copy-gpu
    [ "$status" -eq 0 ]
    [ "$(column value_bytes csr-cpu matrix diagonal:1024)" -eq 8192 ]
    [ "$(column index_bytes csr-cpu matrix diagonal:1024)" -eq $((4096 + 4100)) ]
    [ "$(column index_bytes coo-cpu matrix diagonal:1024)" -eq $((2 * 4096)) ]
    [ "$(column stored_ratio ell-gpu matrix diagonal:1024)" -eq 1 ]
    [ "$(column longest_row csr-cpu matrix diagonal:1024)" -eq 1 ]
    [ "$(column deviation csr-cpu matrix diagonal:1024)" -eq 0 ]
    entries=$(column entries csr-cpu matrix rectangular:100:4)
    # bytes: 12 per entry, 4 per row and one more, 8 per row and per column
    for variant in csr-cpu copy-gpu; do
        paste -d' ' <(column bandwidth_gbs $variant) <(column time_s $variant) <(printf '%s\n' \
            $((12 * 1024 + 4 * 1025 + 16 * 1024)) $((12 * entries + 404 + 8 * 300))) |
            awk '{ if ($1 * $2 * 1e9 / $3 < 0.999 || $1 * $2 * 1e9 / $3 > 1.001) exit 1 }'
    done
    awk -v rate="$(column gflops csr-cpu matrix diagonal:1024)" -v time="$(column time_s csr-cpu matrix diagonal:1024)" \
        'BEGIN { exit !(rate * time * 1e9 > 2047 && rate * time * 1e9 < 2049) }'
}

@test "padding that would not fit is waived with its size, and the other formats run" {
    formats "${once[@]}" --copies 1 --matrices dense_row:4000 --variants ell-cpu,ell-gpu,csr-gpu,hll-cpu,hyb-gpu
    [ "$status" -eq 0 ]
    [ "$(column status ell-cpu)" = waived ]
    [ "$(column status ell-gpu)" = waived ]
    [[ $stderr == *"ell-cpu is waived: dense_row:4000: "*" GB"*"padding"* ]]
    [ "$(column status csr-gpu)" = pass ]
    [ "$(column status hll-cpu)" = pass ]
    [ "$(column status hyb-gpu)" = pass ]
    formats "${once[@]}" --copies 1 --matrices dense_row:4000 --variants ell-cpu
    [ "$status" -eq 2 ]
}

@test "the number of threads changes no result of rows" {
    for threads in 1 3; do
        formats "${once[@]}" --matrices power:2000 --variants csr-cpu,hll-cpu --threads $threads
        [ "$status" -eq 0 ]
        column error_ratio csr-cpu >"$scratch/$threads"
        column error_ratio hll-cpu >>"$scratch/$threads"
    done
    [ -s "$scratch/1" ]
    cmp "$scratch/1" "$scratch/3"
}

@test "own formats but CSR are converted on the GPU, and only there" {
    formats "${once[@]}" --copies 1 --matrices pde:12,power:500 --precisions double,float --size-limit 2000 --variants "$own,copy-gpu,cusparse-csr1"
    [ "$status" -eq 0 ]
    for variant in coo-gpu csc-gpu ell-gpu elg-gpu hlg-gpu hyb-gpu; do
        [ "$(column reformat_s "$variant" | awk '$1 > 0' | wc -l)" -eq 4 ]
        paste -d' ' <(column reformat_s "$variant") <(column time_s "$variant") <(column reformat_products "$variant") |
            awk '{ if ($1 / $2 / $3 < 0.999 || $1 / $2 / $3 > 1.001) exit 1 }'
    done
    for variant in csr-gpu csr-cpu ell-cpu hll-cpu copy-gpu; do
        [ "$(column reformat_s "$variant" | awk '$1 != ""' | wc -l)" -eq 0 ]
    done
}

@test "the triad counts 24 bytes for each of its elements, far more than the caches hold, in double only" {
    formats "${once[@]}" --copies 1 --matrices diagonal:1000 --precisions double,float --variants csr-cpu,triad-cpu
    [ "$status" -eq 0 ]
    [ "$(column status triad-cpu)" = pass ]
    [ "$(column precision triad-cpu)" = double ]
    cache=$(getconf LEVEL2_CACHE_SIZE)
    awk -v rate="$(column bandwidth_gbs triad-cpu)" -v time="$(column time_s triad-cpu)" -v cache="$cache" \
        'BEGIN { exit !(1e9 * rate * time / 3 >= 4 * cache && 1e9 * rate * time < 1e12) }'
    [ -z "$(column gflops triad-cpu)" ]
}

@test "dense products of both sides and precisions are right" {
    formats "${once[@]}" --matrices pde:8 --precisions double,float --variants gemm-cpu,gemm-gpu
    [ "$status" -eq 0 ]
    [ "$(column status gemm-cpu status pass | wc -l)" -eq 2 ]
    [ "$(column status gemm-gpu status pass | wc -l)" -eq 2 ]
    [ "$(column rows gemm-cpu precision double)" -eq 1024 ]
    [ "$(column error_ratio gemm-gpu | awk '$1 == "" || $1 <= 0 || $1 > 1' | wc -l)" -eq 0 ]
}

@test "an OpenBLAS that takes its oldest code is named once, with what helps" {
    grep -qw avx2 /proc/cpuinfo || skip "no processor here for which OpenBLAS could have better code"
    export OPENBLAS_CORETYPE=Prescott
    formats -n 1 -w 0 --json --matrices pde:8 --precisions double,float --variants gemm-cpu
    [ "$status" -eq 0 ]
    [ "$(grep -c OPENBLAS_CORETYPE <<<"$stderr")" -eq 1 ]
    [[ $stderr == *"computes as for Prescott: with OPENBLAS_CORETYPE="* ]]
    [ "$(jq -r .meta.env.OPENBLAS_CORETYPE <<<"$output")" = Prescott ]
    export OPENBLAS_CORETYPE=Haswell
    formats -n 1 -w 0 --json --matrices pde:8 --variants gemm-cpu
    [ "$status" -eq 0 ]
    [[ $stderr != *OPENBLAS_CORETYPE* ]]
}

@test "cuSPARSE is a peer on CUDA and waived elsewhere" {
    formats "${once[@]}" --copies 2 --matrices pde:6,dense_row:300,empty_rows:300,rectangular:100,pde:1 --precisions double,float \
        --variants csr-gpu,cusparse-csr1,cusparse-csr2,cusparse-coo,cusparse-sell --size-limit 2000
    [ "$status" -eq 0 ]
    for variant in cusparse-csr1 cusparse-csr2 cusparse-coo cusparse-sell; do
        if [ "${GPU:-soft}" = cuda ]; then
            [ "$(column status "$variant" status pass | wc -l)" -eq 10 ]
        else
            [ "$(column status "$variant")" = waived ]
            [[ $stderr == *"$variant is waived: cuSPARSE needs"* ]]
        fi
    done
}

@test "a file and a wrong file" {
    printf '%s\n' '%%MatrixMarket matrix coordinate real general' '3 3 4' '1 1 2' '2 3 -1' '3 1 0.5' '3 3 4' >"$scratch/a.mtx"
    printf '%s\n' '%%MatrixMarket matrix coordinate real general' '3 3 4' '1 1 2' '4 3 -1' >"$scratch/b.mtx"
    formats "${once[@]}" --matrices "$scratch/a.mtx" --variants csr-cpu,hlg-gpu
    [ "$status" -eq 0 ]
    [ "$(column entries csr-cpu)" -eq 4 ]
    formats "${once[@]}" --matrices "$scratch/b.mtx" --variants csr-cpu
    [ "$status" -eq 1 ]
    [[ $(tail -n 1 <<<"$stderr") == "RESULT: FAIL "*"4"* ]]
    sed 's/^2 3 -1$/2 3 -1e39/' "$scratch/a.mtx" >"$scratch/large.mtx"
    formats "${once[@]}" --matrices "$scratch/large.mtx" --variants csr-cpu
    [ "$status" -eq 0 ]
    formats "${once[@]}" --matrices "$scratch/large.mtx" --variants csr-cpu --precisions float
    [ "$status" -eq 1 ]
    [[ $(tail -n 1 <<<"$stderr") == "RESULT: FAIL "*"large.mtx: row 2, column 3 holds -1e+39, which is more than a float can hold" ]]
}
