# spmv_product: one matrix, named or from a file, in every format on both sides.

load helper

product() {
    OMP_NUM_THREADS=2 run_apart "$bin/spmv_product" "$@"
}

banner="%%MatrixMarket matrix coordinate real general"

@test "every format is right on both sides, in both precisions" {
    for precision in double float; do
        product "${once[@]}" --matrix power:2000 --precision $precision --alpha -0.5 --beta 2
        all_right 14
        [ "$(column variant | sort -u | wc -l)" -eq 14 ]
        [ "$(values precision)" = $precision ]
    done
    [ "$(column value_bytes csr-cpu)" -eq $((4 * $(column entries csr-cpu))) ]
}

@test "the formats and variants that are asked for are measured" {
    product "${once[@]}" --matrix point5:20 --formats csr,hlg --threads 1
    all_right 4
    [ "$(values variant)" = "csr-cpu csr-gpu hll-cpu hlg-gpu" ]
    [ "$(column threads csr-cpu)" -eq 1 ]
    [ "$(column threads csr-gpu)" -eq 0 ]
    product "${once[@]}" --matrix point5:20 --variants csr-cpu,ell-gpu
    all_right 2
    [ "$(values variant)" = "csr-cpu ell-gpu" ]
}

@test "the profile says what the rows are like" {
    product "${once[@]}" --matrix dense_row:500 --formats csr
    [ "$status" -eq 0 ]
    [[ $stderr == *"dense_row:500: 500 x 500, "*" entries, 0 duplicates added up; rows of "*" to 500 entries"* ]]
    product "${once[@]}" --matrix rectangular:100 --formats csr
    [ "$status" -eq 0 ]
    [ "$(column columns csr-gpu)" -eq 200 ]
}

@test "a matrix comes from a file, and is written to one" {
    printf '%s\n' "$banner" "3 4 4" "1 1 2" "3 4 -1" "3 4 0.5" "1 2 1" >"$scratch/m.mtx"
    product "${once[@]}" --matrix "$scratch/m.mtx" --write "$scratch/again.mtx.gz"
    [ "$status" -eq 0 ]
    [[ $stderr == *": 3 x 4, 3 entries, 1 duplicates added up; rows of 0 to 2 entries, mean 1, "*", 1 empty"* ]]
    [ "$(zcat "$scratch/again.mtx.gz" | tail -n +3 | paste -sd ' ')" = "3 4 3 1 1 2 1 2 1 3 4 -0.5" ]
    product "${once[@]}" --matrix "$scratch/again.mtx.gz" --formats csr
    [ "$status" -eq 0 ]
    [ "$(column entries csr-cpu)" -eq 3 ]
}

@test "a matrix without entries has products" {
    printf '%s\n' "$banner" "3 3 0" >"$scratch/m.mtx"
    product "${once[@]}" --matrix "$scratch/m.mtx" --beta 0.5
    all_right 14
}

@test "a format that would not fit is waived with its size, the others are measured" {
    product "${once[@]}" --matrix dense_row:4000 --formats csr,ell,elg,hyb --memory-limit 16M
    [ "$status" -eq 0 ]
    [ "$(column status ell-cpu)" = waived ]
    [ "$(column status elg-gpu)" = waived ]
    [ "$(column status csr-gpu)" = pass ]
    [ "$(column status hyb-cpu)" = pass ]
    [[ $stderr == *"ell-cpu is waived: "*"0.192 GB"* ]]
    product "${once[@]}" --matrix dense_row:4000 --formats ell --memory-limit 16M
    [ "$status" -eq 2 ]
}

@test "broken files end with their name, the line and what was expected" {
    file=$scratch/m.mtx
    while IFS='|' read -r lines expected; do
        printf '%s\n' "$banner" >"$file"
        printf '%b' "$lines" >>"$file"
        product "${once[@]}" --matrix "$file"
        [ "$status" -eq 1 ]
        [ -z "$(column variant)" ]
        [[ $(tail -n 1 <<<"$stderr") == "RESULT: FAIL "*"m.mtx: line $expected"* ]]
    done <<'TABLE'
2 2 1\n1 3 1\n|3: expected a column from 1 to 2, found 3
% a\n\n2 2 1\n1 1 nan\n|5: expected a number such as -1.25e3, found nan
2 2 2\n1 1 1\n|4: expected 2 entries, found the end after 1
2 2 999999999999\n1 1 1\n|2: expected at most
TABLE
    : >"$file"
    product "${once[@]}" --matrix "$file"
    [ "$status" -eq 1 ]
    [[ $stderr == *"line 1: expected %%MatrixMarket, found an empty file"* ]]
    printf '%s\n' "$banner" "1 1 1" "1 1 1e300" >"$file"
    product "${once[@]}" --matrix "$file" --precision float
    [ "$status" -eq 1 ]
    [[ $stderr == *"row 1, column 1 holds 1e+300, which is more than a float can hold"* ]]
}

@test "bad options end with exit 1 and one sentence" {
    refuses_all <<'TABLE'
spmv_product|--matrix nothing.mtx|no file and no kind of matrix: `nothing.mtx`
spmv_product|--matrix cube:3|kinds (KIND:SIZE or KIND:SIZE:PARAMETER) are pde
spmv_product|--matrix pde:0|SIZE from 1
spmv_product|--formats csr,xyz|unknown format 'xyz'; choose from coo, csr, csc, ell, elg, hll, hyb, hlg
spmv_product|--formats csr,|empty entry
spmv_product|--precision half|unknown precision 'half'; choose from float, double
spmv_product|--hack-rows 33|expected a multiple of 32
spmv_product|--hack-rows -32|out of range
spmv_product|--threads x|not a number
spmv_product|--alpha nan|alpha
spmv_product|--matrix diagonal:3 --write /nonexistent/m.mtx|/nonexistent/m.mtx: No such file
TABLE
}
